#include "engine/model/decoder.h"

#include <algorithm>

namespace tp {

template <class T>
DecoderLayer<T>::DecoderLayer(LayerBuilder<T>& builder, const std::string& name)
    : d_model_(builder.config.d_model),
      self_attention_(builder.self_attention(name + ".self_attn", true)),
      cross_attention_(builder.cross_attention(name + ".multihead_attn")),
      feed_forward_(builder.feed_forward(name)),
      residual1_(builder.residual(name + ".norm1")),
      residual2_(builder.residual(name + ".norm2")),
      residual3_(builder.residual(name + ".norm3")) {}

template <class T>
void DecoderLayer<T>::prepare(Arena& arena, const SequenceLayout& layout,
                              const SequenceLayout& memory_layout, const DropoutRun& run,
                              Cache& cache) const {
  const int tokens = layout.tokens();
  self_attention_.prepare_self(arena, layout, run, cache.self_attention);
  residual1_.prepare(arena, tokens, d_model_, run, cache.residual1);
  cache.attended = arena.matrix<T>(tokens, d_model_);
  cross_attention_.prepare_cross(arena, layout, memory_layout, run, cache.cross_attention);
  residual2_.prepare(arena, tokens, d_model_, run, cache.residual2);
  cache.crossed = arena.matrix<T>(tokens, d_model_);
  feed_forward_.prepare(arena, tokens, run, cache.feed_forward);
  residual3_.prepare(arena, tokens, d_model_, run, cache.residual3);
  cache.output = arena.matrix<T>(tokens, d_model_);
}

template <class T>
void DecoderLayer<T>::prepare_gradients(Arena& arena, Cache& cache) const {
  const int tokens = cache.output.rows;
  self_attention_.prepare_gradients(arena, cache.self_attention);
  residual1_.prepare_gradients(arena, tokens, d_model_, cache.residual1);
  cross_attention_.prepare_gradients(arena, cache.cross_attention);
  residual2_.prepare_gradients(arena, tokens, d_model_, cache.residual2);
  feed_forward_.prepare_gradients(arena, tokens, cache.feed_forward);
  residual3_.prepare_gradients(arena, tokens, d_model_, cache.residual3);
  cache.d_crossed = arena.matrix<T>(tokens, d_model_);
  cache.d_attended = arena.matrix<T>(tokens, d_model_);
}

template <class T>
void DecoderLayer<T>::forward(ConstMatrix<T> x, ConstMatrix<T> memory, const DropoutRun& run,
                              Cache& cache) const {
  residual1_.forward(x, run, cache.attended, cache.residual1,
                     [&](ConstMatrix<T> in, Matrix<T> out) {
                       self_attention_.forward_self(in, run, out, cache.self_attention);
                     });
  residual2_.forward(cache.attended, run, cache.crossed, cache.residual2,
                     [&](ConstMatrix<T> in, Matrix<T> out) {
                       cross_attention_.forward_cross(in, memory, run, out, cache.cross_attention);
                     });
  residual3_.forward(cache.crossed, run, cache.output, cache.residual3,
                     [&](ConstMatrix<T> in, Matrix<T> out) {
                       feed_forward_.forward(in, run, out, cache.feed_forward);
                     });
}

template <class T>
void DecoderLayer<T>::backward(ConstMatrix<T> d_output, Cache& cache, Matrix<T> d_memory) const {
  // output = residual3(crossed, feed_forward)
  residual3_.backward(d_output, cache.residual3, cache.d_crossed,
                      [&](ConstMatrix<T> d_out, Matrix<T> d_in) {
                        feed_forward_.backward(d_out, cache.feed_forward, d_in);
                      });
  // crossed = residual2(attended, cross_attention to memory)
  residual2_.backward(cache.d_crossed, cache.residual2, cache.d_attended,
                      [&](ConstMatrix<T> d_out, Matrix<T> d_in) {
                        cross_attention_.backward_cross(d_out, cache.cross_attention, d_in,
                                                        d_memory);
                      });
  // attended = residual1(x, self_attention)
  residual1_.backward(cache.d_attended, cache.residual1, cache.d_input,
                      [&](ConstMatrix<T> d_out, Matrix<T> d_in) {
                        self_attention_.backward_self(d_out, cache.self_attention, d_in);
                      });
}

template <class T>
Decoder<T>::Decoder(LayerBuilder<T>& builder, const std::string& name, int layers)
    : d_model_(builder.config.d_model), has_norm_(builder.config.final_norm) {
  for (int i = 0; i < layers; ++i) {
    layers_.emplace_back(builder, name + ".layers." + std::to_string(i));
  }
  if (has_norm_) norm_ = builder.norm(name + ".norm");
}

template <class T>
void Decoder<T>::prepare(Arena& arena, const SequenceLayout& layout,
                         const SequenceLayout& memory_layout, const DropoutRun& run,
                         Cache& cache) const {
  cache.layers.resize(layers_.size());
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    layers_[i].prepare(arena, layout, memory_layout, run, cache.layers[i]);
  }
  cache.normed = {};
  if (has_norm_) {
    norm_.prepare(arena, layout.tokens(), cache.norm);
    cache.normed = arena.matrix<T>(layout.tokens(), d_model_);
  }
}

template <class T>
void Decoder<T>::prepare_gradients(Arena& arena, GradientMemory memory, Cache& cache) const {
  const int tokens = cache.layers.back().output.rows;
  const auto count = static_cast<int>(layers_.size());
  cache.d_memory = arena.matrix<T>(cache.layers.back().cross_attention.key.rows, d_model_);
  cache.d_normed_input = has_norm_ ? arena.matrix<T>(tokens, d_model_) : Matrix<T>();
  if (memory == GradientMemory::kept) {
    for (auto& layer : cache.layers) layer.d_input = arena.matrix<T>(tokens, d_model_);
    for (int i = 0; i < count; ++i) layers_[i].prepare_gradients(arena, cache.layers[i]);
    return;
  }
  // A layer reads the gradient that the one above wrote and writes its own: two places in turn.
  const Matrix<T> in_turn[2] = {arena.matrix<T>(tokens, d_model_),
                                arena.matrix<T>(tokens, d_model_)};
  for (int i = 0; i < count; ++i) cache.layers[i].d_input = in_turn[i % 2];
  arena.overlap(count, [&](int i) { layers_[i].prepare_gradients(arena, cache.layers[i]); });
}

template <class T>
void Decoder<T>::forward(ConstMatrix<T> x, ConstMatrix<T> memory, const DropoutRun& run,
                         Cache& cache) const {
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    layers_[i].forward(x, memory, run, cache.layers[i]);
    x = cache.layers[i].output;
  }
  if (has_norm_) {
    norm_.forward(x, cache.normed, cache.norm);
    x = cache.normed;
  }
  cache.output = x;
}

template <class T>
ConstMatrix<T> Decoder<T>::backward(ConstMatrix<T> d_output, Cache& cache) const {
  const std::span<T> d_memory = cache.d_memory.flat();
  std::fill(d_memory.begin(), d_memory.end(), T(0));
  ConstMatrix<T> d_x = d_output;
  if (has_norm_) {
    norm_.backward(d_x, cache.norm, cache.d_normed_input);
    d_x = cache.d_normed_input;
  }
  for (std::size_t i = layers_.size(); i-- > 0;) {
    layers_[i].backward(d_x, cache.layers[i], cache.d_memory);
    d_x = cache.layers[i].d_input;
  }
  return d_x;
}

template class DecoderLayer<float>;
template class DecoderLayer<double>;
template class Decoder<float>;
template class Decoder<double>;

}  // namespace tp
