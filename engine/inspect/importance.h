#pragma once

#include <vector>

#include "engine/model/transformer.h"

// How much each input mattered to the loss: by how much that would rise if the input were zeros.
// The input is the embedding of a token, without the position, which stays; or the numbers of a
// patch. Above 0 an input helped to find the answer, below 0 it misled.
//
//   estimated   to first order, from the gradient:  - sum_j (d loss / d x_j) x_j
//               (gradient times input, with the sign of a rise)
//   measured    loss with x = 0, less the loss
//
// Both are of the batch's loss, and of passes without dropout.

namespace tp {

enum class InputSide { source, target };

// How many inputs a sequence has on this side; 0 on a side that the model lacks.
template <class T>
int input_count(const Transformer<T>& model, const Batch<T>& batch, int sequence, InputSide side);

// Of every input of a sequence, after a backward pass of loss_scale 1 over `activations`, whatever
// their GradientMemory. Costs 2 * inputs * d operations.
template <class T>
std::vector<T> estimated_rises(const Transformer<T>& model, const Activations<T>& activations,
                               const Batch<T>& batch, int sequence, InputSide side);

// Of one input, which stands at `index` in its sequence; `loss` is that of the batch as it is.
// Costs one forward pass, which is written into `activations`: give it some of its own.
template <class T>
T measured_rise(const Transformer<T>& model, const Batch<T>& batch, int sequence, InputSide side,
                int index, T loss, Activations<T>& activations);

}  // namespace tp
