#pragma once

#include <vector>

#include "engine/kernels/kernels.h"
#include "engine/layers/sequence_layout.h"

// Rotary positions (Su et al., RoFormer): each pair of a query or key of one head is turned by an
// angle proportional to its position,
//
//   (x[2p], x[2p+1]) -> rotation by position * w_p       w_p = base^(-2p / d_head)
//
// so that the product of a query at m and a key at n depends on m - n alone.

namespace tp {

template <class T>
class Rotary {
 public:
  Rotary(const Kernels<T>& kernels, int positions, int d_head, double base);

  // Turns every head of x [tokens, heads * d_head] in place; direction -1 turns back, which is also
  // the backward pass: a rotation's transpose is its inverse.
  void turn(Matrix<T> x, const SequenceLayout& layout, T direction) const;
  // The same for consecutive rows, the first of which stands at `position`.
  void turn_from(Matrix<T> x, int position, T direction) const;

 private:
  const Kernels<T>* kernels_;
  int positions_;
  int d_head_;
  std::vector<T> cosine_, sine_;  // [positions, d_head / 2]
};

}  // namespace tp
