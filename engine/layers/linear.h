#pragma once

#include "engine/kernels/kernels.h"
#include "engine/layers/parameter.h"

// Linear:   y = x W^T + b
//
//   x [n, in]   W [out, in]   b [out], may be absent   y [n, out]

namespace tp {

template <class T>
class Linear {
 public:
  struct Cache {
    ConstMatrix<T> input;  // x
  };

  Linear() = default;
  Linear(const Kernels<T>& kernels, Parameter<T> weight, Parameter<T> bias);

  void forward(ConstMatrix<T> x, Matrix<T> y, Cache& cache) const;
  // Adds to the gradients of W and b. `update` says whether d_x is replaced or added to; an empty
  // d_x is not computed.
  void backward(ConstMatrix<T> d_y, const Cache& cache, Matrix<T> d_x,
                Update update = Update::assign) const;

  const Parameter<T>& weight() const { return weight_; }
  const Parameter<T>& bias() const { return bias_; }
  // Of the product of so many rows: a product of [n, k] and [k, m] is 2 n k m operations.
  double operations(int rows) const { return 2.0 * rows * inputs() * outputs(); }
  int inputs() const { return weight_.value.columns; }
  int outputs() const { return weight_.value.rows; }

 private:
  const Kernels<T>* kernels_ = nullptr;
  Parameter<T> weight_;
  Parameter<T> bias_;
};

}  // namespace tp
