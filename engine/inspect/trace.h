#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/transformer.h"

// Every tensor of a pass by path, for one sequence of the batch:
//
//   source.embedded   encoder.0.self_attn.head.2.weights   decoder.1.cross_attn.head.0.d_scores
//   encoder.1.feed_forward.hidden   decoder.norm.output   head.logits   head.d_logits
//
// with what its axes mean, the operation that made it and the paths (or names of parameters) it was
// made from. The layers describe themselves from their caches after the pass (see describe.h): a
// pass that is not looked at does nothing for it.

namespace tp {

template <class T>
struct TracedTensor {
  std::string path;
  std::string operation;
  std::vector<std::string> inputs;
  Axis rows, columns;
  ConstMatrix<T> values;  // [rows, columns], inside the activations
};

enum class TraceParts { forward, forward_and_backward };

// In the order of computation. Views into `activations`, made with GradientMemory::kept and valid
// until its next pass. Gradients need a backward pass.
template <class T>
std::vector<TracedTensor<T>> trace(const Transformer<T>& model, const Activations<T>& activations,
                                   const Batch<T>& batch, int sequence, TraceParts parts);

// A hook on a pass that was done: calls `see` with each tensor whose path fits (path_pattern.h).
//
//   visit_tensors<float>(model, activations, batch, "decoder.*.weights",
//                        [&](const TracedTensor<float>& t) { sum += t.values(0, 0); });
template <class T>
void visit_tensors(const Transformer<T>& model, const Activations<T>& activations,
                   const Batch<T>& batch, std::string_view pattern,
                   const std::function<void(const TracedTensor<T>&)>& see, int sequence = 0,
                   TraceParts parts = TraceParts::forward);

}  // namespace tp
