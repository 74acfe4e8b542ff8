#include "engine/model/transformer.h"

#include <algorithm>
#include <string>

#include "engine/core/number_text.h"

namespace tp {
namespace {

std::uint64_t count_numbers(const ParameterList& list) {
  std::uint64_t total = 0;
  for (const ParameterSpec& spec : list.specs) {
    std::uint64_t count = 1;
    for (int size : spec.shape) count *= static_cast<std::uint64_t>(size);
    total += count;
  }
  return total;
}

// Makes the layers of a configuration for what they declare.
template <class T>
LayerBuilder<T> declared(const ModelConfig& config) {
  LayerBuilder<T> builder(config, fast_kernels<T>());
  const Layers<T> layers(builder);
  return builder;
}

template <class T>
Layers<T> bound(const ModelConfig& config, const Kernels<T>& kernels, ParameterStore<T>& store) {
  LayerBuilder<T> builder(config, kernels, &store);
  return Layers<T>(builder);
}

template <class T>
std::optional<Side<T>> make_source(LayerBuilder<T>& builder) {
  const ModelConfig& c = builder.config;
  if (!c.has_encoder()) return std::nullopt;
  const int above = c.has_decoder() ? c.decoder_layers : 0;
  // In this order: places of dropout are numbered as the layers are made.
  Input<T> input(builder, "src", c.input, above + c.encoder_layers);
  return Side<T>{std::move(input), Stack<T>(builder, "encoder", c.encoder_layers, above, {})};
}

template <class T>
std::optional<Side<T>> make_target(LayerBuilder<T>& builder) {
  const ModelConfig& c = builder.config;
  if (!c.has_decoder()) return std::nullopt;
  const BlockKind kind{.causal = true, .reads_memory = c.has_encoder()};
  Input<T> input(builder, "tgt", InputKind::tokens, c.decoder_layers);
  return Side<T>{std::move(input), Stack<T>(builder, "decoder", c.decoder_layers, 0, kind)};
}

}  // namespace

template <class T>
Layers<T>::Layers(LayerBuilder<T>& builder)
    : source(make_source(builder)), target(make_target(builder)), head(builder) {}

ParameterList list_parameters(const ModelConfig& config) { return declared<float>(config).list(); }

std::uint64_t count_parameters(const ModelConfig& config) {
  return count_numbers(list_parameters(config));
}

template <class T>
std::uint64_t model_bytes(const ModelConfig& config) {
  const LayerBuilder<T> builder = declared<T>(config);
  return sizeof(T) * (4 * count_numbers(builder.list()) + builder.table_numbers());
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
    : config_(config),
      kernels_(kernels),
      parameters_(list_parameters(config), with_numbers),
      layers_(bound(config_, kernels, parameters_)) {}

template <class T>
std::unique_ptr<Transformer<T>> Transformer<T>::without_numbers(const ModelConfig& config) {
  return std::unique_ptr<Transformer>(new Transformer(config, fast_kernels<T>(), false));
}

// ---------------------------------------------------------------------------------------- buffers

template <class T>
void Transformer<T>::prepare(const SequenceLayout& source_layout,
                             const SequenceLayout& target_layout, const DropoutRun& run,
                             Activations<T>& a) const {
  a.arena.rewind();
  if (source()) prepare_side(*source(), source_layout, nullptr, run, a.source, a);
  if (target()) {
    prepare_side(*target(), target_layout, source() ? &source_layout : nullptr, run, a.target, a);
  }
  const SequenceLayout& last = target() ? target_layout : source_layout;
  head().prepare(a.arena, last, a.head);
  head().prepare_gradients(a.arena, last, a.head);
}

template <class T>
void Transformer<T>::prepare_side(const Side<T>& side, const SequenceLayout& layout,
                                  const SequenceLayout* memory_layout, const DropoutRun& run,
                                  typename Side<T>::Cache& cache, Activations<T>& a) const {
  side.input.prepare(a.arena, layout, run, cache.input);
  side.input.prepare_gradients(a.arena, layout.tokens(), cache.input);
  if (memory_layout != nullptr) {
    a.d_memory = a.arena.template matrix<T>(memory_layout->tokens(), config_.d_model);
  }
  side.stack.prepare(a.arena, run, a.gradient_memory, cache.stack, layout, memory_layout);
  side.stack.prepare_gradients(a.arena, a.gradient_memory, cache.stack);
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
  return Transformer<T>::without_numbers(config)->activation_bytes(limits, gradient_memory);
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
  activations->source.stack.layers.resize(static_cast<std::size_t>(encoder_stages()));
  activations->target.stack.layers.resize(static_cast<std::size_t>(decoder_stages()));
  return activations;
}

// ------------------------------------------------------------------------------------- the passes

template <class T>
void Transformer<T>::embed_source(const Batch<T>& batch, const DropoutRun& run,
                                  Activations<T>& a) const {
  const SequenceLayout& layout = batch.source_layout;
  if (config_.input == InputKind::patches) {
    const ConstMatrix<T> patches(batch.source_patches.data(), layout.tokens(), config_.patch_size);
    source()->input.forward_patches(patches, layout, run, a.source.input);
  } else {
    source()->input.forward_tokens(batch.source_ids, layout, run, a.source.input);
  }
  source()->stack.begin_forward(run, a.source.stack, a.source.input.output, {});
}

template <class T>
ConstMatrix<T> Transformer<T>::encode(const Batch<T>& batch, const DropoutRun& run,
                                      Activations<T>& a) const {
  for (int stage = 0; stage < encode_stages(); ++stage) encode_stage(stage, batch, run, a);
  return a.source.stack.output;
}

template <class T>
void Transformer<T>::encode_stage(int stage, const Batch<T>& batch, const DropoutRun& run,
                                  Activations<T>& a) const {
  TP_CHECK(source().has_value(), "this model has no encoder");
  if (stage > 0) return source()->stack.forward_layer(stage - 1, a.source.stack);
  a.arena.rewind();
  prepare_side(*source(), batch.source_layout, nullptr, run, a.source, a);
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
    if (source()) embed_source(batch, run, a);
    if (target()) {
      target()->input.forward_tokens(batch.target_ids, batch.target_layout, run, a.target.input);
    }
  } else if (encoder_layer < encoder_stages()) {
    source()->stack.forward_layer(encoder_layer, a.source.stack);
  } else if (decoder_layer < decoder_stages()) {
    if (decoder_layer == 0) {
      const ConstMatrix<T> memory = source() ? a.source.stack.output : ConstMatrix<T>();
      target()->stack.begin_forward(run, a.target.stack, a.target.input.output, memory);
    }
    target()->stack.forward_layer(decoder_layer, a.target.stack);
  } else {
    const auto& last = target() ? a.target : a.source;
    head().forward(last.stack.output, batch.head_layout(config_), a.head);
  }
}

template <class T>
T Transformer<T>::loss(const Batch<T>& batch, Activations<T>& a) const {
  head().measure(batch, a.head);
  return a.head.loss;
}

template <class T>
void Transformer<T>::backward(Activations<T>& a, T loss_scale) {
  for (int stage = 0; stage < stages(); ++stage) backward_stage(stage, a, loss_scale);
}

// The stages of the forward pass, the last one first; what was embedded comes at the end.
template <class T>
void Transformer<T>::backward_stage(int stage, Activations<T>& a, T loss_scale) {
  const auto finish = [](const Side<T>& side, typename Side<T>::Cache& cache) {
    const std::span<T> d_output = cache.stack.layers.front().d_input.flat();
    std::copy(d_output.begin(), d_output.end(), cache.input.d_output.flat().begin());
    side.input.backward(cache.input);
  };
  const int decoder_layer = decoder_stages() - stage;
  const int encoder_layer = decoder_layer + encoder_stages();
  const ConstMatrix<T> d_last = a.head.d_input;
  const Matrix<T> d_memory = source() && target() ? a.d_memory : Matrix<T>();
  if (stage == 0) {
    head().backward(a.head, loss_scale);
    std::ranges::fill(d_memory.flat(), T(0));
  } else if (decoder_layer >= 0 && target()) {
    target()->stack.backward_layer(decoder_layer, a.target.stack, d_last, d_memory);
  } else if (encoder_layer >= 0) {
    source()->stack.backward_layer(encoder_layer, a.source.stack,
                                   target() ? ConstMatrix<T>(d_memory) : d_last, {});
  } else {
    if (target()) finish(*target(), a.target);
    if (source()) finish(*source(), a.source);
  }
}

// ----------------------------------------------------------------------------------------- a look

template <class T>
void Transformer<T>::describe(PassVisitor<T>& visitor, const Activations<T>& a,
                              const Batch<T>& batch) const {
  using Scope = typename PassVisitor<T>::Scope;
  TensorId memory = kNoTensor, last = kNoTensor;
  const auto side = [&](const char* name, const Side<T>& layers,
                        const typename Side<T>::Cache& cache, ConstMatrix<T> d_output) {
    TensorId x = kNoTensor;
    {
      const Scope scope(visitor, name);
      x = layers.input.describe(visitor, cache.input);
    }
    return layers.stack.describe(visitor, cache.stack, x, memory, d_output);
  };
  if (source()) {
    visitor.walk_side(AxisKind::source_token, batch.source_layout);
    last = memory = side("source", *source(), a.source, target() ? a.d_memory : a.head.d_input);
  }
  if (target()) {
    visitor.walk_side(AxisKind::target_token, batch.target_layout);
    last = side("target", *target(), a.target, a.head.d_input);
  }
  const Scope scope(visitor, "head");
  head().describe(visitor, a.head, last, batch.head_layout(config_));
}

template <class T>
double Transformer<T>::operations(const Lengths& lengths, Cells cells) const {
  double sum = head().operations(target() ? lengths.target : lengths.source);
  if (source()) {
    sum += source()->input.operations(lengths.source) +
           source()->stack.operations(lengths.source, 0, cells);
  }
  if (target()) sum += target()->stack.operations(lengths.target, lengths.source, cells);
  return sum;
}

template <class T>
void Transformer<T>::set_regularisation(double dropout, double label_smoothing) {
  config_.dropout = dropout;
  config_.label_smoothing = label_smoothing;
  layers_.head.set_label_smoothing(label_smoothing);
}

template std::uint64_t model_bytes<float>(const ModelConfig&);
template std::uint64_t model_bytes<double>(const ModelConfig&);
template std::uint64_t activation_bytes<float>(const ModelConfig&, const BatchLimits&,
                                               GradientMemory);
template struct Layers<float>;
template struct Layers<double>;
template class Transformer<float>;
template class Transformer<double>;

}  // namespace tp
