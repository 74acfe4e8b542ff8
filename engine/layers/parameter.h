#pragma once

#include <span>
#include <string_view>

#include "engine/core/matrix.h"

namespace tp {

// One trainable tensor: where its values and their gradients stand in the flat store, and its name
// there. A vector is a matrix of one row; an absent bias is empty.
template <class T>
struct Parameter {
  Matrix<T> value;
  Matrix<T> gradient;
  std::string_view name = {};
  int first = 0;  // of a part: the row, or the column of a vector, of the whole that it begins at

  // A parameter of a model without numbers is there all the same.
  bool empty() const { return value.columns == 0; }
  std::span<const T> values() const { return value.flat(); }
  std::span<T> gradients() const { return gradient.flat(); }
  Parameter row_range(int begin, int count) const {
    if (empty()) return {};
    return {value.row_range(begin, count), gradient.row_range(begin, count), name, first + begin};
  }
  // The same for a vector.
  Parameter column_range(int begin, int count) const {
    if (empty()) return {};
    return {value.column_range(begin, count), gradient.column_range(begin, count), name,
            first + begin};
  }
};

}  // namespace tp
