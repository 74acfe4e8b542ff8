#pragma once

#include <span>

#include "engine/core/arena.h"
#include "engine/kernels/kernels.h"
#include "engine/layers/describe.h"
#include "engine/layers/parameter.h"

// Layer norm, over the features of each token by itself:
//
//   y = gamma * (x - mean) / sqrt(variance + eps) + beta
//
//   x [n, d]   gamma [d]   beta [d], may be absent   mean, inverse_std [n]   y [n, d]
//
// docs/LAYER.md derives its backward pass line by line.

namespace tp {

template <class T>
class LayerNorm {
 public:
  struct Cache {
    ConstMatrix<T> input;      // x
    std::span<T> mean;         // of each row
    std::span<T> inverse_std;  // 1 / sqrt(variance + eps) of each row
  };

  LayerNorm() = default;
  LayerNorm(const Kernels<T>& kernels, Parameter<T> gamma, Parameter<T> beta, T eps);

  void prepare(Arena& arena, int rows, Cache& cache) const;
  void forward(ConstMatrix<T> x, Matrix<T> y, Cache& cache) const;
  void backward(ConstMatrix<T> d_y, const Cache& cache, Matrix<T> d_x) const;
  // Of x, into y.
  TensorId describe(PassVisitor<T>& visitor, const Cache& cache, TensorId x, ConstMatrix<T> y,
                    ConstMatrix<T> d_y) const;

 private:
  const Kernels<T>* kernels_ = nullptr;
  Parameter<T> gamma_;
  Parameter<T> beta_;
  T eps_ = 0;
};

}  // namespace tp
