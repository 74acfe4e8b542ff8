#pragma once

#include "engine/model/config.h"
#include "engine/train/config.h"

// How much arithmetic a configuration is. A product of [n, k] and [k, m] is 2 n k m operations;
// nothing but products is counted.

namespace tp {

// Tokens of one sequence, of both sides.
struct Lengths {
  int source = 0, target = 0;
};

// A forward pass of `sequences` sequences of these lengths, and the whole of a training pass.
double forward_operations(const ModelConfig& config, const Lengths& lengths, double sequences);
double training_operations(const ModelConfig& config, const TrainConfig& train,
                           const Lengths& lengths, double sequences);

}  // namespace tp
