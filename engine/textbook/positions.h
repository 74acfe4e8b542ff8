#pragma once

#include <cstdlib>

#include "engine/textbook/matrix.h"

// Where a token stands, in four ways. Section 3.5 of the paper adds a vector to each token, fixed
// or learned; later work changes attention instead.

namespace tp::textbook {

// 1 / base^(2i / d) of the pair i that holds a column: radians per position.
inline double frequency(Index column, Index d, double base) {
  return std::pow(base, -static_cast<double>(column - column % 2) / static_cast<double>(d));
}

// PE(pos, 2i) = sin(pos / base^(2i / d))     PE(pos, 2i+1) = cos(pos / base^(2i / d))
template <class T>
Matrix<T> sinusoidal_positions(Index length, Index d, double base) {
  return Matrix<T>::NullaryExpr(length, d, [=](Index pos, Index j) {
    const double angle = static_cast<double>(pos) * frequency(j, d, base);
    return static_cast<T>(j % 2 == 0 ? std::sin(angle) : std::cos(angle));
  });
}

// Rotary (Su et al.): the pairs of a query or key [n, d_head] turn by angles that grow with the
// position. Turning back, direction -1, is also the backward pass.
template <class T>
Matrix<T> rotate(const Matrix<T>& x, double base, int direction) {
  Matrix<T> y(x.rows(), x.cols());
  for (Index pos = 0; pos < x.rows(); ++pos) {
    for (Index j = 0; j < x.cols(); j += 2) {
      const double angle = static_cast<double>(pos) * frequency(j, x.cols(), base);
      const T c = static_cast<T>(std::cos(angle)), s = static_cast<T>(direction * std::sin(angle));
      y(pos, j) = c * x(pos, j) - s * x(pos, j + 1);
      y(pos, j + 1) = s * x(pos, j) + c * x(pos, j + 1);
    }
  }
  return y;
}

// ALiBi (Press et al.): the further a key is from the query, the lower its score. Each head h of H
// has its own slope 2^(-8 (h + 1) / H).
template <class T>
Matrix<T> alibi_bias(Index queries, Index keys, int head, int heads) {
  const double slope = std::pow(2, -8.0 * (head + 1) / heads);
  return Matrix<T>::NullaryExpr(queries, keys, [=](Index i, Index j) {
    return static_cast<T>(-slope * static_cast<double>(std::abs(i - j)));
  });
}

}  // namespace tp::textbook
