#pragma once

#include <string>

#include "engine/model/transformer.h"

// When a loss or a gradient is not a finite number: where it began.

namespace tp {

bool all_finite(std::span<const float> values);

// The first tensor, in the order of the forward pass, that holds a number which is not finite:
// parameters before what is computed from them. Empty when there is none. Names are the paths of
// the trace.
std::string first_bad_activation(const Transformer<float>& model,
                                 const Activations<float>& activations);

// The same for gradients of parameters, in the order in which backward reaches them.
std::string first_bad_gradient(const Transformer<float>& model);

}  // namespace tp
