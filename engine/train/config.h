#pragma once

#include <cstdint>

#include "engine/core/property.h"
#include "engine/core/result.h"
#include "engine/kernels/kernels.h"
#include "engine/train/optimiser.h"
#include "engine/train/schedule.h"

// Everything that decides how a model is trained. Together with the task and the model's
// configuration it decides every bit of the result.

namespace tp {

// What numbers are kept in while they pass through the model (see precision.h).
enum class Precision { fp32, bf16, fp16 };

struct TrainConfig {
  int seed = 1;  // of the parameters, the examples and dropout
  int steps = 1500;
  int batch = 64;        // sequences
  int accumulation = 1;  // batches whose gradients make one step

  double learning_rate = 2e-3;  // the greatest; 0 with the inverse square root: the paper's
  ScheduleKind schedule = ScheduleKind::cosine;
  int warmup = 100;
  double layer_rate_decay = 1;  // the rate of a layer, as a share of that of the layer above

  OptimiserKind optimiser = OptimiserKind::adam;
  double beta1 = 0.9;
  double beta2 = 0.98;
  double epsilon = 1e-9;
  double weight_decay = 0;
  double clip = 1;  // greatest norm of the gradient; 0: no clipping

  double dropout = 0;
  double label_smoothing = 0;

  Arithmetic arithmetic = Arithmetic::exact;  // fused: faster, where the machine can (kernels.h)
  Precision precision = Precision::fp32;
  bool loss_scaling = true;       // of fp16
  bool recompute_layers = false;  // gradient checkpointing: less memory, more time, the same bits

  int train_size = 0;  // examples to train on, again and again; 0: always new ones
  int epochs = 0;      // passes through train_size examples, instead of `steps`; 0: `steps` counts
  int eval_every = 50;
  int eval_size = 200;

  bool operator==(const TrainConfig&) const = default;

  // Of the whole run.
  int total_steps() const;
  Schedule schedule_for(int d_model) const;
  OptimiserOptions optimiser_options() const { return {beta1, beta2, epsilon}; }
};

Properties properties_of(TrainConfig& config);
ConstProperties properties_of(const TrainConfig& config);

// Says what to change when settings contradict each other.
Status validate(const TrainConfig& config);

// What may not change while a run goes on, because buffers or the stream of examples depend on it.
// Null, or the name of the first such difference.
const char* fixed_difference(const TrainConfig& from, const TrainConfig& to);

}  // namespace tp
