#pragma once

#include <algorithm>

#include "engine/kernels/vector.h"

// The heart of every fast product: a tile of sums that stay in registers while k ascends.
//
//   sums[i, 0 ... w) += a[i, k] * b[k, 0 ... w)        i < kRows, w = kVectors vectors
//
// One step of k reads kVectors vectors of b and kRows numbers of a, and does kRows * kVectors
// multiplications and additions: the larger the tile, the less is read for each of them, until the
// sums no longer fit into the registers and are written to memory and back. Of 16 registers (SSE,
// AVX2, and what WebAssembly becomes on most machines) 4 rows of 2 vectors leave room for b, a and
// the products; AVX-512 has 32. Six rows in WebAssembly spill and run at 25 instead of 31 GFLOP/s.
//
// Lanes are different outputs, never different k: each output has exactly one accumulator, and
// neither the width of the vectors nor the size of the tile can be seen in the result.

namespace tp::TP_VECTORS {

constexpr int kTileRows = TP_VECTOR_BYTES == 64 ? 8 : 4;

template <class T>
constexpr int kTileColumns = 2 * kLanes<T>;

// Where the sums of a product start: from c, or from a row that all rows share.
template <class T>
struct Start {
  bool from_c;
  const T* row;  // a whole tile wide
};

template <class T, Arithmetic arithmetic, int kRows, class V, int kVectors>
class Tile {
 public:
  static constexpr int kStep = std::is_same_v<V, T> ? 1 : kLanes<T>;  // columns in one V
  static constexpr int kWidth = kVectors * kStep;

  TP_INLINE void clear() {
    each([this](int i, int v) { sums_[i][v] = V{}; });
  }
  // Every row begins with the same numbers: a bias.
  TP_INLINE void begin_with(const T* row) {
    each([&](int i, int v) { sums_[i][v] = load<V>(row + v * kStep); });
  }
  TP_INLINE void read(const T* c, std::ptrdiff_t c_row) {
    each([&](int i, int v) { sums_[i][v] = load<V>(c + i * c_row + v * kStep); });
  }
  TP_INLINE void write(T* c, std::ptrdiff_t c_row) const {
    each([&](int i, int v) { store(c + i * c_row + v * kStep, sums_[i][v]); });
  }
  // From what the sums start, and to where they go, where c may end within the tile: it has
  // `columns` columns there.
  TP_INLINE void begin(Start<T> start, const T* c, std::ptrdiff_t c_row, int columns) {
    if (!start.from_c) {
      begin_with(start.row);
    } else if (columns == kWidth) {
      read(c, c_row);
    } else {
      T edge[kRows * kWidth] = {};
      for (int i = 0; i < kRows; ++i) std::copy_n(c + i * c_row, columns, edge + i * kWidth);
      read(edge, kWidth);
    }
  }
  TP_INLINE void end(T* c, std::ptrdiff_t c_row, int columns) const {
    if (columns == kWidth) {
      write(c, c_row);
    } else {
      T edge[kRows * kWidth];
      write(edge, kWidth);
      for (int i = 0; i < kRows; ++i) std::copy_n(edge + i * kWidth, columns, c + i * c_row);
    }
  }
  // Only the columns from `first` to `last` of row i; c keeps what it has in the others.
  TP_INLINE void write_between(int i, int first, int last, T* c) const {
    TP_UNROLL for (int v = 0; v < kVectors; ++v) {
      const auto lane = kLaneNumbers<T> + v * kStep;
      const V old = load<V>(c + v * kStep);
      const auto inside = (lane >= first) & (lane < last);
      store(c + v * kStep, V(inside ? sums_[i][v] : old));
    }
  }
  TP_INLINE void scale(T factor) {
    each([&](int i, int v) { sums_[i][v] *= factor; });
  }

  // One step of k, in all rows or in one.
  template <class Factor>
  TP_INLINE void add_step(Factor factor, const T* b) {
    V right[kVectors];
    TP_UNROLL for (int v = 0; v < kVectors; ++v) right[v] = load<V>(b + v * kStep);
    TP_UNROLL for (int i = 0; i < kRows; ++i) {
      const V a = splat<V>(factor(i));
      TP_UNROLL for (int v = 0; v < kVectors; ++v) {
        sums_[i][v] = multiply_add<arithmetic>(a, right[v], sums_[i][v]);
      }
    }
  }
  TP_INLINE void add_step_in_row(int i, T a, const T* b) {
    TP_UNROLL for (int v = 0; v < kVectors; ++v) {
      sums_[i][v] = multiply_add<arithmetic>(splat<V>(a), load<V>(b + v * kStep), sums_[i][v]);
    }
  }

  // All of k = 0 ... depth - 1, with a[i, k] at a[i * a_row + k * a_step], and the rows of b b_row
  // apart. One step after the other, so that addresses are two pointers plus constants where both
  // factors are packed: with two or more together, V8 moves loads so far up that sums leave their
  // registers.
  TP_INLINE void add_products(const T* a, std::ptrdiff_t a_row, std::ptrdiff_t a_step, const T* b,
                              std::ptrdiff_t b_row, int depth) {
    const T* const end = b + depth * b_row;
    for (; b != end; a += a_step, b += b_row) {
      add_step([a, a_row](int i) { return a[i * a_row]; }, b);
    }
  }

 private:
  template <class Function>
  TP_INLINE static void each(Function function) {
    TP_UNROLL for (int i = 0; i < kRows; ++i) {
      TP_UNROLL for (int v = 0; v < kVectors; ++v) function(i, v);
    }
  }

  V sums_[kRows][kVectors];
};

// Calls function.operator()<kVectors>() with the vectors that `columns` columns take, at most two.
// Where a vector is short, one half-empty tile in a product costs less than the code for it.
template <class T, class Function>
TP_INLINE void with_vectors(int columns, Function function) {
  if constexpr (TP_VECTOR_BYTES > 16) {
    if (columns <= kLanes<T>) return function.template operator()<1>();
  }
  function.template operator()<2>();
}

// Calls function.operator()<kRows>() with kMost, or with the fewer rows that there are.
template <int kMost, class Function>
TP_INLINE void with_rows(int rows, Function function) {
  if constexpr (kMost > 1) {
    if (rows < kMost) return with_rows<kMost - 1>(rows, function);
  }
  function.template operator()<kMost>();
}

}  // namespace tp::TP_VECTORS
