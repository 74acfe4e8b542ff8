#include "engine/session/command.h"

#include "engine/session/archive.h"

namespace tp {
namespace {

constexpr MessageKind kCommand = {0x4d4f4354, 1, "command"};  // TCOM

}  // namespace

constexpr CommandKind last_of(CommandKind) { return CommandKind::estimate; }

template <class Archive>
void fields(Archive& archive, Command& c) {
  archive(c.kind, c.id, c.text, c.material, c.bytes, c.number, c.index, c.top_k, c.branch, c.step,
          c.flag);
}

std::vector<std::byte> encode(const Command& command) { return encode_message(kCommand, command); }

Result<Command> decode_command(std::span<const std::byte> bytes) {
  return decode_message<Command>(kCommand, bytes);
}

}  // namespace tp
