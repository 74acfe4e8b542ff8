#include "engine/model/encoder.h"

namespace tp {

template <class T>
EncoderLayer<T>::EncoderLayer(LayerBuilder<T>& builder, const std::string& name, bool causal)
    : d_model_(builder.config.d_model),
      self_attention_(builder.self_attention(name + ".self_attn", causal)),
      feed_forward_(builder.feed_forward(name)),
      residual1_(builder.residual(name + ".norm1")),
      residual2_(builder.residual(name + ".norm2")) {}

template <class T>
void EncoderLayer<T>::prepare(Arena& arena, const SequenceLayout& layout, const DropoutRun& run,
                              Keep keep, Cache& cache) const {
  const int tokens = layout.tokens();
  self_attention_.prepare_self(arena, layout, run, cache.self_attention, keep);
  residual1_.prepare(arena, tokens, d_model_, run, cache.residual1, keep);
  cache.middle = arena.matrix<T>(tokens, d_model_);
  feed_forward_.prepare(arena, tokens, run, cache.feed_forward, keep);
  residual2_.prepare(arena, tokens, d_model_, run, cache.residual2, keep);
  cache.output = arena.matrix<T>(tokens, d_model_);
}

template <class T>
void EncoderLayer<T>::prepare_gradients(Arena& arena, Cache& cache) const {
  const int tokens = cache.output.rows;
  self_attention_.prepare_gradients(arena, cache.self_attention);
  residual1_.prepare_gradients(arena, tokens, d_model_, cache.residual1);
  feed_forward_.prepare_gradients(arena, tokens, cache.feed_forward);
  residual2_.prepare_gradients(arena, tokens, d_model_, cache.residual2);
  cache.d_middle = arena.matrix<T>(tokens, d_model_);
}

template <class T>
void EncoderLayer<T>::forward(ConstMatrix<T> x, const DropoutRun& run, Cache& cache) const {
  residual1_.forward(x, run, cache.middle, cache.residual1, [&](ConstMatrix<T> in, Matrix<T> out) {
    self_attention_.forward_self(in, run, out, cache.self_attention);
  });
  residual2_.forward(cache.middle, run, cache.output, cache.residual2,
                     [&](ConstMatrix<T> in, Matrix<T> out) {
                       feed_forward_.forward(in, run, out, cache.feed_forward);
                     });
}

template <class T>
void EncoderLayer<T>::backward(ConstMatrix<T> d_output, Cache& cache) const {
  // output = residual2(middle, feed_forward)
  residual2_.backward(d_output, cache.residual2, cache.d_middle,
                      [&](ConstMatrix<T> d_out, Matrix<T> d_in) {
                        feed_forward_.backward(d_out, cache.feed_forward, d_in);
                      });
  // middle = residual1(x, self_attention)
  residual1_.backward(cache.d_middle, cache.residual1, cache.d_input,
                      [&](ConstMatrix<T> d_out, Matrix<T> d_in) {
                        self_attention_.backward_self(d_out, cache.self_attention, d_in);
                      });
}

template class EncoderLayer<float>;
template class EncoderLayer<double>;

}  // namespace tp
