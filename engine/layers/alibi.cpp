#include "engine/layers/alibi.h"

#include <cstdlib>

#include "engine/core/maths.h"

namespace tp {

template <class T>
double Alibi<T>::slope(int head, int heads) {
  constexpr double kLogOfTwo = 0.69314718055994530942;
  return maths::exp(-8.0 * (head + 1) / heads * kLogOfTwo);
}

template <class T>
Alibi<T>::Alibi(const Kernels<T>& kernels, int positions, int heads)
    : kernels_(&kernels), positions_(positions) {
  for (int h = 0; h < heads; ++h) {
    for (int distance = 1 - positions; distance < positions; ++distance) {
      table_.push_back(static_cast<T>(0.0 - slope(h, heads) * std::abs(distance)));
    }
  }
}

template <class T>
ConstMatrix<T> Alibi<T>::bias(int head, int position, int queries, int keys) const {
  TP_CHECK(position + queries <= positions_ && keys <= positions_, "a distance beyond the table");
  const std::size_t first =
      static_cast<std::size_t>(head) * static_cast<std::size_t>(distances(positions_)) +
      static_cast<std::size_t>(positions_ - 1 - position);
  return {table_.data() + first, queries, keys, -1};
}

template <class T>
void Alibi<T>::add(int head, int position, KeyRanges ranges, Matrix<T> scores) const {
  const ConstMatrix<T> all = bias(head, position, scores.rows, scores.columns);
  for (int i = 0; i < scores.rows; ++i) {
    const auto count = static_cast<std::size_t>(ranges[i].end - ranges[i].begin);
    const std::span<T> seen(scores.row(i) + ranges[i].begin, count);
    kernels_->add(seen, std::span(all.row(i) + ranges[i].begin, count), seen);
  }
}

template class Alibi<float>;
template class Alibi<double>;

}  // namespace tp
