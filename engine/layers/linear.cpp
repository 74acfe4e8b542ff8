#include "engine/layers/linear.h"

namespace tp {

template <class T>
Linear<T>::Linear(const Kernels<T>& kernels, Parameter<T> weight, Parameter<T> bias)
    : kernels_(&kernels), weight_(weight), bias_(bias) {
  TP_CHECK(bias.empty() || bias.value.columns == weight.value.rows, "one bias for each output");
}

template <class T>
void Linear<T>::forward(ConstMatrix<T> x, Matrix<T> y, Cache& cache) const {
  TP_CHECK(x.columns == inputs() && y.columns == outputs() && x.rows == y.rows,
           "linear: x [n, in], y [n, out]");
  cache.input = x;
  kernels_->affine(x, weight_.value, bias_.empty() ? std::span<const T>() : bias_.values(), y);
}

template <class T>
void Linear<T>::backward(ConstMatrix<T> d_y, const Cache& cache, Matrix<T> d_x,
                         Update update) const {
  // y[i,o] = b[o] + ...            d_b[o] = sum_i d_y[i,o]
  if (!bias_.empty()) kernels_->sum_rows(d_y, bias_.gradients());
  // y[i,o] = sum_k x[i,k] W[o,k]   d_W[o,k] = sum_i d_y[i,o] x[i,k]
  kernels_->matmul_tn(d_y, cache.input, weight_.gradient, Update::add);
  //                                d_x[i,k] = sum_o d_y[i,o] W[o,k]
  if (!d_x.empty()) kernels_->matmul_nn(d_y, weight_.value, d_x, update);
}

template class Linear<float>;
template class Linear<double>;

}  // namespace tp
