#pragma once

#include <string>

#include "engine/model/transformer.h"

// When a loss or a gradient is not a finite number: where it began.

namespace tp {

// The path (see trace.h) of the first tensor, in the order of the forward pass over `batch`, that
// holds a number which is not finite; parameters, by name, before what is computed from them. Empty
// when there is none. Tensors that the pass wrote over cannot be looked at: then it is the next one
// that was made from it.
std::string first_bad_activation(const Transformer<float>& model,
                                 const Activations<float>& activations, const Batch<float>& batch);

// The same for gradients of parameters, in the order in which backward reaches them.
std::string first_bad_gradient(const Transformer<float>& model);

}  // namespace tp
