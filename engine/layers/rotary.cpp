#include "engine/layers/rotary.h"

#include "engine/core/maths.h"
#include "engine/layers/positions.h"

namespace tp {

template <class T>
Rotary<T>::Rotary(const Kernels<T>& kernels, int positions, int d_head, double base)
    : kernels_(&kernels), positions_(positions), d_head_(d_head) {
  TP_CHECK(d_head % 2 == 0, "rotary positions turn pairs: d_head must be even");
  for (int position = 0; position < positions; ++position) {
    for (int pair = 0; pair < d_head / 2; ++pair) {
      const double angle = position * position_frequency(2 * pair, d_head, base);
      cosine_.push_back(static_cast<T>(maths::cos(angle)));
      sine_.push_back(static_cast<T>(maths::sin(angle)));
    }
  }
}

template <class T>
void Rotary<T>::turn(Matrix<T> x, const SequenceLayout& layout, T direction) const {
  for (int s = 0; s < layout.sequences(); ++s) {
    turn_from(x.row_range(layout.begin(s), layout.length(s)), 0, direction);
  }
}

template <class T>
void Rotary<T>::turn_from(Matrix<T> x, int position, T direction) const {
  TP_CHECK(position + x.rows <= positions_, "a position beyond the rotary table");
  const ConstMatrix<T> cosine(cosine_.data() + position * (d_head_ / 2), x.rows, d_head_ / 2);
  const ConstMatrix<T> sine(sine_.data() + position * (d_head_ / 2), x.rows, d_head_ / 2);
  for (int first = 0; first < x.columns; first += d_head_) {
    kernels_->rotate(cosine, sine, direction, x.column_range(first, d_head_));
  }
}

template class Rotary<float>;
template class Rotary<double>;

}  // namespace tp
