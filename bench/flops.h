#pragma once

#include "engine/model/transformer.h"

namespace tp::bench {

// Multiplications and additions in the matrix products of one training step on `batch`: forward
// once, backward twice. Causal attention counts in full, as it does everywhere.
double step_flops(const Transformer<float>& model, const Batch<float>& batch);

}  // namespace tp::bench
