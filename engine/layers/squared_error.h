#pragma once

#include <span>

#include "engine/kernels/kernels.h"

// Mean squared error:   loss = mean (x - target)^2        over all numbers

namespace tp {

template <class T>
class SquaredError {
 public:
  struct Cache {
    std::span<const T> input, target;
  };

  SquaredError() = default;
  explicit SquaredError(const Kernels<T>& kernels) : kernels_(&kernels) {}

  T forward(std::span<const T> x, std::span<const T> target, Cache& cache) const {
    TP_CHECK(x.size() == target.size(), "one target for each output");
    cache = {x, target};
    return kernels_->squared_error(x, target);
  }
  // Of loss_scale * loss.
  void backward(const Cache& cache, std::span<T> d_x, T loss_scale = T(1)) const {
    kernels_->squared_error_backward(cache.input, cache.target, loss_scale, d_x);
  }

 private:
  const Kernels<T>* kernels_ = nullptr;
};

}  // namespace tp
