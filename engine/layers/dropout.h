#pragma once

#include <cstdint>
#include <span>

#include "engine/core/arena.h"
#include "engine/kernels/kernels.h"

// Dropout:   y = x * mask        mask = 1 / (1 - p) with probability 1 - p, otherwise 0
//
// The mask is a pure function of (seed, step, place in the model), so that a resumed run drops what
// the uninterrupted one would have dropped.

namespace tp {

// What dropout depends on in one step. A probability of 0 is evaluation: nothing is dropped.
struct DropoutRun {
  double probability = 0;
  std::uint64_t seed = 0;
  std::uint64_t step = 0;
};

template <class T>
class Dropout {
 public:
  struct Cache {
    std::span<T> mask;  // empty when nothing is dropped
  };

  Dropout() = default;
  // `place` tells the dropouts of one model apart.
  Dropout(const Kernels<T>& kernels, int place) : kernels_(&kernels), place_(place) {}

  void prepare(Arena& arena, std::size_t count, const DropoutRun& run, Cache& cache) const;

  // y may be x. Without a mask y == x holds afterwards, by a copy if they are different places.
  void forward(std::span<const T> x, const DropoutRun& run, std::span<T> y, Cache& cache) const;
  void backward(std::span<const T> d_y, const Cache& cache, std::span<T> d_x) const;

 private:
  void apply(std::span<const T> x, std::span<const T> mask, std::span<T> y) const;

  const Kernels<T>* kernels_ = nullptr;
  int place_ = 0;
};

}  // namespace tp
