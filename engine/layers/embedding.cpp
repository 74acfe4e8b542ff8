#include "engine/layers/embedding.h"

namespace tp {

template <class T>
Embedding<T>::Embedding(const Kernels<T>& kernels, Parameter<T> weight, T scale)
    : kernels_(&kernels), weight_(weight), scale_(scale) {}

template <class T>
void Embedding<T>::forward(std::span<const int> ids, Matrix<T> y, Cache& cache) const {
  TP_CHECK(std::ssize(ids) == y.rows, "embedding: ids [n], y [n, d]");
  for (int id : ids) TP_CHECK(id >= 0 && id < vocabulary(), "a token id outside the vocabulary");
  cache.ids = ids;
  kernels_->gather(weight_.value, ids, scale_, y);
}

template <class T>
void Embedding<T>::backward(ConstMatrix<T> d_y, const Cache& cache) const {
  // y[i] = scale * E[ids[i]]: every place that used a row of E adds to its gradient.
  kernels_->scatter_add(d_y, cache.ids, scale_, weight_.gradient);
}

template class Embedding<float>;
template class Embedding<double>;

}  // namespace tp
