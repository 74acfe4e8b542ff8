#pragma once

#include <span>

#include "engine/core/arena.h"
#include "engine/kernels/kernels.h"
#include "engine/layers/describe.h"
#include "engine/layers/parameter.h"

// RMS norm (Zhang and Sennrich, 2019), over the features of each token by itself: layer norm
// without the mean and without a bias,
//
//   y = gamma * x / sqrt(mean(x^2) + eps)
//
//   x [n, d]   gamma [d]   inverse_rms [n]   y [n, d]

namespace tp {

template <class T>
class RmsNorm {
 public:
  struct Cache {
    ConstMatrix<T> input;      // x
    std::span<T> inverse_rms;  // 1 / sqrt(mean(x^2) + eps) of each row
  };

  RmsNorm(const Kernels<T>& kernels, Parameter<T> gamma, T eps);

  void prepare(Arena& arena, int rows, Cache& cache) const;
  void forward(ConstMatrix<T> x, Matrix<T> y, Cache& cache) const;
  void backward(ConstMatrix<T> d_y, const Cache& cache, Matrix<T> d_x) const;
  // Of x, into y.
  TensorId describe(PassVisitor<T>& visitor, const Cache& cache, TensorId x, ConstMatrix<T> y,
                    ConstMatrix<T> d_y) const;

 private:
  const Kernels<T>* kernels_;
  Parameter<T> gamma_;
  T eps_;
};

}  // namespace tp
