#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "engine/model/batch.h"
#include "engine/model/config.h"
#include "engine/model/head.h"
#include "engine/model/input.h"
#include "engine/model/parameters.h"
#include "engine/model/stack.h"

// The whole model: a side for what is read and one for what is written, either or both, and a head
// on the last one.
//
//   encoder-decoder   source -> Input -> Stack -> memory
//                     target -> Input -> causal Stack(memory) -> Head
//   encoder-only      source -> Input -> Stack -> Head
//   decoder-only      target -> Input -> causal Stack -> Head

namespace tp {

template <class T>
struct Side {
  struct Cache {
    typename Input<T>::Cache input;
    typename Stack<T>::Cache stack;
  };

  Input<T> input;
  Stack<T> stack;
};

// Everything a forward and backward pass computes, by name. Backward reads it, and so does what
// looks at a pass. The model's configuration decides which sides are in use.
template <class T>
struct Activations {
  typename Side<T>::Cache source, target;
  typename Head<T>::Cache head;
  Matrix<T> d_memory;  // of the source's output: the sum over the target's layers

  Arena arena;
  BatchLimits limits;
  GradientMemory gradient_memory = GradientMemory::shared;

  T loss() const { return head.loss; }
  ConstMatrix<T> logits() const { return head.logits; }
};

// The layers of a model. Making them declares their parameters.
template <class T>
struct Layers {
  explicit Layers(LayerBuilder<T>& builder);

  std::optional<Side<T>> source, target;
  Head<T> head;
};

// Tokens of one sequence, of both sides.
struct Lengths {
  int source = 0, target = 0;
};

template <class T>
class Transformer {
 public:
  // Refuses a configuration that cannot work, or that would take more than `memory_limit` bytes.
  // The parameters start as seed 0 has them.
  static Result<std::unique_ptr<Transformer>> create(
      const ModelConfig& config, const Kernels<T>& kernels = fast_kernels<T>(),
      std::size_t memory_limit = kDefaultMemoryLimit);

  // A model without numbers, to measure with: of a valid configuration.
  static std::unique_ptr<Transformer> without_numbers(const ModelConfig& config);

  Transformer(const Transformer&) = delete;
  Transformer& operator=(const Transformer&) = delete;

  const ModelConfig& config() const { return config_; }
  const Kernels<T>& kernels() const { return kernels_; }
  ParameterStore<T>& parameters() { return parameters_; }
  const ParameterStore<T>& parameters() const { return parameters_; }

  // Buffers for batches up to `limits`, made once; passes allocate nothing after that.
  Result<std::unique_ptr<Activations<T>>> make_activations(
      const BatchLimits& limits, GradientMemory gradient_memory = GradientMemory::shared,
      std::size_t memory_limit = kDefaultMemoryLimit) const;
  // The bytes that make_activations would take.
  std::size_t activation_bytes(const BatchLimits& limits, GradientMemory gradient_memory) const;

  // The encoder alone: returns its output [source tokens, d]. Targets in the batch are not looked
  // at.
  ConstMatrix<T> encode(const Batch<T>& batch, const DropoutRun& run,
                        Activations<T>& activations) const;
  // Fills `activations` up to the logits. The batch must stay until backward is done.
  void forward(const Batch<T>& batch, const DropoutRun& run, Activations<T>& activations) const;
  // The loss against the batch's answers, after forward.
  T loss(const Batch<T>& batch, Activations<T>& activations) const;
  // After loss: adds loss_scale * d loss / d parameter to the gradients.
  void backward(Activations<T>& activations, T loss_scale = T(1));

  // Names each tensor that a pass over `batch` left in `activations`, for the sequence that the
  // visitor looks at.
  void describe(PassVisitor<T>& visitor, const Activations<T>& activations,
                const Batch<T>& batch) const;

  // In the products of a forward pass of one sequence.
  double operations(const Lengths& lengths, Cells cells = Cells::computed) const;

  // The passes in stages, with room for other things in between: what is embedded, one
  // layer of a stack each, the head. forward and backward run all of them, in order.
  int stages() const { return encoder_stages() + decoder_stages() + 2; }
  void forward_stage(int stage, const Batch<T>& batch, const DropoutRun& run,
                     Activations<T>& activations) const;
  void backward_stage(int stage, Activations<T>& activations, T loss_scale);
  // Of encode: what is embedded, and one layer each.
  int encode_stages() const { return 1 + encoder_stages(); }
  void encode_stage(int stage, const Batch<T>& batch, const DropoutRun& run,
                    Activations<T>& activations) const;

  // May change between steps. Activations made while there was no dropout have no room for masks.
  void set_regularisation(double dropout, double label_smoothing);

  // What a training step is run with.
  DropoutRun training_run(std::uint64_t seed, std::uint64_t step) const {
    return {config_.dropout, seed, step};
  }

  const std::optional<Side<T>>& source() const { return layers_.source; }
  const std::optional<Side<T>>& target() const { return layers_.target; }
  const Head<T>& head() const { return layers_.head; }

 private:
  Transformer(const ModelConfig& config, const Kernels<T>& kernels, bool with_numbers);
  // Lay out the buffers of a pass.
  void prepare(const SequenceLayout& source, const SequenceLayout& target, const DropoutRun& run,
               Activations<T>& activations) const;
  void prepare_side(const Side<T>& side, const SequenceLayout& layout,
                    const SequenceLayout* memory_layout, const DropoutRun& run,
                    typename Side<T>::Cache& cache, Activations<T>& activations) const;
  void embed_source(const Batch<T>& batch, const DropoutRun& run,
                    Activations<T>& activations) const;
  int encoder_stages() const { return source() ? source()->stack.depth() : 0; }
  int decoder_stages() const { return target() ? target()->stack.depth() : 0; }

  ModelConfig config_;
  const Kernels<T>& kernels_;
  ParameterStore<T> parameters_;
  Layers<T> layers_;
};

// Every parameter of a valid configuration, in the order of the store.
ParameterList list_parameters(const ModelConfig& config);

// How many numbers that is, without making them.
std::uint64_t count_parameters(const ModelConfig& config);

// What create() takes: parameters with gradients and moments, and tables of positions.
template <class T>
std::uint64_t model_bytes(const ModelConfig& config);

// What make_activations would take, of a valid configuration, without making the model.
template <class T>
std::uint64_t activation_bytes(const ModelConfig& config, const BatchLimits& limits,
                               GradientMemory gradient_memory);

}  // namespace tp
