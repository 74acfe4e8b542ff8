#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/property.h"
#include "engine/core/result.h"
#include "engine/core/rng.h"
#include "engine/tasks/depiction.h"
#include "engine/tasks/vocabulary.h"

// A task is something to learn: it makes examples without end, tells those to train on from those
// to be examined in, reads what a person types and says how good an answer is. It knows nothing of
// models.
//
//   TaskRecipe  the parameters, with a table of their ranges; make_task() checks them and gives a
//   Task        which never changes again: its examples are pure functions of (split, seed, index)

namespace tp {

enum class TaskKind {
  encoder_decoder,   // reads `source`, writes `target`
  decoder_only,      // continues `target`: each token is followed by the next
  token_classifier,  // reads `source`, names a class: `label`
  patch_classifier,  // reads `patches`, names a class: `label`
  patch_regressor,   // reads `patches`, gives numbers: `values`
};

// Whether a task takes a text of the user's: lines of pairs, a table, prose.
enum class Material { none, optional, required };

struct TaskInfo {
  std::string_view name;
  TaskKind kind;
  Material material;
  std::string_view summary;  // what there is to learn, in one sentence
};

// No held-out source ever occurs in training, whatever the seeds: on which side a source falls
// follows from its content. Sources of which there are too few to hold any back (short ones) are
// for training, and held_out never gives them.
enum class Split { train, held_out };

// Where the answer is to be found: output token `output` comes from source token `source`. An
// output without a scored link does not count in the alignment score; the other links are for
// drawing.
struct Link {
  int output;
  int source;
  bool scored;
  bool operator==(const Link&) const = default;
};

// Tokens stand without marks: BatchMaker puts kBegin before and kEnd behind.
// A decoder-only example is one token longer than what the model reads, as each but the first is
// the answer to those before.
struct Example {
  std::vector<int> source;
  std::vector<int> target;
  std::vector<float> patches;  // [count, patch_size]
  int label = -1;
  std::vector<float> values;
  std::vector<Link> links;  // by output, then by source
  // Regression: what a person would read is offset + scale * number.
  double offset = 0, scale = 1;

  // Empties everything and keeps the memory, so that one Example can be used again and again.
  void clear();
  bool operator==(const Example&) const = default;
  void add_link(int output, int source_position, bool scored = true) {
    links.push_back({output, source_position, scored});
  }
};

// The answer of an example, or of a model.
struct Answer {
  std::span<const int> tokens = {};
  int label = -1;
  std::span<const float> values = {};
};
Answer answer_of(const Example& example);

// A typed input.
struct Parsed {
  // What to read, with the answer and the links where the task knows them; or a sentence.
  Result<Example> example;
  // When a word was the problem: which, and the words there are.
  std::string unknown_word = {};
  std::vector<std::string_view> known_words = {};
  // When it is shorter or longer than what is trained, or has unknown words: a sentence beside an
  // example that can be read, and the parameters with which the task would train for it, if there
  // are any.
  std::optional<Error> untrained = {};
  std::vector<std::pair<std::string_view, int>> remedy = {};
};

struct Metric {
  std::string_view name;
  bool more_is_better;
};

// For these sizes buffers are made. What a kind of task does not have is 0.
struct TaskSizes {
  int source = 0;      // tokens or patches, at most
  int target = 0;      // tokens of `target`, at most
  int patch_size = 0;  // numbers in one patch
  int outputs = 0;     // classes or numbers
};

class Tokenizer;

// The tokenizers whose ids are the numbers of a task's vocabularies.
struct TaskTokenizers {
  std::shared_ptr<const Tokenizer> reads;   // what is typed
  std::shared_ptr<const Tokenizer> writes;  // may be the same one; null where no token is written
};

class Task {
 public:
  virtual ~Task() = default;
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  const TaskInfo& info() const { return info_; }
  const TaskSizes& sizes() const { return sizes_; }
  const Vocabulary& source_vocabulary() const { return source_; }
  const Vocabulary& target_vocabulary() const { return target_; }
  const std::vector<std::string>& classes() const { return classes_; }
  // What a person wants to know about how their text was read, a sentence each.
  const std::vector<Error>& notes() const { return notes_; }
  // What of it could not be used, where something could not.
  const std::optional<Error>& warning() const { return warning_; }
  // Of a task whose vocabulary comes from the user's text; others have none. tokenizers_of() makes
  // some for any task.
  const TaskTokenizers& tokenizers() const { return tokenizers_; }
  // Whether tokens are characters, which stand side by side; words have spaces between them.
  bool by_character() const { return by_character_; }

  // Replaces what is in `example` and uses its memory.
  virtual void sample(Split split, std::uint64_t seed, std::uint64_t index,
                      Example& example) const = 0;

  virtual Parsed parse(std::string_view text) const = 0;
  virtual std::string source_text(const Example& example) const = 0;
  virtual std::string answer_text(const Answer& answer) const = 0;
  // What it looks like, where people see more in a drawing than in the text.
  virtual Depiction depict(const Example&) const { return {}; }

  // The task's own measure of one answer; the mean over many is what is shown.
  virtual Metric metric() const = 0;
  virtual double score(const Answer& expected, const Answer& produced) const = 0;
  // The score of a guess that takes no learning, where there is one worth beating.
  virtual std::optional<double> baseline(const Example&) const { return std::nullopt; }

 protected:
  explicit Task(const TaskInfo& info) : info_(info) {}

  // Set in the constructor.
  TaskSizes sizes_;
  Vocabulary source_, target_;
  std::vector<std::string> classes_;
  std::vector<Error> notes_;
  std::optional<Error> warning_;
  TaskTokenizers tokenizers_;
  bool by_character_ = false;

 private:
  TaskInfo info_;
};

using TaskResult = Result<std::unique_ptr<const Task>>;

class TaskRecipe {
 public:
  virtual ~TaskRecipe() = default;
  // Bound to this object.
  virtual Properties properties() = 0;
  ConstProperties properties() const {
    return read_only(*this, [](TaskRecipe& recipe) { return recipe.properties(); });
  }
};

// The random numbers of one example; no other purpose has these streams.
Rng example_rng(Split split, std::uint64_t seed, std::uint64_t index);

// The side on which a source of these numbers falls; one in ten is held out.
Split split_of(std::span<const int> content);

// A tenth of fewer sources than this would say nothing.
inline constexpr std::uint64_t kEnoughToSplit = 1000;

}  // namespace tp
