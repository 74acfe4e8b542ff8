#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include "engine/core/check.h"

namespace tp {

// A rectangle of numbers that belongs to someone else: rows of `columns` neighbours, `stride`
// apart. A head is a range of columns, a sequence a range of rows; neither is ever copied.
template <class T>
struct Matrix {
  T* data = nullptr;
  int rows = 0;
  int columns = 0;
  std::ptrdiff_t stride = 0;

  Matrix() = default;
  Matrix(T* first, int row_count, int column_count, std::ptrdiff_t row_stride)
      : data(first), rows(row_count), columns(column_count), stride(row_stride) {}
  Matrix(T* first, int row_count, int column_count)
      : Matrix(first, row_count, column_count, column_count) {}
  operator Matrix<const T>() const  // NOLINT(google-explicit-constructor)
      requires(!std::is_const_v<T>) {
    return {data, rows, columns, stride};
  }

  T* row(int i) const { return data + i * stride; }
  T& operator()(int i, int j) const { return data[i * stride + j]; }
  bool empty() const { return data == nullptr; }

  Matrix row_range(int first, int count) const {
    TP_CHECK(first >= 0 && count >= 0 && first + count <= rows, "rows outside the matrix");
    return {from(first * stride), count, columns, stride};
  }
  Matrix column_range(int first, int count) const {
    TP_CHECK(first >= 0 && count >= 0 && first + count <= columns, "columns outside the matrix");
    return {from(first), rows, count, stride};
  }
  // All numbers in one run; only where rows follow each other without a gap.
  std::span<T> flat() const {
    TP_CHECK(stride == columns || rows <= 1, "the rows of this matrix are not adjacent");
    return {data, static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns)};
  }

 private:
  // Absent matrices, and those of a pass that only measures memory, have shapes and no numbers.
  T* from(std::ptrdiff_t offset) const { return data == nullptr ? nullptr : data + offset; }
};

template <class T>
using ConstMatrix = Matrix<const T>;

}  // namespace tp
