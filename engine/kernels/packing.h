#pragma once

#include <utility>

#include "engine/kernels/vector.h"

// Packs the second factor of a product into panels, as wide as a tile, with contiguous rows: the
// innermost loop of a product then reads memory in one direction, whatever the factor's storage
// order.

namespace tp::TP_VECTORS {

// A panel is packed this many steps of k at a time; the sums rest in c in between, which rounds
// nothing. 256 steps of two vectors fit into the nearest cache beside the rows of a.
constexpr int kDepth = 256;

// Where the numbers of a factor stand: a[i, k] or b[k, j] at data[first * row + second * step]. One
// of the two steps is 1.
template <class T>
struct Factor {
  const T* data;
  std::ptrdiff_t row, step;

  // A factor without rows may have no memory.
  Factor at(int first, int second) const {
    return {data == nullptr ? nullptr : data + first * row + second * step, row, step};
  }
};

// The shortest vector, of which a wider one holds several, and how many numbers it has.
template <class T>
struct ShortOf {
  typedef T Type __attribute__((vector_size(16)));
};
template <class T>
constexpr int kShort = 16 / static_cast<int>(sizeof(T));

// Out of every short vector within a and b those numbers that the pattern names, which counts
// through the one of a and on through the one of b.
template <class T, int... pattern>
TP_INLINE Vector<T> pick(Vector<T> a, Vector<T> b) {
  constexpr int kPattern[] = {pattern...};
  constexpr auto place = [](int lane) {
    const int chosen = kPattern[lane % kShort<T>], first = lane / kShort<T> * kShort<T>;
    return chosen < kShort<T> ? first + chosen : kLanes<T> + first + chosen - kShort<T>;
  };
  return [&]<int... lane>(std::integer_sequence<int, lane...>) {
    return __builtin_shufflevector(a, b, place(lane)...);
  }
  (std::make_integer_sequence<int, kLanes<T>>());
}

// The short vectors at from, from + row, from + 2 row ... one after the other in a whole vector.
template <class T, int kNumbers = kLanes<T>>
TP_INLINE auto gather_short(const T* from, std::ptrdiff_t row) {
  if constexpr (kNumbers == kShort<T>) {
    return load<typename ShortOf<T>::Type>(from);
  } else {
    const auto low = gather_short<T, kNumbers / 2>(from, row);
    const auto high = gather_short<T, kNumbers / 2>(from + kNumbers / 2 / kShort<T> * row, row);
    return [&]<int... lane>(std::integer_sequence<int, lane...>) {
      return __builtin_shufflevector(low, high, lane...);
    }
    (std::make_integer_sequence<int, kNumbers>());
  }
}

// of_k[k][j] = from[j, k] for as many k as a short vector has and as many j as a whole one.
template <class T>
struct Transposed {
  Vector<T> of_k[kShort<T>];
};

// Short vectors are read along k, and square blocks of them are transposed.
template <class T>
TP_INLINE Transposed<T> transposed_block(const T* from, std::ptrdiff_t from_row) {
  using V = Vector<T>;
  V row[kShort<T>];  // row[i] holds j = i, i + kShort, ...
  TP_UNROLL for (int i = 0; i < kShort<T>; ++i) {
    row[i] = gather_short<T>(from + i * from_row, kShort<T> * from_row);
  }
  if constexpr (kShort<T> == 4) {
    const V low01 = pick<T, 0, 4, 1, 5>(row[0], row[1]);
    const V low23 = pick<T, 0, 4, 1, 5>(row[2], row[3]);
    const V high01 = pick<T, 2, 6, 3, 7>(row[0], row[1]);
    const V high23 = pick<T, 2, 6, 3, 7>(row[2], row[3]);
    return {{pick<T, 0, 1, 4, 5>(low01, low23), pick<T, 2, 3, 6, 7>(low01, low23),
             pick<T, 0, 1, 4, 5>(high01, high23), pick<T, 2, 3, 6, 7>(high01, high23)}};
  } else {
    return {{pick<T, 0, 2>(row[0], row[1]), pick<T, 1, 3>(row[0], row[1])}};
  }
}

// panel[k, j] = b[k, j], with kColumns numbers in a row of the panel, of which those beyond `width`
// are zero.
template <int kColumns, class T>
void pack(Factor<T> b, int depth, int width, T* panel) {
  if (b.step == 1 && width == kColumns) {
    const T* from = b.data;
    for (int k = 0; k < depth; ++k, from += b.row) {
      std::memcpy(panel + k * kColumns, from, kColumns * sizeof(T));
    }
    return;
  }
  int j = 0;
  if constexpr (kColumns % kLanes<T> == 0) {
    if (b.step != 1) {
      const int whole = depth - depth % kShort<T>;
      for (; j + kLanes<T> <= width; j += kLanes<T>) {
        const T* corner = b.at(0, j).data;
        for (int k = 0; k < whole; k += kShort<T>) {
          const auto block = transposed_block(corner + k, b.step);
          TP_UNROLL for (int i = 0; i < kShort<T>; ++i) {
            store(panel + (k + i) * kColumns + j, block.of_k[i]);
          }
        }
        for (int k = whole; k < depth; ++k) {
          for (int lane = 0; lane < kLanes<T>; ++lane) {
            panel[k * kColumns + j + lane] = corner[lane * b.step + k];
          }
        }
      }
    }
  }
  if (j == kColumns) return;
  for (int k = 0; k < depth; ++k) {
    for (int column = j; column < kColumns; ++column) {
      panel[k * kColumns + column] = column < width ? *b.at(k, column).data : T(0);
    }
  }
}

}  // namespace tp::TP_VECTORS
