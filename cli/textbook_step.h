#pragma once

#include "engine/train/trainer.h"

namespace tp::cli {

// Says what the textbook does not have.
Status textbook_can_train(const TrainConfig& config);

// A step of `trainer`, of the same examples, that the textbook computes: forward, backward,
// clipping and update. Values, gradients and moments then stand in the trainer's store.
Result<StepMetrics> textbook_step(Trainer& trainer);

}  // namespace tp::cli
