#pragma once

#include "engine/kernels/kernels.h"
#include "engine/layers/sequence_layout.h"

// One vector for a whole sequence, for heads that answer once:
//
//   mean    y[s] = (sum of the rows of sequence s) / length(s)
//   first   y[s] = the first row of sequence s
//
//   x [tokens, d]   y [sequences, d]

namespace tp {

enum class PoolingKind { mean, first };

template <class T>
class Pooling {
 public:
  struct Cache {
    const SequenceLayout* layout = nullptr;
  };

  Pooling() = default;
  Pooling(const Kernels<T>& kernels, PoolingKind kind) : kernels_(&kernels), kind_(kind) {}

  const char* operation() const {
    return kind_ == PoolingKind::mean ? "mean of the tokens" : "first token";
  }

  void forward(ConstMatrix<T> x, const SequenceLayout& layout, Matrix<T> y, Cache& cache) const;
  void backward(ConstMatrix<T> d_y, const Cache& cache, Matrix<T> d_x) const;

 private:
  const Kernels<T>* kernels_ = nullptr;
  PoolingKind kind_ = PoolingKind::mean;
};

}  // namespace tp
