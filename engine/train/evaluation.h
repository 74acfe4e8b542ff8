#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/model/transformer.h"
#include "engine/tasks/task.h"
#include "engine/train/batch_maker.h"

// How well a model does on examples it was not trained on.

namespace tp {

// Over all output tokens that have a true link: the share whose largest weight falls on a true
// source token, and the mean weight there.
struct AlignmentScore {
  double share = 0;
  double weight = 0;
};

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

// On the first `examples` held-out examples of `seed`, in batches of at most `batch`. `batches` and
// `activations` must have room for such batches.
Evaluation evaluate(const Transformer<float>& model, const Task& task, std::uint64_t seed,
                    int examples, int batch, BatchMaker& batches, Activations<float>& activations);

}  // namespace tp
