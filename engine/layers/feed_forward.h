#pragma once

#include "engine/core/arena.h"
#include "engine/layers/describe.h"
#include "engine/layers/dropout.h"
#include "engine/layers/keep.h"
#include "engine/layers/linear.h"

// Feed-forward net, applied to each token by itself:
//
//   hidden = x W1^T + b1      activated = dropout(f(hidden))      y = activated W2^T + b2
//
//   x [n, d]   W1 [d_ff, d]   hidden, activated [n, d_ff]   W2 [d, d_ff]   y [n, d]

namespace tp {

enum class Activation { relu, gelu };

template <class T>
class FeedForward {
 public:
  struct Cache {
    typename Linear<T>::Cache linear1, linear2;
    typename Dropout<T>::Cache dropout;
    Keep keep = Keep::everything;
    Matrix<T> hidden;     // before the activation
    Matrix<T> activated;  // after it, and after dropout; over hidden where that is not needed

    Matrix<T> d_activated, d_hidden;
  };

  FeedForward() = default;
  FeedForward(const Kernels<T>& kernels, Linear<T> linear1, Linear<T> linear2,
              Activation activation, Dropout<T> dropout);

  void prepare(Arena& arena, int rows, const DropoutRun& run, Cache& cache,
               Keep keep = Keep::everything) const;
  void prepare_gradients(Arena& arena, int rows, Cache& cache) const;
  void forward(ConstMatrix<T> x, const DropoutRun& run, Matrix<T> y, Cache& cache) const;
  void backward(ConstMatrix<T> d_y, Cache& cache, Matrix<T> d_x) const;
  // Of x, into `output`.
  TensorId describe(PassVisitor<T>& visitor, const Cache& cache, TensorId x,
                    const SublayerOutput<T>& output) const;
  double operations(int rows) const {
    return linear1_.operations(rows) + linear2_.operations(rows);
  }

 private:
  const Kernels<T>* kernels_ = nullptr;
  Linear<T> linear1_;
  Linear<T> linear2_;
  Activation activation_ = Activation::relu;
  Dropout<T> dropout_;
};

}  // namespace tp
