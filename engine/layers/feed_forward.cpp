#include "engine/layers/feed_forward.h"

namespace tp {

template <class T>
FeedForward<T>::FeedForward(const Kernels<T>& kernels, Linear<T> linear1, Linear<T> linear2,
                            Activation activation, Dropout<T> dropout)
    : kernels_(&kernels),
      linear1_(linear1),
      linear2_(linear2),
      activation_(activation),
      dropout_(dropout) {}

template <class T>
void FeedForward<T>::prepare(Arena& arena, int rows, const DropoutRun& run, Cache& cache,
                             Keep keep) const {
  cache.keep = keep;
  cache.hidden = arena.matrix<T>(rows, linear1_.outputs());
  // relu(hidden) is positive where hidden is, which is all that its backward asks.
  const bool in_place =
      keep == Keep::needed && activation_ == Activation::relu && run.probability == 0;
  cache.activated = in_place ? cache.hidden : arena.matrix<T>(rows, linear1_.outputs());
  dropout_.prepare(arena, cache.activated.flat().size(), run, cache.dropout);
}

template <class T>
void FeedForward<T>::prepare_gradients(Arena& arena, int rows, Cache& cache) const {
  cache.d_activated = arena.matrix<T>(rows, linear1_.outputs());
  cache.d_hidden =
      cache.keep == Keep::needed ? cache.d_activated : arena.matrix<T>(rows, linear1_.outputs());
}

template <class T>
void FeedForward<T>::forward(ConstMatrix<T> x, const DropoutRun& run, Matrix<T> y,
                             Cache& cache) const {
  linear1_.forward(x, cache.hidden, cache.linear1);
  const auto activate = activation_ == Activation::relu ? kernels_->relu : kernels_->gelu;
  activate(cache.hidden.flat(), cache.activated.flat());
  dropout_.forward(cache.activated.flat(), run, cache.activated.flat(), cache.dropout);
  linear2_.forward(cache.activated, y, cache.linear2);
}

template <class T>
void FeedForward<T>::backward(ConstMatrix<T> d_y, Cache& cache, Matrix<T> d_x) const {
  // y = activated W2^T + b2
  linear2_.backward(d_y, cache.linear2, cache.d_activated);
  // activated = dropout(f(hidden))
  dropout_.backward(cache.d_activated.flat(), cache.dropout, cache.d_activated.flat());
  const auto activate_backward =
      activation_ == Activation::relu ? kernels_->relu_backward : kernels_->gelu_backward;
  activate_backward(cache.d_activated.flat(), cache.hidden.flat(), cache.d_hidden.flat());
  // hidden = x W1^T + b1
  linear1_.backward(cache.d_hidden, cache.linear1, d_x);
}

template <class T>
TensorId FeedForward<T>::describe(PassVisitor<T>& visitor, const Cache& cache, TensorId x,
                                  const SublayerOutput<T>& output) const {
  const bool drops = !cache.dropout.mask.empty(), relu = activation_ == Activation::relu;
  const bool in_place = cache.hidden.data == cache.activated.data;
  const TensorId hidden = visitor.rows(
      "hidden", "linear", {x, linear1_.weight(), linear1_.bias()}, AxisKind::hidden_feature,
      in_place ? ConstMatrix<T>() : ConstMatrix<T>(cache.hidden), cache.d_hidden);
  const char* activation =
      relu ? (drops ? "relu, dropout" : "relu") : (drops ? "gelu, dropout" : "gelu");
  const TensorId activated =
      visitor.rows("activated", activation, {hidden}, AxisKind::hidden_feature, cache.activated,
                   cache.d_activated);
  return visitor.rows("output", output.dropped ? "linear, dropout" : "linear",
                      {activated, linear2_.weight(), linear2_.bias()}, AxisKind::feature,
                      output.values, output.gradient);
}

template class FeedForward<float>;
template class FeedForward<double>;

}  // namespace tp
