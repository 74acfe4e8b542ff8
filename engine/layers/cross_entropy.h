#pragma once

#include <span>

#include "engine/core/arena.h"
#include "engine/kernels/kernels.h"

// Cross-entropy with label smoothing e, averaged over the rows whose label is not ignored:
//
//   loss = mean_i ( -(1 - e) log p[i, label_i] - (e / V) sum_v log p[i, v] )      p =
//   softmax(logits)
//
//   logits [n, V]   labels [n], kIgnoredLabel where a row does not count

namespace tp {

template <class T>
class CrossEntropy {
 public:
  struct Cache {
    std::span<const int> labels;
    Matrix<T> probabilities;  // p
    std::span<T> losses;      // of each row, 0 where ignored
    int counted = 0;          // rows that are not ignored
  };

  CrossEntropy() = default;
  CrossEntropy(const Kernels<T>& kernels, T smoothing)
      : kernels_(&kernels), smoothing_(smoothing) {}

  void prepare(Arena& arena, int rows, int classes, Cache& cache) const;
  // 0 when every row is ignored.
  T forward(ConstMatrix<T> logits, std::span<const int> labels, Cache& cache) const;
  // Of loss_scale * loss.
  void backward(const Cache& cache, Matrix<T> d_logits, T loss_scale = T(1)) const;

  void set_smoothing(T smoothing) { smoothing_ = smoothing; }

 private:
  const Kernels<T>* kernels_ = nullptr;
  T smoothing_ = 0;
};

}  // namespace tp
