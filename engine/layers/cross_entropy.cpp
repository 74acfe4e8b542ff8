#include "engine/layers/cross_entropy.h"

namespace tp {

template <class T>
void CrossEntropy<T>::prepare(Arena& arena, int rows, int classes, Cache& cache) const {
  cache.labels = {};
  cache.probabilities = arena.matrix<T>(rows, classes);
  cache.losses = arena.array<T>(static_cast<std::size_t>(rows));
}

template <class T>
T CrossEntropy<T>::forward(ConstMatrix<T> logits, std::span<const int> labels, Cache& cache) const {
  TP_CHECK(std::ssize(labels) == logits.rows, "one label for each row of logits");
  cache.labels = labels;
  cache.counted = 0;
  for (int label : labels) {
    TP_CHECK(label == kIgnoredLabel || (label >= 0 && label < logits.columns),
             "a label outside the classes");
    cache.counted += label != kIgnoredLabel;
  }
  kernels_->cross_entropy(logits, labels, smoothing_, cache.probabilities, cache.losses);
  return cache.counted == 0 ? T(0) : kernels_->sum(cache.losses) / T(cache.counted);
}

template <class T>
void CrossEntropy<T>::backward(const Cache& cache, Matrix<T> d_logits, T loss_scale) const {
  // loss = (sum_i losses[i]) / counted;   d losses[i] / d logits[i] = p - smoothed label
  const T scale = cache.counted == 0 ? T(0) : loss_scale / T(cache.counted);
  kernels_->cross_entropy_backward(cache.probabilities, cache.labels, smoothing_, scale, d_logits);
}

template class CrossEntropy<float>;
template class CrossEntropy<double>;

}  // namespace tp
