#include "engine/layers/layer_norm.h"

namespace tp {

template <class T>
LayerNorm<T>::LayerNorm(const Kernels<T>& kernels, Parameter<T> gamma, Parameter<T> beta, T eps)
    : kernels_(&kernels), gamma_(gamma), beta_(beta), eps_(eps) {}

template <class T>
void LayerNorm<T>::prepare(Arena& arena, int rows, Cache& cache) const {
  cache.mean = arena.array<T>(static_cast<std::size_t>(rows));
  cache.inverse_std = arena.array<T>(static_cast<std::size_t>(rows));
}

template <class T>
void LayerNorm<T>::forward(ConstMatrix<T> x, Matrix<T> y, Cache& cache) const {
  TP_CHECK(x.columns == gamma_.value.columns && x.columns == y.columns && x.rows == y.rows,
           "layer norm: x [n, d], y [n, d]");
  cache.input = x;
  kernels_->layer_norm(x, gamma_.values(), beta_.empty() ? std::span<const T>() : beta_.values(),
                       eps_, cache.mean, cache.inverse_std, y);
}

template <class T>
void LayerNorm<T>::backward(ConstMatrix<T> d_y, const Cache& cache, Matrix<T> d_x) const {
  kernels_->layer_norm_backward(d_y, cache.input, gamma_.values(), cache.mean, cache.inverse_std,
                                d_x, gamma_.gradients(),
                                beta_.empty() ? std::span<T>() : beta_.gradients());
}

template <class T>
TensorId LayerNorm<T>::describe(PassVisitor<T>& visitor, const Cache& cache, TensorId x,
                                ConstMatrix<T> y, ConstMatrix<T> d_y) const {
  const int n = static_cast<int>(cache.mean.size());
  const TensorId mean = visitor.rows("mean", "mean", {x}, AxisKind::one, {cache.mean.data(), n, 1});
  const TensorId inverse_std = visitor.rows("inverse_std", "1 / sqrt(variance + eps)", {x, mean},
                                            AxisKind::one, {cache.inverse_std.data(), n, 1});
  return visitor.rows("output", "layer norm", {x, mean, inverse_std, gamma_, beta_},
                      AxisKind::feature, y, d_y);
}

template class LayerNorm<float>;
template class LayerNorm<double>;

}  // namespace tp
