#pragma once

#include <span>
#include <vector>

#include "engine/model/transformer.h"

// The logit lens (nostalgebraist, 2020): what the model would answer if a layer were the last one.
// The residual stream behind each layer goes through the model's own final norm and head:
//
//   logits_i = head(norm(x_i))      x_0 what is embedded, x_i the output of layer i
//
// of the stack that the head reads: the decoder, or the encoder where there is no decoder. The last
// row is the model's own answer, bit for bit. A head that pools answers once for the sequence.
//
// Needs no more than a forward pass: every kind of GradientMemory keeps these outputs. Nothing of
// the pass is changed.

namespace tp {

// Rows of the lens: what is embedded, and the layers.
template <class T>
int lens_layers(const Transformer<T>& model);
// Columns of the lens: the tokens of the sequence, or 1 where the head pools.
template <class T>
int lens_positions(const Transformer<T>& model, const Batch<T>& batch, int sequence);

// One row into logits [positions, outputs]. It costs what the head does: 2 * positions * d *
// outputs operations, and one norm.
template <class T>
void lens_layer(const Transformer<T>& model, const Activations<T>& activations,
                const Batch<T>& batch, int sequence, int layer, Matrix<T> logits);

template <class T>
struct Lens {
  int layers = 0, positions = 0, outputs = 0;
  std::vector<T> logits;  // [layers, positions, outputs]

  std::span<const T> at(int layer, int position) const {
    const auto width = static_cast<std::size_t>(outputs);
    return std::span(logits).subspan(static_cast<std::size_t>(layer * positions + position) * width,
                                     width);
  }
};
// All rows at once.
template <class T>
Lens<T> lens(const Transformer<T>& model, const Activations<T>& activations, const Batch<T>& batch,
             int sequence);

struct LikelyOutput {
  int output = 0;
  double probability = 0;
};
// The likeliest outputs by softmax(logits), at most `count`, the likeliest first; of equals the
// first. Not for regression, whose outputs are numbers.
template <class T>
std::vector<LikelyOutput> likeliest(std::span<const T> logits, int count);

// The probability of one output, as a curve over the layers has it.
template <class T>
double probability_of(std::span<const T> logits, int output);

}  // namespace tp
