#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "engine/model/batch.h"
#include "engine/model/config.h"
#include "engine/model/decoder.h"
#include "engine/model/encoder.h"
#include "engine/model/head.h"
#include "engine/model/input.h"
#include "engine/model/parameters.h"

// The whole model, in one of three shapes:
//
//   encoder-decoder   source -> Input -> Encoder -> memory
//                     target -> Input -> Decoder(memory) -> Head
//   encoder-only      source -> Input -> Encoder -> Head
//   decoder-only      target -> Input -> causal Encoder stack -> Head

namespace tp {

// Everything a forward and backward pass computes, by name. Backward reads it, and so does whoever
// wants to look. The model's configuration decides which parts are in use.
template <class T>
struct Activations {
  typename Input<T>::Cache source, target;
  typename Encoder<T>::Cache encoder;
  typename Decoder<T>::Cache decoder;        // beside an encoder
  typename Encoder<T>::Cache decoder_alone;  // decoder-only
  typename Head<T>::Cache head;
  Matrix<T> d_memory;  // of the encoder's output: the sum over the decoder's layers

  Arena arena;
  BatchLimits limits;
  GradientMemory gradient_memory = GradientMemory::shared;

  T loss() const { return head.loss; }
  ConstMatrix<T> logits() const { return head.logits; }
};

template <class T>
class Transformer {
 public:
  // Refuses a configuration that cannot work, or that would take more than `memory_limit` bytes.
  // The parameters start as seed 0 has them.
  static Result<std::unique_ptr<Transformer>> create(
      const ModelConfig& config, const Kernels<T>& kernels = fast_kernels<T>(),
      std::size_t memory_limit = kDefaultMemoryLimit);

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

  // The passes in stages, for whoever has other things to do in between: what is embedded, one
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

  const std::optional<Input<T>>& source() const { return source_; }
  const std::optional<Input<T>>& target() const { return target_; }
  const Encoder<T>& encoder() const { return encoder_; }
  const Decoder<T>& decoder() const { return decoder_; }
  const Encoder<T>& decoder_alone() const { return decoder_alone_; }
  const Head<T>& head() const { return *head_; }

 private:
  template <class U>
  friend std::uint64_t activation_bytes(const ModelConfig& config, const BatchLimits& limits,
                                        GradientMemory gradient_memory);

  Transformer(const ModelConfig& config, const Kernels<T>& kernels, bool with_numbers);
  // Lay out the buffers of a pass.
  void prepare(const SequenceLayout& source, const SequenceLayout& target, const DropoutRun& run,
               Activations<T>& activations) const;
  void prepare_source(const SequenceLayout& source, const DropoutRun& run,
                      Activations<T>& activations) const;
  void prepare_target(const SequenceLayout& source, const SequenceLayout& target,
                      const DropoutRun& run, Activations<T>& activations) const;
  void embed_source(const Batch<T>& batch, const DropoutRun& run,
                    Activations<T>& activations) const;
  int encoder_stages() const { return static_cast<int>(encoder_.layers().size()); }
  int decoder_stages() const {
    return static_cast<int>(decoder_.layers().size() + decoder_alone_.layers().size());
  }

  ModelConfig config_;
  const Kernels<T>& kernels_;
  ParameterStore<T> parameters_;
  std::unique_ptr<Rotary<T>> rotary_;
  std::optional<Input<T>> source_, target_;
  Encoder<T> encoder_;
  Decoder<T> decoder_;
  Encoder<T> decoder_alone_;
  std::optional<Head<T>> head_;
};

// What create() takes: parameters with gradients and moments, and tables of positions.
template <class T>
std::uint64_t model_bytes(const ModelConfig& config);

// What make_activations would take, of a valid configuration, without making the model.
template <class T>
std::uint64_t activation_bytes(const ModelConfig& config, const BatchLimits& limits,
                               GradientMemory gradient_memory);

}  // namespace tp
