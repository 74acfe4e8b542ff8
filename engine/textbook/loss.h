#pragma once

#include <vector>

#include "engine/textbook/matrix.h"

// What training makes small. Both losses are sums over rows, to be divided by the answers of the
// batch.

namespace tp::textbook {

inline constexpr int kIgnored = -1;  // a label that does not count

// The answer that cross-entropy compares with, section 5.4: the label, of which the share e is
// spread over all V classes. [n, V], a row of zeros where a label is ignored.
template <class T>
Matrix<T> smoothed_labels(const std::vector<int>& labels, Index classes, double smoothing) {
  const T e = static_cast<T>(smoothing);
  const Index n = static_cast<Index>(labels.size());
  return Matrix<T>::NullaryExpr(n, classes, [&](Index i, Index v) {
    const int label = labels[static_cast<std::size_t>(i)];
    if (label == kIgnored) return T(0);
    return (v == label ? T(1) - e : T(0)) + e / static_cast<T>(classes);
  });
}

// losses[i] = - sum_v q[i,v] log p[i,v]     p = softmax(logits)     log p = logits - log sum exp
template <class T>
Matrix<T> cross_entropy(const Matrix<T>& logits, const Matrix<T>& q) {
  const Column<T> largest = logits.rowwise().maxCoeff();
  const Matrix<T> shifted = logits.colwise() - largest;
  const Column<T> log_sums = exp(shifted).rowwise().sum().array().log();
  return -q.cwiseProduct(shifted.colwise() - log_sums).rowwise().sum();
}

// d losses[i] / d logits[i] = p[i] - q[i], where a label counts
template <class T>
Matrix<T> cross_entropy_backward(const Matrix<T>& p, const Matrix<T>& q) {
  const Column<T> counts = q.rowwise().sum();
  Matrix<T> d = p - q;
  for (Index i = 0; i < d.rows(); ++i) {
    if (counts(i) == T(0)) d.row(i).setZero();
  }
  return d;
}

// loss = sum (x - target)^2
template <class T>
T squared_error(const Matrix<T>& x, const Matrix<T>& target) {
  return (x - target).squaredNorm();
}
template <class T>
Matrix<T> squared_error_backward(const Matrix<T>& x, const Matrix<T>& target) {
  return 2 * (x - target);
}

}  // namespace tp::textbook
