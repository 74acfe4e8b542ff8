#include "engine/session/command.h"

#include "engine/session/archive.h"
#include "engine/session/command_fields.h"

namespace tp {
namespace {

constexpr MessageKind kCommand = {0x4d4f4354, 2, "command"};  // TCOM

}  // namespace

std::vector<std::byte> encode(const Command& command) { return encode_message(kCommand, command); }

Result<Command> decode_command(std::span<const std::byte> bytes) {
  return decode_message<Command>(kCommand, bytes);
}

}  // namespace tp
