#pragma once

#include <string>
#include <vector>

#include "engine/model/transformer.h"

// Which part of a model pushed a logit up or down. A residual stream is a sum, and what stands
// between it and a logit is linear once the scale of each norm, 1 / sqrt(variance + eps), is taken
// as the constant that it was in this pass:
//
//   logit = w . (gamma * (x - mean(x)) / std + beta) + b      x = embedding + positions + heads +
//   ...
//
// So w is pulled back through the final norm, along the stream and out into each branch, up to what
// is not linear any more: a head's context, the hidden layer of a feed-forward net, an embedding.
// The product of both is what that part adds to the logit; biases of products and norms are parts
// of their own.
//
//   pre-norm    exact: one frozen scale, that of the final norm
//   post-norm   exact too, with one frozen scale for each norm along the stream: a part of an early
//               layer counts by what was left of it after the norms above
//
// The parts sum to the logit but for rounding, which is the last part, `remainder`. An encoder
// counts through the heads that read it. Where a head pools, a part is summed over the positions.
// Of a pass with dropout a branch that was dropped from counts as one part.

namespace tp {

enum class PartKind { embedding, positions, attention_head, feed_forward, bias, other, remainder };

struct LogitPart {
  PartKind kind;
  std::string path;  // of a tensor (see trace.h), for a bias the name of the parameter
  double value;
};

// Of logit [position, output] of one sequence, in the order of computation; position 0 where the
// head pools. Reads a forward pass over activations made with GradientMemory::kept and changes
// nothing. It costs the names of all tensors of the pass and, in each layer of the stack, a product
// with the last weight of every branch: of one row, of all rows where the head pools by the mean.
// Together that is less than the pass of one short sequence.
template <class T>
std::vector<LogitPart> attribute_logit(const Transformer<T>& model,
                                       const Activations<T>& activations, const Batch<T>& batch,
                                       int sequence, int position, int output);

}  // namespace tp
