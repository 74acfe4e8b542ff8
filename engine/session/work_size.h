#pragma once

#include "engine/model/transformer.h"
#include "engine/train/config.h"

// How much arithmetic a configuration is: nothing but products is counted (see Linear).

namespace tp {

// The whole of a training pass of `sequences` sequences of these lengths. A forward pass is
// Transformer::operations of each.
double training_operations(const Transformer<float>& model, const TrainConfig& train,
                           const Lengths& lengths, double sequences);

// The most operations that a session does in one piece, without a look at its inbox: a tenth of a
// second where arithmetic is slow.
inline constexpr double kLargestPiece = 1.0e9;

// The largest piece that a run of this configuration has.
struct LargestPiece {
  double operations = 0;
  const char* name = "";  // of what
  bool grows_with_batch = true;
};
LargestPiece largest_piece(const ModelConfig& config, const TrainConfig& train);

// Refuses, with what to change, a configuration whose largest piece is larger than that.
Status check_work(const ModelConfig& config, const TrainConfig& train);

}  // namespace tp
