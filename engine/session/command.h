#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/core/result.h"

// What the user interface asks of a session: one struct for each kind of command. Commands travel
// as bytes, the same ones to a Worker, to a thread and within a test.

namespace tp {

struct Start {
  std::string config;         // JSON
  std::string material = {};  // the user's own text
  bool play = false;
  bool operator==(const Start&) const = default;
};
struct Play {
  bool operator==(const Play&) const = default;
};
struct Pause {
  bool operator==(const Pause&) const = default;
};
struct Step {
  std::int32_t count = 1;
  bool operator==(const Step&) const = default;
};
struct SetPace {
  double steps_per_second = 0;  // 0: as fast as it goes
  bool operator==(const SetPace&) const = default;
};
struct Retune {
  std::string training;  // settings that the run continues with, JSON
  bool operator==(const Retune&) const = default;
};
// What is wanted of a tensor.
enum WantBits : std::uint8_t {
  kWantValues = 1,
  kWantStatistics = 2,
  kWantHistogram = 4,
  kWantInputs = 8,  // the paths of what it was made from
};
struct WatchedPath {
  std::string pattern;  // see fits_pattern()
  std::uint8_t wanted = kWantValues;
  std::int32_t example = -1;  // a held-out one; -1: the one shown
  bool operator==(const WatchedPath&) const = default;
};
// Tensors of a pass, parameters by their names, and the gradients of both, with d_ before the last
// part of the path.
struct Watch {
  std::vector<WatchedPath> paths = {};
  bool samples = false;  // the first held-out examples with the model's answers
  bool stills = false;   // the attention of early steps
  bool operator==(const Watch&) const = default;
};
inline constexpr std::int32_t kTypedExample = -1;
struct ChooseExample {
  std::int32_t index = 0;  // of a held-out example; kTypedExample: what was tried, when it is read
  bool operator==(const ChooseExample&) const = default;
};
struct TryInput {
  std::string text;
  double temperature = 0;  // 0: always the likeliest token
  std::int32_t top_k = 0;  // 0: no cut
  std::uint32_t seed = 0;
  bool operator==(const TryInput&) const = default;
};
struct Rewind {
  std::int32_t branch = 0;
  std::uint64_t step = 0;
  bool operator==(const Rewind&) const = default;
};
struct Save {
  bool operator==(const Save&) const = default;
};
struct Load {
  std::string name;
  std::vector<std::byte> bytes;
  bool operator==(const Load&) const = default;
};
struct EstimateRun {
  std::string config;  // JSON
  bool operator==(const EstimateRun&) const = default;
};

// Where a number of the example shown came from: see engine/inspect/explain.h.
struct Explain {
  std::string path;
  std::int32_t row = 0, column = 0;
  bool check = false;  // the gradient by finite differences, too
  bool operator==(const Explain&) const = default;
};

using CommandBody = std::variant<Pause, Start, Play, Step, SetPace, Retune, Watch, ChooseExample,
                                 TryInput, Rewind, Save, Load, EstimateRun, Explain>;

struct Command {
  std::uint32_t id = 0;  // comes back in Snapshot::answered
  CommandBody what;
  bool operator==(const Command&) const = default;
};

struct CommandText {
  std::string_view name, arguments, help;
};

// In the order of CommandBody.
inline constexpr std::array<CommandText, std::variant_size_v<CommandBody>> kCommands = {{
    {"pause", "", "finishes or drops the step that is under way and stops"},
    {"start", "config, material, play",
     "starts a new run, with the user's own text if there is one"},
    {"play", "", "trains from the moment shown; a past moment begins a new branch"},
    {"step", "count", "does `count` steps as fast as it can, then pauses"},
    {"set_pace", "steps_per_second", "limits the speed of training; 0 is no limit"},
    {"retune", "training", "changes the settings of the training while the run continues"},
    {"watch", "paths, samples, stills", "chooses what snapshots carry beside the curves"},
    {"choose_example", "index", "shows another held-out example, or what was tried"},
    {"try_input", "text, temperature, top_k, seed", "decodes what was typed"},
    {"rewind", "branch, step", "shows the saved moment nearest to this one"},
    {"save", "", "sends the run as a file with the next snapshot"},
    {"load", "name, bytes", "starts from a saved file, or takes over weights alone"},
    {"estimate_run", "config", "says how large and how much work a run would be"},
    {"explain", "path, row, column, check", "says where a number of the example shown came from"},
}};

inline const CommandText& text_of(const CommandBody& what) { return kCommands[what.index()]; }

std::vector<std::byte> encode(const Command& command);
// Bytes that are no command, or of another version, are an error.
Result<Command> decode_command(std::span<const std::byte> bytes);

}  // namespace tp
