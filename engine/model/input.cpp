#include "engine/model/input.h"

#include "engine/core/maths.h"
#include "engine/layers/positions.h"

namespace tp {

template <class T>
Input<T>::Input(LayerBuilder<T>& builder, const std::string& side, InputKind kind, int above)
    : kernels_(&builder.kernels),
      kind_(kind),
      positions_(builder.config.positions),
      d_model_(builder.config.d_model),
      patch_size_(builder.config.patch_size),
      dropout_(builder.dropout()) {
  using Part = typename LayerBuilder<T>::Part;
  const ModelConfig& config = builder.config;
  const bool source = side == "src";
  const int vocabulary = source ? config.source_vocabulary : config.target_vocabulary;
  const int max_length = source ? config.max_source_length : config.max_target_length;
  builder.enter(side + "_embed", above + 1, Part::input);
  if (kind == InputKind::tokens) {
    const T scale = config.scale_embedding ? maths::sqrt(T(d_model_)) : T(1);
    const Parameter<T> weight =
        source && config.tying == Tying::all
            ? builder.tied("weight", vocabulary, d_model_, "tgt_embed.weight")
            : builder.matrix("weight", vocabulary, d_model_, Initialisation::embedding);
    tokens_ = Embedding<T>(*kernels_, weight, scale);
  } else {
    patches_ = builder.linear("", d_model_, patch_size_);
  }
  if (positions_ == PositionKind::learned) {
    builder.enter(side + "_pos", above + 1, Part::input);
    const Parameter<T> weight =
        builder.parameter("weight", {max_length, d_model_}, Initialisation::embedding, false);
    learned_positions_ = Embedding<T>(*kernels_, weight, T(1));
  } else if (positions_ == PositionKind::sinusoidal) {
    sinusoidal_ = builder.table(max_length, d_model_);
    if (!sinusoidal_.empty()) {
      sinusoidal_positions(std::span(sinusoidal_), max_length, d_model_, config.position_base);
    }
  }
}

template <class T>
void Input<T>::prepare(Arena& arena, const SequenceLayout& layout, const DropoutRun& run,
                       Cache& cache) const {
  const int tokens = layout.tokens();
  const bool added = positions_ == PositionKind::learned || positions_ == PositionKind::sinusoidal;
  cache.position_ids = arena.array<int>(static_cast<std::size_t>(tokens));
  cache.embedded = arena.matrix<T>(tokens, d_model_);
  cache.positions = added ? arena.matrix<T>(tokens, d_model_) : Matrix<T>();
  cache.output = arena.matrix<T>(tokens, d_model_);
  dropout_.prepare(arena, cache.output.flat().size(), run, cache.dropout);
}

template <class T>
void Input<T>::prepare_gradients(Arena& arena, int tokens, Cache& cache) const {
  cache.d_output = arena.matrix<T>(tokens, d_model_);
  cache.d_embedded = arena.matrix<T>(tokens, d_model_);
  const bool patches = kind_ == InputKind::patches;
  cache.d_patches = patches ? arena.matrix<T>(tokens, patch_size_) : Matrix<T>();
}

template <class T>
void Input<T>::forward_tokens(std::span<const int> ids, const SequenceLayout& layout,
                              const DropoutRun& run, Cache& cache) const {
  tokens_.forward(ids, cache.embedded, cache.tokens);
  add_positions(layout, run, cache);
}

template <class T>
void Input<T>::forward_patches(ConstMatrix<T> patches, const SequenceLayout& layout,
                               const DropoutRun& run, Cache& cache) const {
  patches_.forward(patches, cache.embedded, cache.patches);
  add_positions(layout, run, cache);
}

template <class T>
void Input<T>::add_positions(const SequenceLayout& layout, const DropoutRun& run,
                             Cache& cache) const {
  for (int s = 0; s < layout.sequences(); ++s) {
    for (int i = 0; i < layout.length(s); ++i) cache.position_ids[layout.begin(s) + i] = i;
  }
  if (positions_ == PositionKind::learned) {
    learned_positions_.forward(cache.position_ids, cache.positions, cache.learned_positions);
  } else if (positions_ == PositionKind::sinusoidal) {
    const int rows = static_cast<int>(sinusoidal_.size()) / d_model_;
    kernels_->gather({sinusoidal_.data(), rows, d_model_}, cache.position_ids, T(1),
                     cache.positions);
  }
  const std::span<T> output = cache.output.flat();
  if (cache.positions.columns > 0) {
    kernels_->add(cache.embedded.flat(), cache.positions.flat(), output);
    dropout_.forward(output, run, output, cache.dropout);
  } else {
    dropout_.forward(cache.embedded.flat(), run, output, cache.dropout);
  }
}

template <class T>
void Input<T>::backward(Cache& cache) const {
  // output = dropout(embedded + positions)
  dropout_.backward(cache.d_output.flat(), cache.dropout, cache.d_embedded.flat());
  // positions[i] = table[position_ids[i]]
  if (positions_ == PositionKind::learned) {
    learned_positions_.backward(cache.d_embedded, cache.learned_positions);
  }
  // embedded = sqrt(d) E[ids]   or   patches W^T + b
  if (kind_ == InputKind::tokens) {
    tokens_.backward(cache.d_embedded, cache.tokens);
  } else {
    patches_.backward(cache.d_embedded, cache.patches, cache.d_patches);
  }
}

template <class T>
TensorId Input<T>::describe(PassVisitor<T>& visitor, const Cache& cache) const {
  const bool tokens = kind_ == InputKind::tokens;
  const TensorId patches =
      visitor.rows("patches", "input", typename PassVisitor<T>::Inputs{}, AxisKind::feature,
                   tokens ? ConstMatrix<T>() : cache.patches.input, cache.d_patches);
  const TensorId embedded =
      tokens ? visitor.rows("embedded", "embedding", {tokens_.weight()}, AxisKind::feature,
                            cache.embedded, cache.d_embedded)
             : visitor.rows("embedded", "linear", {patches, patches_.weight(), patches_.bias()},
                            AxisKind::feature, cache.embedded, cache.d_embedded);
  const TensorId positions =
      visitor.rows("positions", "position table", {learned_positions_.weight()}, AxisKind::feature,
                   cache.positions);
  const bool adds = positions != kNoTensor, drops = !cache.dropout.mask.empty();
  const char* operation =
      adds ? (drops ? "add, dropout" : "add") : (drops ? "copy, dropout" : "copy");
  return visitor.rows("output", operation, {embedded, positions}, AxisKind::feature, cache.output,
                      cache.d_output);
}

template <class T>
void Input<T>::embed_one(int id, int position, Matrix<T> output) const {
  const int ids[] = {id};
  typename Embedding<T>::Cache unused;
  tokens_.forward(std::span(ids), output, unused);
  if (positions_ != PositionKind::learned && positions_ != PositionKind::sinusoidal) return;
  const ConstMatrix<T> table =
      positions_ == PositionKind::learned
          ? learned_positions_.table()
          : ConstMatrix<T>(sinusoidal_.data(), static_cast<int>(sinusoidal_.size()) / d_model_,
                           d_model_);
  TP_CHECK(position < table.rows, "a position beyond the longest sequence");
  kernels_->add(output.flat(), std::span<const T>(table.row(position), output.columns),
                output.flat());
}

template class Input<float>;
template class Input<double>;

}  // namespace tp
