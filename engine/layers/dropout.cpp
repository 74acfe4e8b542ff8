#include "engine/layers/dropout.h"

#include <algorithm>

#include "engine/core/rng.h"

namespace tp {
namespace {

// Streams of dropout have the top bit set: the other uses of a seed count up from 0. Twenty bits
// tell places apart, the rest steps.
std::uint64_t dropout_stream(std::uint64_t step, int place) {
  return std::uint64_t{1} << 63 | step << 20 | static_cast<std::uint64_t>(place);
}

}  // namespace

template <class T>
void Dropout<T>::prepare(Arena& arena, std::size_t count, const DropoutRun& run,
                         Cache& cache) const {
  cache.mask = run.probability > 0 ? arena.array<T>(count) : std::span<T>();
}

template <class T>
void Dropout<T>::forward(std::span<const T> x, const DropoutRun& run, std::span<T> y,
                         Cache& cache) const {
  if (!cache.mask.empty()) {
    const double keep = 1 - run.probability;
    Rng rng(run.seed, dropout_stream(run.step, place_));
    rng.fill_mask(cache.mask, keep, static_cast<T>(1 / keep));
  }
  apply(x, cache.mask, y);
}

template <class T>
void Dropout<T>::backward(std::span<const T> d_y, const Cache& cache, std::span<T> d_x) const {
  apply(d_y, cache.mask, d_x);  // y = x * mask gives d_x = d_y * mask
}

template <class T>
void Dropout<T>::apply(std::span<const T> x, std::span<const T> mask, std::span<T> y) const {
  if (!mask.empty()) {
    kernels_->multiply(x, mask, y);
  } else if (x.data() != y.data()) {
    std::copy(x.begin(), x.end(), y.begin());
  }
}

template class Dropout<float>;
template class Dropout<double>;

}  // namespace tp
