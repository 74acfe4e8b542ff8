#pragma once

#include <memory>
#include <vector>

#include "engine/core/rng.h"
#include "engine/model/token_writer.h"
#include "engine/session/snapshot.h"
#include "engine/tasks/task.h"
#include "engine/train/batch_maker.h"
#include "engine/train/evaluation.h"

// Asks a model for the answer to one example, a piece at a time: a layer, or a token that is
// written.

namespace tp {

struct AnswerOptions {
  double temperature = 0;  // 0: always the likeliest
  int top_k = 0;           // 0: no cut
  std::uint64_t seed = 0;
  int most_tokens = 0;      // 0: as many as the task's answers have
  bool candidates = false;  // say what else was likely
};

class Answerer {
 public:
  // The model must outlive it.
  Answerer(const Transformer<float>& model, std::shared_ptr<const Task> task);

  // For a language model the example's target is the beginning to go on with.
  Status begin(Example example, const AnswerOptions& options);
  // True when the answer is complete.
  bool advance();

  const Example& example() const { return example_; }
  const ModelAnswer& answer() const { return answer_; }
  // What was written, one by one; of a classifier, the class. Nothing for regression.
  const std::vector<TryStep>& steps() const { return steps_; }

 private:
  Status begin_writing();
  bool write();    // a token
  bool compute();  // a stage of a model without a decoder
  void name_class();
  int choose(std::span<const float> logits);

  const Transformer<float>& model_;
  std::shared_ptr<const Task> task_;
  Example example_;
  AnswerOptions options_;
  Rng rng_{0};
  ModelAnswer answer_;
  std::vector<TryStep> steps_;
  // Of a model with a decoder.
  std::unique_ptr<TokenWriter> writer_;
  // Of one without.
  std::unique_ptr<Activations<float>> activations_;
  BatchMaker batches_;
  int stage_ = 0;
};

}  // namespace tp
