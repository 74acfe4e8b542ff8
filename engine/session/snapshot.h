#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/inspect/explain.h"
#include "engine/inspect/patterns.h"
#include "engine/inspect/statistics.h"
#include "engine/inspect/trace.h"
#include "engine/tasks/depiction.h"

// What a session tells the user interface: everything new since the snapshot before, and the
// tensors that are watched, of the moment shown. Snapshots travel as bytes, like commands.

namespace tp {

// A sentence in both languages of the product.
struct Sentence {
  std::string english, korean;
  bool empty() const { return english.empty(); }
  bool operator==(const Sentence&) const = default;
};

// Numbers of some series (see engine/train/series_list.h) that were measured at the same steps.
struct SeriesRows {
  std::vector<std::uint32_t> series;  // the columns: places in the list of names
  std::vector<std::uint64_t> steps;   // the rows, growing
  std::vector<double> values;         // [steps, series]
};

enum class EventKind : std::uint8_t { setting_changed, rewound, loaded, stopped };
struct CurveEvent {
  std::uint64_t step = 0;
  EventKind kind = EventKind::setting_changed;
  std::string name, before, after;  // of a setting
};

// The past is a tree: a branch begins at a step of its parent. The first has parent -1.
struct Branch {
  std::int32_t id = 0, parent = -1;
  std::uint64_t first_step = 0, last_step = 0;
};
struct Moment {
  std::int32_t branch = 0;
  std::uint64_t step = 0;
  bool operator==(const Moment&) const = default;
};

struct ShownLink {
  std::int32_t output = 0, source = 0;
  bool scored = true;
};

// The example that the maps are of: a held-out one, or a typed input with the answer that the
// model gave. The answer is given to the model as if it had written it itself, so every row is
// there from the beginning.
struct ShownExample {
  std::int32_t index = -1;           // of a held-out one; kTypedExample
  std::vector<std::string> source;   // what is read; empty for decoder-only
  std::vector<std::string> read;     // what the decoder reads: the answer, shifted by one
  std::vector<std::string> written;  // what it writes, the end mark last
  std::vector<ShownLink> links;
  std::string source_text, answer_text;  // the right answer; empty when it is not known
  Depiction drawn = {};
};

// A tensor as it is at the moment shown. Of a parameter both axes are features.
struct WatchedTensor {
  std::string path = {}, operation = {};
  std::int32_t example = -1;  // as it was asked for; -1: the one shown, or of none
  AxisKind row_axis = AxisKind::one, column_axis = AxisKind::one;
  std::int32_t rows = 0, columns = 0;
  std::vector<float> values = {};                   // [rows, columns], if wanted
  std::optional<TensorStatistics> statistics = {};  // if these or a histogram are wanted
  std::vector<std::uint32_t> histogram = {};        // see histogram_of()
  std::vector<std::string> inputs = {};             // paths and names of parameters, if wanted
  // Of attention weights: how many columns each row may see, and what there is to say of the head.
  std::vector<std::int32_t> visible = {};
  std::optional<HeadReading> reading = {};
};
// The tokens along an axis, or none. The decoder reads a token and writes the next one; these are
// those it reads.
std::span<const std::string> tokens_along(AxisKind axis, const ShownExample& example);

// The mean over heads of the last cross-attention (or self-attention) at an early step.
struct Still {
  Moment moment;
  std::int32_t rows = 0, columns = 0;
  std::vector<float> weights;
};

struct Sample {
  std::string source, expected, produced;
  bool right = false;
  bool judged = true;  // false: any text may be right
  Moment moment = {};  // of the weights that produced it
  Depiction drawn = {};
};

struct Candidate {
  std::string token;
  double probability = 0;
};
struct TryStep {
  std::string token;
  double probability = 0;
  bool right = true;                  // as far as the true answer is known
  std::vector<Candidate> candidates;  // the likeliest, best first, at most eight
};
// A parameter of the task and the value that it should have.
struct NewValue {
  std::string name, value;
};
// The result of a typed input. Either `problem`, or an answer.
struct TryResult {
  std::uint32_t id = 0;  // that of the command
  std::string input;
  Moment moment;  // of the weights that answer
  Sentence problem;
  Sentence untrained;            // why not to expect much of the answer, or empty
  std::vector<NewValue> remedy;  // what to train with instead, or nothing
  std::string unknown_word;
  std::vector<std::string> known_words;
  std::vector<std::string> source;  // as the model reads it
  std::vector<TryStep> steps;       // grow from snapshot to snapshot
  std::string output;
  std::optional<std::string> expected;
  bool right = false;
  bool done = false;
  Depiction drawn = {};
};

struct Estimate {
  std::uint32_t id = 0;  // that of the command
  Sentence problem;      // why it cannot be run, or empty
  std::uint64_t parameters = 0;
  std::uint64_t bytes = 0;  // of the model with gradients and moments, and of a batch's activations
  double flops = 0;         // matrix products of one step
};

// The answer to `explain`. Either `problem`, or an explanation.
struct Explained {
  std::uint32_t id = 0;  // that of the command
  Moment moment = {};    // that the numbers are of
  std::int32_t example = -1;
  Sentence problem = {};  // there is no such tensor, or no such cell
  Explanation explanation = {};
};

enum class RunState : std::uint8_t { empty, paused, running, solved, finished, failed };

struct Snapshot {
  std::uint32_t run = 0;  // counts runs: start, load; points of another run begin new curves
  RunState state = RunState::empty;
  Moment moment;  // that everything below is of
  std::uint64_t total_steps = 0;
  double steps_per_second = 0;
  std::uint64_t weights_hash = 0;
  std::uint32_t answered = 0;  // the last command that was taken
  std::uint32_t refused = 0;   // the last start or retune, when its settings do not fit together

  // When the run is new.
  std::string config;    // JSON; told again when others were refused, otherwise empty
  std::string material;  // the text that it learns from, where the task takes one
  std::string task;
  std::int32_t vocabulary = 0;  // of the answer; ln of it is guessing. 0 for regression
  std::uint64_t parameters = 0, bytes = 0;
  double flops = 0;                      // matrix products of one step, on average
  std::vector<std::string> known_words;  // of the source, for typing

  std::vector<std::string> series_names;  // all that the run has measured, when there is a new one

  // New since the snapshot before, in the order of their steps, of the branch `moment.branch`.
  std::vector<SeriesRows> series;
  std::vector<CurveEvent> events;
  std::vector<Branch> branches;  // all of them
  std::vector<Moment> kept;      // moments to go back to: all of them
  std::uint64_t history_bytes = 0, history_limit = 0;

  // What is watched.
  std::optional<ShownExample> example;  // when it changed
  std::vector<WatchedTensor> tensors;   // all that are watched, when they changed
  std::vector<Still> stills;            // all of them, when there is a new one
  std::vector<Sample> samples;

  std::optional<TryResult> tried;
  std::optional<Explained> explained;
  std::optional<Estimate> estimate;
  std::vector<std::byte> file;  // what `save` asked for
  std::string file_name;
  Sentence error;    // what went wrong with the last command, or stopped the run
  Sentence warning;  // what was left out, for example, when weights were loaded
};

// Null when it is not there.
const WatchedTensor* find_tensor(const Snapshot& snapshot, std::string_view path, int example = -1);

// Brings what is known up to date with the next snapshot. What stays, what is appended and what a
// new run clears is said field by field in snapshot_fields.h.
void merge(Snapshot& known, Snapshot news);

std::vector<std::byte> encode(const Snapshot& snapshot);
Result<Snapshot> decode_snapshot(std::span<const std::byte> bytes);

}  // namespace tp
