#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/model/transformer.h"
#include "engine/tasks/task.h"
#include "engine/train/batch_maker.h"
#include "engine/train/config.h"
#include "engine/train/evaluation.h"
#include "engine/train/example_order.h"
#include "engine/train/optimiser.h"
#include "engine/train/parameter_layers.h"
#include "engine/train/precision.h"

// A model, a task and a recipe:
//
//   step = examples by number -> batch -> forward -> loss -> backward -> clip -> update
//
// Everything a step computes is a pure function of the configuration, the parameters with their
// moments, and TrainerState.

namespace tp {

struct StepMetrics {
  std::uint64_t step = 0;  // counts from 1
  double loss = 0;
  std::optional<double> perplexity;      // exp(loss), of a cross-entropy
  std::optional<double> token_accuracy;  // or of classes; not for regression
  double learning_rate = 0;
  double gradient_norm = 0;  // before clipping
  bool clipped = false;
  int tokens = 0;  // that the model read
  // Length of the update over length of the weights, by layer: see Trainer::layers(). Stays until
  // the next step.
  std::span<const double> update_ratios;

  // Mixed precision.
  double loss_scale = 1;
  bool skipped = false;  // the gradient overflowed, and nothing was updated
  std::uint64_t underflows = 0, overflows = 0;
};

// All there is to save besides parameters and moments.
struct TrainerState {
  std::uint64_t steps = 0;            // done
  std::uint64_t optimiser_steps = 0;  // those that updated
  std::uint64_t examples = 0;         // drawn: where the data continues
  LossScale::State loss_scale;
  bool operator==(const TrainerState&) const = default;
};

// Everybody sits the same exam: held-out examples are those of this seed.
inline constexpr std::uint64_t kExamSeed = 0;

class Trainer {
 public:
  // fast_kernels_for or reference_kernels_for.
  using KernelSet = const Kernels<float>& (*)(Precision, Arithmetic);

  // What follows from the task in `model` is filled in (see fit_to_task).
  static Result<std::unique_ptr<Trainer>> create(std::shared_ptr<const Task> task,
                                                 const ModelConfig& model, const TrainConfig& train,
                                                 KernelSet kernels = fast_kernels_for,
                                                 std::size_t memory_limit = kDefaultMemoryLimit);

  // One step. An error, which names the first tensor that is not finite, leaves parameters and
  // state as they were before the step.
  Result<StepMetrics> step();

  // The same in pieces, of which one is at most one layer of the model, for a caller that must
  // check its inbox in between: begin_step(), advance_step() until it answers true, and then
  // metrics() are of that step.
  void begin_step();
  Result<bool> advance_step();
  const StepMetrics& metrics() const { return metrics_; }
  bool step_begun() const { return phase_ != Phase::none; }
  // From here on the parameters change, and the step must be brought to its end.
  bool updating() const { return phase_ == Phase::update; }
  // As if the step had never begun. Not while updating.
  void abandon_step();
  // A step that was computed elsewhere: its parameters and moments stand in the store already,
  // where `before` stood.
  void adopt_step(const StepMetrics& metrics, const TrainerState& state,
                  std::span<const float> before);

  // On eval_size held-out examples. Overwrites the activations.
  Evaluation evaluate();
  // The same in pieces. Between two of them there must be no step, and no change of the weights.
  std::unique_ptr<Exam> begin_exam();
  // While this lives, the weights are as the model works with them; see RoundedWeights.
  RoundedWeights working_weights();
  bool finished() const { return state_.steps >= static_cast<std::uint64_t>(total_steps()); }
  int total_steps() const { return config_.total_steps(); }

  // Changes hyper-parameters between steps, or says which one cannot be changed.
  Status reconfigure(const TrainConfig& config);

  const TrainConfig& config() const { return config_; }
  const Task& task() const { return *task_; }
  Transformer<float>& model() { return *model_; }
  const Transformer<float>& model() const { return *model_; }
  const Activations<float>& activations() const { return *activations_; }
  const Batch<float>& batch() const { return batches_.packed(); }
  const std::vector<ParameterLayer>& layers() const { return layers_; }
  // Which pass through a finite training set this is, from 0.
  std::uint64_t epoch() const { return order_.epoch(state_.examples); }

  TrainerState state() const;
  void restore(const TrainerState& state);
  // All parameters, never rounded, whatever a step is doing. Not while updating.
  std::span<const float> values() const;
  // Of all parameters: equal for runs that agree bit for bit.
  std::uint64_t weights_hash() const;

 private:
  Trainer(std::shared_ptr<const Task> task, std::unique_ptr<Transformer<float>> model,
          std::unique_ptr<Activations<float>> activations, const TrainConfig& config,
          const Kernels<float>& kernels, std::size_t memory_limit);

  // What the batches of one step add up to.
  struct Sums {
    double loss = 0;    // weighted by `weight`
    double weight = 0;  // answers that count
    long right = 0;     // of these
    int tokens = 0;
    std::uint64_t examples = 0;
  };

  // Where a step is: it draws a batch, passes it through the model and back, for as many batches as
  // it has; then it has a gradient, and updates layer by layer.
  enum class Phase { none, draw, forward, backward, gradient, update };

  const Batch<float>& draw_batch(std::uint64_t first_example);
  Status forward_piece();
  void backward_piece();
  Status gradient_piece();
  void update_piece();

  // Of some weights before an update, and of how far it moved them.
  struct Squares {
    double values = 0, moves = 0;
  };
  Squares update_run(const ParameterRun& run, double rate);
  void add_batch(const Batch<float>& batch);
  Error not_finite(const char* what, const std::string& tensor) const;

  std::shared_ptr<const Task> task_;
  std::unique_ptr<Transformer<float>> model_;
  std::unique_ptr<Activations<float>> activations_;
  TrainConfig config_;
  const Kernels<float>* kernels_;  // of the optimiser: never rounded
  std::size_t memory_limit_;
  std::unique_ptr<Optimiser<float>> optimiser_;
  std::vector<ParameterLayer> layers_;
  BatchMaker batches_;
  ExampleOrder order_;
  LossScale loss_scale_;
  TrainerState state_;

  Phase phase_ = Phase::none;
  int stage_ = 0;  // of the pass, or the layer to update
  int batch_ = 0;  // of the step's
  Sums sums_;
  StepMetrics metrics_;
  RoundingCounts counts_before_;
  std::optional<RoundedWeights> rounded_;  // through forward and backward

  Example example_;
  std::vector<float> masters_;                 // see RoundedWeights; empty in fp32
  static constexpr std::size_t kBlock = 4096;  // weights that are updated together
  std::vector<Squares> block_squares_;
  std::vector<double> update_ratios_;
};

}  // namespace tp
