#pragma once

#include <array>
#include <vector>

#include "engine/core/matrix.h"

// Principal component analysis: the two directions in which the rows of a matrix differ most.
//
//   x [rows, columns] less the mean row = centred      C = centred^T centred / rows
//   axes [2, columns]: the eigenvectors of C with the largest eigenvalues, of length 1
//   points [rows, 2] = centred axes^T
//
// The sign of an axis, which no eigenvector has, is chosen so that its largest number (of equals
// the first) is positive: the same matrix always gives the same picture.
//
// A library of its own (tp_principal): it needs Eigen, which the engine does without.

namespace tp {

inline constexpr int kPrincipalAxes = 2;

struct Principal {
  std::vector<double> axes;    // [2, columns]; zeros where the rows do not differ any more
  std::vector<double> points;  // [rows, 2]
  std::array<double, kPrincipalAxes> share = {};  // of the variance
};

// In double, for both kinds of numbers. With m the smaller of rows and columns it costs about
// 2 m^2 max(rows, columns) + 9 m^3 operations.
template <class T>
Principal principal(ConstMatrix<T> x);

}  // namespace tp
