#include "engine/session/command.h"

#include "engine/session/archive.h"

namespace tp {
namespace {

constexpr MessageKind kCommand = {0x4d4f4354, 2, "command"};  // TCOM

}  // namespace

template <class Archive>
void fields(Archive&, Pause&) {}

template <class Archive>
void fields(Archive& archive, Start& c) {
  archive(c.config, c.material, c.play);
}

template <class Archive>
void fields(Archive&, Play&) {}

template <class Archive>
void fields(Archive& archive, Step& c) {
  archive(c.count);
}

template <class Archive>
void fields(Archive& archive, SetPace& c) {
  archive(c.steps_per_second);
}

template <class Archive>
void fields(Archive& archive, Retune& c) {
  archive(c.training);
}

template <class Archive>
void fields(Archive& archive, Watch& c) {
  archive(c.bits);
}

template <class Archive>
void fields(Archive& archive, ChooseExample& c) {
  archive(c.index);
}

template <class Archive>
void fields(Archive& archive, TryInput& c) {
  archive(c.text, c.temperature, c.top_k, c.seed);
}

template <class Archive>
void fields(Archive& archive, Rewind& c) {
  archive(c.branch, c.step);
}

template <class Archive>
void fields(Archive&, Save&) {}

template <class Archive>
void fields(Archive& archive, Load& c) {
  archive(c.name, c.bytes);
}

template <class Archive>
void fields(Archive& archive, EstimateRun& c) {
  archive(c.config);
}

template <class Archive>
void fields(Archive& archive, Command& c) {
  archive(c.id, c.what);
}

std::vector<std::byte> encode(const Command& command) { return encode_message(kCommand, command); }

Result<Command> decode_command(std::span<const std::byte> bytes) {
  return decode_message<Command>(kCommand, bytes);
}

}  // namespace tp
