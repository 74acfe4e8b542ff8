#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/inspect/finite_difference.h"
#include "engine/inspect/trace.h"
#include "engine/session/command.h"
#include "engine/session/snapshot.h"
#include "engine/tasks/task.h"
#include "engine/train/batch_maker.h"
#include "engine/train/trainer.h"

// One example, with its answer, in front of the model: every tensor of a pass that is
// watched, and its gradient.
//
// A look is a forward pass, and a backward pass where a gradient is watched. Which tensors match is
// found once for an example and a watch list: passes of one example lay their buffers out alike, so
// that views into them stay good.

namespace tp {

class ExampleView {
 public:
  static Result<std::unique_ptr<ExampleView>> create(std::shared_ptr<const Task> task,
                                                     const Transformer<float>& model,
                                                     std::size_t memory_limit);

  // The held-out example of this number.
  void choose(int index);
  // A typed input, with the model's answer.
  void show_typed(Example example);
  bool shows_typed(const Example& example) const {
    return shown_.index == kTypedExample && example == example_;
  }
  const ShownExample& example() const { return shown_; }

  // Those of `paths` that are of the example `asked`: -1 is the one shown.
  void watch(const std::vector<WatchedPath>& paths, int asked, const ParameterStore<float>& store);
  // The watched tensors are to be found again: another configuration may lay buffers out otherwise.
  void find_again() { found_ = false; }
  // Whether what is watched takes a pass. Not known before the first one.
  bool needs_look() const { return !paths_.empty() && (!found_ || !tensors_.empty() || backward_); }

  // A look, a stage at a time or all that is left; true when it is whole. Weights must be as the
  // model works with them. The gradients in the model's store are as before afterwards.
  void begin_look() { stage_ = 0, fresh_ = false; }
  bool advance_look(Trainer& trainer, bool all_stages);
  // The tensors are of the weights as they are.
  bool fresh() const { return fresh_; }
  void weights_changed() { begin_look(); }

  // The next look has a backward pass, whatever is watched, and where a number of it came from can
  // be told once it is whole.
  void begin_explaining() { explains_ = true, begin_look(); }
  Result<Explanation> explained(const Transformer<float>& model, const Cell& cell);
  // And directly after that, to check it with.
  Result<std::unique_ptr<FiniteDifference>> difference(const Transformer<float>& model,
                                                       const Explanation& explanation,
                                                       std::size_t memory_limit) const;

  // After a whole look; parameters are those of the trainer now.
  std::vector<WatchedTensor> tensors(const Trainer& trainer) const;
  // The mean over heads of the last cross-attention, or self-attention where there is no other.
  Still still() const;

 private:
  ExampleView(std::shared_ptr<const Task> task, const Transformer<float>& model,
              std::unique_ptr<Activations<float>> activations);

  struct Watched {
    std::string path, operation;
    std::vector<std::string> inputs;
    Axis rows, columns;
    std::uint8_t wanted = 0;
    ConstMatrix<float> values;  // in the activations; of a parameter, none
    ConstMatrix<float> scores;  // of attention weights
    std::size_t offset = 0;     // of a parameter, in the store's blocks; of its gradient, in
                                // parameter_gradients_
    bool gradient = false;
  };

  void show(int index);
  void describe();
  std::uint8_t wanted(const std::string& path) const;
  void find_parameters(const ParameterStore<float>& store);
  void find_tensors(const Transformer<float>& model);
  ExplainedPass explained_pass(const Transformer<float>& model) const {
    return {model, *activations_, batches_.packed(), 0, gradients_, gradient_scale_};
  }
  void forward_stage(const Transformer<float>& model);
  void backward_stages(Trainer& trainer, int count);
  void keep_parameter_gradients(const ParameterStore<float>& store);
  WatchedTensor copied(const Watched& watched, ConstMatrix<float> values) const;
  void add_reading(const Watched& watched, std::span<const float> weights,
                   WatchedTensor& tensor) const;

  std::shared_ptr<const Task> task_;
  std::unique_ptr<Activations<float>> activations_;
  BatchMaker batches_;
  Example example_;
  ShownExample shown_;

  std::vector<WatchedPath> paths_;
  int asked_ = -1;
  bool found_ = false, backward_ = false;
  std::vector<Watched> tensors_, parameters_;
  std::vector<ConstMatrix<float>> still_heads_;

  int stage_ = 0;
  bool fresh_ = false, explains_ = false;
  float gradient_scale_ = 1;                // what the loss was multiplied by
  std::vector<float> gradients_;            // of all parameters, during the backward pass
  std::vector<float> parameter_gradients_;  // of those watched
};

}  // namespace tp
