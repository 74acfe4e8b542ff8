#include "engine/layers/rms_norm.h"

namespace tp {

template <class T>
RmsNorm<T>::RmsNorm(const Kernels<T>& kernels, Parameter<T> gamma, T eps)
    : kernels_(&kernels), gamma_(gamma), eps_(eps) {}

template <class T>
void RmsNorm<T>::prepare(Arena& arena, int rows, Cache& cache) const {
  cache.inverse_rms = arena.array<T>(static_cast<std::size_t>(rows));
}

template <class T>
void RmsNorm<T>::forward(ConstMatrix<T> x, Matrix<T> y, Cache& cache) const {
  TP_CHECK(x.columns == gamma_.value.columns && x.columns == y.columns && x.rows == y.rows,
           "rms norm: x [n, d], y [n, d]");
  cache.input = x;
  kernels_->rms_norm(x, gamma_.values(), eps_, cache.inverse_rms, y);
}

template <class T>
void RmsNorm<T>::backward(ConstMatrix<T> d_y, const Cache& cache, Matrix<T> d_x) const {
  kernels_->rms_norm_backward(d_y, cache.input, gamma_.values(), cache.inverse_rms, d_x,
                              gamma_.gradients());
}

template <class T>
TensorId RmsNorm<T>::describe(PassVisitor<T>& visitor, const Cache& cache, TensorId x,
                              ConstMatrix<T> y, ConstMatrix<T> d_y) const {
  const int n = static_cast<int>(cache.inverse_rms.size());
  const TensorId inverse_rms = visitor.rows("inverse_rms", "1 / sqrt(mean of squares + eps)", {x},
                                            AxisKind::one, {cache.inverse_rms.data(), n, 1});
  return visitor.rows("output", "rms norm", {x, inverse_rms, gamma_}, AxisKind::feature, y, d_y);
}

template class RmsNorm<float>;
template class RmsNorm<double>;

}  // namespace tp
