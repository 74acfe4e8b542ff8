#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/model/transformer.h"
#include "engine/train/batch_maker.h"

// One example of a person's through a model.

namespace tp::cli {

// What was typed as an example; the error lists the words there are.
Result<Example> read_input(const Task& task, std::string_view text);
// What was typed as an answer, as tokens of the target.
Result<std::vector<int>> read_target(const Task& task, std::string_view text);

// The batch of one sequence and everything that forward computed from it.
struct ModelPass {
  std::unique_ptr<BatchMaker> batches;
  std::unique_ptr<Activations<float>> activations;

  const Batch<float>& batch() const { return batches->packed(); }
};
// A decoder-only model reads all of `example.target`; an encoder-decoder reads it behind the begin
// mark.
Result<ModelPass> run_pass(const Transformer<float>& model, const Task& task, Example example);

// Whether there is an answer to measure the pass against.
bool has_answer(const Example& example, const ModelConfig& config);
// The loss of a pass, and its gradients in the activations and in the model's store.
void run_backward(Transformer<float>& model, ModelPass& pass);

}  // namespace tp::cli
