#include "engine/layers/pooling.h"

#include <algorithm>

namespace tp {

template <class T>
void Pooling<T>::forward(ConstMatrix<T> x, const SequenceLayout& layout, Matrix<T> y,
                         Cache& cache) const {
  cache.layout = &layout;
  for (int s = 0; s < layout.sequences(); ++s) {
    const std::span<T> pooled = y.row_range(s, 1).flat();
    if (kind_ == PoolingKind::first) {
      std::copy_n(x.row(layout.begin(s)), x.columns, pooled.data());
      continue;
    }
    std::fill(pooled.begin(), pooled.end(), T(0));
    kernels_->sum_rows(x.row_range(layout.begin(s), layout.length(s)), pooled);
    kernels_->scale(pooled, T(1) / T(layout.length(s)), pooled);
  }
}

template <class T>
void Pooling<T>::backward(ConstMatrix<T> d_y, const Cache& cache, Matrix<T> d_x) const {
  for (int s = 0; s < cache.layout->sequences(); ++s) {
    const std::span<const T> d_pooled = d_y.row_range(s, 1).flat();
    const Matrix<T> d_rows = d_x.row_range(cache.layout->begin(s), cache.layout->length(s));
    for (int i = 0; i < d_rows.rows; ++i) {
      const std::span<T> d_row(d_rows.row(i), d_pooled.size());
      if (kind_ == PoolingKind::mean) {
        // y[s] = sum_i x[i] / length
        kernels_->scale(d_pooled, T(1) / T(d_rows.rows), d_row);
      } else {
        // y[s] = x[0]
        kernels_->scale(d_pooled, i == 0 ? T(1) : T(0), d_row);
      }
    }
  }
}

template class Pooling<float>;
template class Pooling<double>;

}  // namespace tp
