#pragma once

#include <span>

#include "engine/kernels/kernels.h"
#include "engine/layers/parameter.h"

// Token embedding:   y[i] = scale * E[ids[i]]
//
//   E [vocabulary, d]   ids [n]   y [n, d]
//
// The paper multiplies by sqrt(d_model), so that embeddings of deviation d_model^-1/2 stand beside
// the positions with about the same size. The same E may serve as the weight of the output layer.

namespace tp {

template <class T>
class Embedding {
 public:
  struct Cache {
    std::span<const int> ids;
  };

  Embedding() = default;
  Embedding(const Kernels<T>& kernels, Parameter<T> weight, T scale);

  // Every id is in [0, vocabulary()).
  void forward(std::span<const int> ids, Matrix<T> y, Cache& cache) const;
  void backward(ConstMatrix<T> d_y, const Cache& cache) const;

  const Parameter<T>& weight() const { return weight_; }
  ConstMatrix<T> table() const { return weight_.value; }
  int vocabulary() const { return weight_.value.rows; }

 private:
  const Kernels<T>* kernels_ = nullptr;
  Parameter<T> weight_;
  T scale_ = 1;
};

}  // namespace tp
