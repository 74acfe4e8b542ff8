#include "engine/model/decoder.h"

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
                              const SequenceLayout& memory_layout, const DropoutRun& run, Keep keep,
                              Cache& cache) const {
  const int tokens = layout.tokens();
  self_attention_.prepare_self(arena, layout, run, cache.self_attention, keep);
  residual1_.prepare(arena, tokens, d_model_, run, cache.residual1, keep);
  cache.attended = arena.matrix<T>(tokens, d_model_);
  cross_attention_.prepare_cross(arena, layout, memory_layout, run, cache.cross_attention, keep);
  residual2_.prepare(arena, tokens, d_model_, run, cache.residual2, keep);
  cache.crossed = arena.matrix<T>(tokens, d_model_);
  feed_forward_.prepare(arena, tokens, run, cache.feed_forward, keep);
  residual3_.prepare(arena, tokens, d_model_, run, cache.residual3, keep);
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

template class DecoderLayer<float>;
template class DecoderLayer<double>;

}  // namespace tp
