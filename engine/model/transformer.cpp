#include "engine/model/transformer.h"

#include <algorithm>
#include <string>

#include "engine/core/number_text.h"

namespace tp {

template <class T>
std::uint64_t model_bytes(const ModelConfig& c) {
  const auto source = static_cast<std::uint64_t>(c.has_encoder() ? c.max_source_length : 0);
  const auto target = static_cast<std::uint64_t>(c.has_decoder() ? c.max_target_length : 0);
  std::uint64_t table = 0;
  if (c.positions == PositionKind::sinusoidal) {
    table = (source + target) * static_cast<std::uint64_t>(c.d_model);
  } else if (c.positions == PositionKind::rotary) {
    table = std::max(source, target) * static_cast<std::uint64_t>(c.d_head());
  }
  return sizeof(T) * (4 * count_parameters(c) + table);
}

template <class T>
Result<std::unique_ptr<Transformer<T>>> Transformer<T>::create(const ModelConfig& config,
                                                               const Kernels<T>& kernels,
                                                               std::size_t memory_limit) {
  if (Status status = validate(config); !status) return status.error();
  const std::uint64_t bytes = model_bytes<T>(config);
  if (bytes > memory_limit) {
    return Error{"the model would take " + megabytes_text(bytes) + ", more than the limit of " +
                     megabytes_text(memory_limit) +
                     ": lower d_model, d_ff, the layers, the vocabulary or the longest sequence.",
                 "모델에 필요한 메모리: " + megabytes_text(bytes) +
                     ", 한도: " + megabytes_text(memory_limit) +
                     ". d_model, d_ff, 레이어 수, 최대 길이 중 하나를 줄여 주십시오."};
  }
  std::unique_ptr<Transformer> model(new Transformer(config, kernels, true));
  model->parameters_.initialise(0);
  return model;
}

template <class T>
Transformer<T>::Transformer(const ModelConfig& config, const Kernels<T>& kernels, bool with_numbers)
    : config_(config), kernels_(kernels), parameters_(list_parameters(config), with_numbers) {
  if (config.positions == PositionKind::rotary) {
    const int longest = std::max(config.has_encoder() ? config.max_source_length : 0,
                                 config.has_decoder() ? config.max_target_length : 0);
    rotary_ = std::make_unique<Rotary<T>>(kernels, longest, config.d_head(), config.position_base);
  }
  LayerBuilder<T> builder(config_, kernels, parameters_, rotary_.get());
  if (config.has_encoder()) {
    source_.emplace(builder, "src", config.input, config.max_source_length);
    encoder_ = Encoder<T>(builder, "encoder", config.encoder_layers, false);
  }
  if (config.has_decoder()) {
    target_.emplace(builder, "tgt", InputKind::tokens, config.max_target_length);
    if (config.has_encoder()) {
      decoder_ = Decoder<T>(builder, "decoder", config.decoder_layers);
    } else {
      decoder_alone_ = Encoder<T>(builder, "decoder", config.decoder_layers, true);
    }
  }
  head_.emplace(builder);
}

// ---------------------------------------------------------------------------------------- buffers

template <class T>
void Transformer<T>::prepare(const SequenceLayout& source, const SequenceLayout& target,
                             const DropoutRun& run, Activations<T>& a) const {
  a.arena.rewind();
  if (source_) prepare_source(source, run, a);
  if (target_) prepare_target(source, target, run, a);
  const SequenceLayout& last = target_ ? target : source;
  head_->prepare(a.arena, last, a.head);
  head_->prepare_gradients(a.arena, last, a.head);
}

template <class T>
void Transformer<T>::prepare_source(const SequenceLayout& source, const DropoutRun& run,
                                    Activations<T>& a) const {
  source_->prepare(a.arena, source, run, a.source);
  source_->prepare_gradients(a.arena, source.tokens(), a.source);
  encoder_.prepare(a.arena, run, a.gradient_memory, a.encoder, source);
  encoder_.prepare_gradients(a.arena, a.gradient_memory, a.encoder);
}

template <class T>
void Transformer<T>::prepare_target(const SequenceLayout& source, const SequenceLayout& target,
                                    const DropoutRun& run, Activations<T>& a) const {
  target_->prepare(a.arena, target, run, a.target);
  target_->prepare_gradients(a.arena, target.tokens(), a.target);
  if (source_) {
    a.d_memory = a.arena.template matrix<T>(source.tokens(), config_.d_model);
    decoder_.prepare(a.arena, run, a.gradient_memory, a.decoder, target, source);
    decoder_.prepare_gradients(a.arena, a.gradient_memory, a.decoder);
  } else {
    decoder_alone_.prepare(a.arena, run, a.gradient_memory, a.decoder_alone, target);
    decoder_alone_.prepare_gradients(a.arena, a.gradient_memory, a.decoder_alone);
  }
}

template <class T>
std::size_t Transformer<T>::activation_bytes(const BatchLimits& limits,
                                             GradientMemory gradient_memory) const {
  SequenceLayout source, target;
  source.assign_equal(limits.sequences, limits.source_length);
  target.assign_equal(limits.sequences, limits.target_length);
  Activations<T> measured;  // its arena has no memory and counts
  measured.gradient_memory = gradient_memory;
  prepare(source, target, training_run(0, 0), measured);
  return measured.arena.peak();
}

template <class T>
std::uint64_t activation_bytes(const ModelConfig& config, const BatchLimits& limits,
                               GradientMemory gradient_memory) {
  const Transformer<T> measured(config, fast_kernels<T>(), false);
  return measured.activation_bytes(limits, gradient_memory);
}

template <class T>
Result<std::unique_ptr<Activations<T>>> Transformer<T>::make_activations(
    const BatchLimits& limits, GradientMemory gradient_memory, std::size_t memory_limit) const {
  if (Status status = validate(config_, limits); !status) return status.error();
  const std::size_t bytes = activation_bytes(limits, gradient_memory);
  if (bytes > memory_limit) {
    return Error{
        "a batch of " + std::to_string(limits.sequences) + " sequences would take " +
            megabytes_text(bytes) + ", more than the limit of " + megabytes_text(memory_limit) +
            ": make the batch smaller or the sequences shorter.",
        "배치에 필요한 메모리: " + megabytes_text(bytes) +
            ", 한도: " + megabytes_text(memory_limit) + ". 배치나 최대 길이를 줄여 주십시오."};
  }
  auto activations = std::make_unique<Activations<T>>();
  activations->arena = Arena(bytes);
  activations->limits = limits;
  activations->gradient_memory = gradient_memory;
  activations->encoder.layers.resize(encoder_.layers().size());
  activations->decoder.layers.resize(decoder_.layers().size());
  activations->decoder_alone.layers.resize(decoder_alone_.layers().size());
  return activations;
}

// ------------------------------------------------------------------------------------- the passes

template <class T>
void Transformer<T>::embed_source(const Batch<T>& batch, const DropoutRun& run,
                                  Activations<T>& a) const {
  if (config_.input == InputKind::patches) {
    const ConstMatrix<T> patches(batch.source_patches.data(), batch.source_layout.tokens(),
                                 config_.patch_size);
    source_->forward_patches(patches, batch.source_layout, run, a.source);
  } else {
    source_->forward_tokens(batch.source_ids, batch.source_layout, run, a.source);
  }
  encoder_.begin_forward(run, a.encoder, a.source.output);
}

template <class T>
ConstMatrix<T> Transformer<T>::encode(const Batch<T>& batch, const DropoutRun& run,
                                      Activations<T>& a) const {
  for (int stage = 0; stage < encode_stages(); ++stage) encode_stage(stage, batch, run, a);
  return a.encoder.output;
}

template <class T>
void Transformer<T>::encode_stage(int stage, const Batch<T>& batch, const DropoutRun& run,
                                  Activations<T>& a) const {
  TP_CHECK(source_.has_value(), "this model has no encoder");
  if (stage > 0) return encoder_.forward_layer(stage - 1, a.encoder);
  a.arena.rewind();
  prepare_source(batch.source_layout, run, a);
  embed_source(batch, run, a);
}

template <class T>
void Transformer<T>::forward(const Batch<T>& batch, const DropoutRun& run,
                             Activations<T>& a) const {
  for (int stage = 0; stage < stages(); ++stage) forward_stage(stage, batch, run, a);
}

template <class T>
void Transformer<T>::forward_stage(int stage, const Batch<T>& batch, const DropoutRun& run,
                                   Activations<T>& a) const {
  const int encoder_layer = stage - 1, decoder_layer = encoder_layer - encoder_stages();
  if (stage == 0) {
    prepare(batch.source_layout, batch.target_layout, run, a);
    if (source_) embed_source(batch, run, a);
    if (target_) target_->forward_tokens(batch.target_ids, batch.target_layout, run, a.target);
  } else if (encoder_layer < encoder_stages()) {
    encoder_.forward_layer(encoder_layer, a.encoder);
  } else if (decoder_layer < decoder_stages() && source_) {
    if (decoder_layer == 0) {
      decoder_.begin_forward(run, a.decoder, a.target.output, a.encoder.output);
    }
    decoder_.forward_layer(decoder_layer, a.decoder);
  } else if (decoder_layer < decoder_stages()) {
    if (decoder_layer == 0) decoder_alone_.begin_forward(run, a.decoder_alone, a.target.output);
    decoder_alone_.forward_layer(decoder_layer, a.decoder_alone);
  } else {
    const ConstMatrix<T> last = !target_   ? a.encoder.output
                                : !source_ ? a.decoder_alone.output
                                           : a.decoder.output;
    head_->forward(last, batch.head_layout(config_), a.head);
  }
}

template <class T>
T Transformer<T>::loss(const Batch<T>& batch, Activations<T>& a) const {
  head_->measure(batch, a.head);
  return a.head.loss;
}

template <class T>
void Transformer<T>::backward(Activations<T>& a, T loss_scale) {
  for (int stage = 0; stage < stages(); ++stage) backward_stage(stage, a, loss_scale);
}

// The stages of the forward pass, the last one first; what was embedded comes at the end.
template <class T>
void Transformer<T>::backward_stage(int stage, Activations<T>& a, T loss_scale) {
  const auto finish = [](const Input<T>& input, typename Input<T>::Cache& cache,
                         ConstMatrix<T> d_output) {
    std::copy(d_output.flat().begin(), d_output.flat().end(), cache.d_output.flat().begin());
    input.backward(cache);
  };
  const int decoder_layer = decoder_stages() - stage;
  const int encoder_layer = decoder_layer + encoder_stages();
  const ConstMatrix<T> d_last = a.head.d_input;
  if (stage == 0) {
    head_->backward(a.head, loss_scale);
    if (source_ && target_) {
      const std::span<T> d_memory = a.d_memory.flat();
      std::fill(d_memory.begin(), d_memory.end(), T(0));
    }
  } else if (decoder_layer >= 0 && target_ && source_) {
    decoder_.backward_layer(decoder_layer, a.decoder, d_last, a.d_memory);
  } else if (decoder_layer >= 0 && target_) {
    decoder_alone_.backward_layer(decoder_layer, a.decoder_alone, d_last);
  } else if (encoder_layer >= 0) {
    encoder_.backward_layer(encoder_layer, a.encoder,
                            target_ ? ConstMatrix<T>(a.d_memory) : d_last);
  } else {
    if (source_ && target_) {
      finish(*target_, a.target, a.decoder.layers.front().d_input);
    } else if (target_) {
      finish(*target_, a.target, a.decoder_alone.layers.front().d_input);
    }
    if (source_) finish(*source_, a.source, a.encoder.layers.front().d_input);
  }
}

template <class T>
void Transformer<T>::set_regularisation(double dropout, double label_smoothing) {
  config_.dropout = dropout;
  config_.label_smoothing = label_smoothing;
  head_->set_label_smoothing(label_smoothing);
}

template std::uint64_t model_bytes<float>(const ModelConfig&);
template std::uint64_t model_bytes<double>(const ModelConfig&);
template std::uint64_t activation_bytes<float>(const ModelConfig&, const BatchLimits&,
                                               GradientMemory);
template class Transformer<float>;
template class Transformer<double>;

}  // namespace tp
