#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/core/result.h"

// What the user interface asks of a session. Commands travel as bytes, the same ones to a Worker,
// to a thread and within a test.

namespace tp {

enum class CommandKind : std::uint8_t {
  start,  // a new run: `text` is its configuration, `material` the user's own text; `flag`: play
  play,   // from the moment shown; a moment of the past grows a new branch
  pause,
  step,       // `index` steps (0 is one) without regard to the pace, then pause
  pace,       // `number` steps a second; 0: as fast as it goes
  retune,     // `text`: the training settings (JSON) that the run goes on with
  watch,      // `index`: the WatchBits of what is on the screen; only that is copied
  example,    // `index`: the held-out example that attention is shown for
  try_input,  // `text` is what somebody typed; decoded with `number` as temperature (0: greedy),
              // `top_k`, and `index` as the seed
  rewind,     // shows the kept moment nearest to `branch` and `step`
  save,       // the file comes with a snapshot
  load,       // `bytes` of a saved file or of weights alone, called `text`
  estimate,   // how large and how much work the configuration in `text` would be
};

// Which parts of a snapshot somebody looks at.
enum WatchBits : std::uint32_t {
  kWatchAttention = 1,
  kWatchPositions = 2,
  kWatchSamples = 4,
};

struct Command {
  CommandKind kind = CommandKind::pause;
  std::uint32_t id = 0;  // comes back in Snapshot::answered
  std::string text = {};
  std::string material = {};
  std::vector<std::byte> bytes = {};
  double number = 0;
  std::int32_t index = 0;
  std::int32_t top_k = 0;
  std::int32_t branch = 0;
  std::uint64_t step = 0;
  bool flag = false;

  bool operator==(const Command&) const = default;
};

std::vector<std::byte> encode(const Command& command);
// Bytes that are no command, or of another version, are an error.
Result<Command> decode_command(std::span<const std::byte> bytes);

}  // namespace tp
