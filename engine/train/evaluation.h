#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/inspect/patterns.h"
#include "engine/model/transformer.h"
#include "engine/tasks/task.h"
#include "engine/train/answer_writer.h"
#include "engine/train/batch_maker.h"

// How well a model does on examples it was not trained on.

namespace tp {

// Over all output tokens that have a true link: the share whose largest weight falls on a true
// source token, and the mean weight there.
using AlignmentScore = TargetReading;

// Of one decoder layer's cross-attention.
struct LayerAlignment {
  std::vector<AlignmentScore> heads;
  AlignmentScore mean;  // of the weights averaged over the heads
};

struct Evaluation {
  int examples = 0;
  double loss = 0;  // per token (or answer), without label smoothing; regression: squared error
  // The share of answers that are right from beginning to end: written greedily, token by token,
  // where the task writes; the class where it classifies. Not for language models and regression.
  std::optional<double> exact;
  std::optional<double> token_accuracy;   // each token after the true ones before it
  double metric = 0;                      // the task's own
  std::optional<double> baseline;         // that of a guess that takes no learning
  std::vector<LayerAlignment> alignment;  // by decoder layer; empty without true links, and the
                                          // last layer alone where layers are recomputed

  // The best head of the last layer.
  double best_head_alignment() const;
};

// What a model answers to one example. Writes tokens for an encoder-decoder; a language model's
// answer is its best guess for each next token.
struct ModelAnswer {
  std::vector<int> tokens;
  int label = -1;
  std::vector<float> values;

  Answer answer() const { return {tokens, label, values}; }
};

// Greedy decoding of an encoder-decoder's answer, without the end mark.
std::vector<int> write_answer(const Transformer<float>& model, const Task& task,
                              const Example& example);

// Asks a model about the first `examples` held-out examples of `seed`, in batches of at most
// `batch`, a piece at a time: a stage of a batch's pass, or one example, or a token of the answers
// that the model must write out. `batches` and `activations` are large enough for such batches.
class Exam {
 public:
  Exam(const Transformer<float>& model, const Task& task, std::uint64_t seed, int examples,
       int batch, BatchMaker& batches, Activations<float>& activations);
  ~Exam();

  // True when all is done; result() is then of everything.
  bool advance();
  Evaluation result() const;

 private:
  class Sums;
  void draw();
  bool write();

  const Transformer<float>& model_;
  const Task& task_;
  std::uint64_t seed_;
  int examples_, batch_;
  BatchMaker& batches_;
  Activations<float>& activations_;
  std::unique_ptr<Sums> sums_;
  std::vector<Example> drawn_;  // of the batch
  int first_ = 0, count_ = 0;   // examples before it, examples in it
  int stage_ = 0;
  int next_ = 0;                // of the batch's examples
  std::vector<int> unwritten_;  // of the batch: where the answer must be written out
  AnswerWriter writer_;
};

// All of it at once.
Evaluation evaluate(const Transformer<float>& model, const Task& task, std::uint64_t seed,
                    int examples, int batch, BatchMaker& batches, Activations<float>& activations);

}  // namespace tp
