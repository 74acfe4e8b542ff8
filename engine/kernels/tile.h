#pragma once

#include <cstddef>
#include <cstring>

namespace tp {

// The heart of every fast product: a tile of up to four rows and two vectors of columns whose sums
// stay in registers while k ascends. Vector lanes are different outputs, never different k, so each
// output has exactly one accumulator and the width of the vectors cannot be seen in the result.
template <class T>
struct Tile {
  static constexpr int kLanes =
      16 / static_cast<int>(sizeof(T));  // 128 bits: SSE, NEON and WebAssembly
  static constexpr int kRows = 4;
  static constexpr int kColumns = 2 * kLanes;

  // c[i,j] (+)= sum_k a[i,k] b[k,j] for i < rows, j < width. b must be readable kColumns wide; `a`
  // has its own step in both directions, which is how it is read transposed.
  static void multiply(const T* a, std::ptrdiff_t a_row, std::ptrdiff_t a_step, const T* b,
                       std::ptrdiff_t b_step, int depth, bool add, int rows, int width, T* c,
                       std::ptrdiff_t c_row) {
    switch (rows) {
      case 1:
        return run<1>(a, a_row, a_step, b, b_step, depth, add, width, c, c_row);
      case 2:
        return run<2>(a, a_row, a_step, b, b_step, depth, add, width, c, c_row);
      case 3:
        return run<3>(a, a_row, a_step, b, b_step, depth, add, width, c, c_row);
      default:
        return run<4>(a, a_row, a_step, b, b_step, depth, add, width, c, c_row);
    }
  }

  // to[j, i] = from[i, j] for a square of lanes.
  static void transpose(const T* from, std::ptrdiff_t from_row, T* to, std::ptrdiff_t to_row) {
    Vector row[kLanes];
    for (int i = 0; i < kLanes; ++i) row[i] = load(from + i * from_row);
    if constexpr (kLanes == 4) {
      const Vector low01 = __builtin_shufflevector(row[0], row[1], 0, 4, 1, 5);
      const Vector low23 = __builtin_shufflevector(row[2], row[3], 0, 4, 1, 5);
      const Vector high01 = __builtin_shufflevector(row[0], row[1], 2, 6, 3, 7);
      const Vector high23 = __builtin_shufflevector(row[2], row[3], 2, 6, 3, 7);
      store(to, __builtin_shufflevector(low01, low23, 0, 1, 4, 5));
      store(to + to_row, __builtin_shufflevector(low01, low23, 2, 3, 6, 7));
      store(to + 2 * to_row, __builtin_shufflevector(high01, high23, 0, 1, 4, 5));
      store(to + 3 * to_row, __builtin_shufflevector(high01, high23, 2, 3, 6, 7));
    } else {
      store(to, __builtin_shufflevector(row[0], row[1], 0, 2));
      store(to + to_row, __builtin_shufflevector(row[0], row[1], 1, 3));
    }
  }

 private:
  typedef T Vector __attribute__((vector_size(16)));

  static Vector load(const T* from) {
    Vector v;
    std::memcpy(&v, from, sizeof(v));
    return v;
  }
  static void store(T* to, Vector v) { std::memcpy(to, &v, sizeof(v)); }

  // One step of k: the sums of row i += factor(i) * b[0 ... kColumns).
  template <int kTileRows, class Factor>
  static inline void add_products(Factor factor, const T* b, Vector* left, Vector* right) {
    const Vector b_left = load(b), b_right = load(b + kLanes);
#pragma GCC unroll 4
    for (int i = 0; i < kTileRows; ++i) {
      const T f = factor(i);
      left[i] += f * b_left;
      right[i] += f * b_right;
    }
  }

  template <int kTileRows>
  static void run(const T* a, std::ptrdiff_t a_row, std::ptrdiff_t a_step, const T* b,
                  std::ptrdiff_t b_step, int depth, bool add, int width, T* c,
                  std::ptrdiff_t c_row) {
    if (width < kColumns) {  // a narrow edge: work on a full-width copy
      T copy[kTileRows * kColumns] = {};
      if (add) move<kTileRows>(c, c_row, copy, kColumns, width);
      run<kTileRows>(a, a_row, a_step, b, b_step, depth, add, kColumns, copy, kColumns);
      move<kTileRows>(copy, kColumns, c, c_row, width);
      return;
    }
    Vector left[kTileRows] = {}, right[kTileRows] = {};
    if (add) {
      for (int i = 0; i < kTileRows; ++i) {
        left[i] = load(c + i * c_row);
        right[i] = load(c + i * c_row + kLanes);
      }
    }
    // One sum written three times, so that addresses are pointers plus constants: rows of `a` side
    // by side in memory (it is read transposed), or one after the other beside a packed panel.
    if (a_row == 1) {
      for (int k = 0; k < depth; ++k, a += a_step, b += b_step) {
        add_products<kTileRows>([a](int i) { return a[i]; }, b, left, right);
      }
    } else {
      const T* row[kTileRows];
      for (int i = 0; i < kTileRows; ++i) row[i] = a + i * a_row;
      int k = 0;
      if (a_step == 1 && b_step == kColumns) {
        for (; k + 4 <= depth; k += 4, b += 4 * kColumns) {
#pragma GCC unroll 4
          for (int next = 0; next < 4; ++next) {
            add_products<kTileRows>([&row, next](int i) { return row[i][next]; },
                                    b + next * kColumns, left, right);
          }
#pragma GCC unroll 4
          for (int i = 0; i < kTileRows; ++i) row[i] += 4;
        }
      }
      for (; k < depth; ++k, b += b_step) {
        add_products<kTileRows>([&row](int i) { return *row[i]; }, b, left, right);
        for (int i = 0; i < kTileRows; ++i) row[i] += a_step;
      }
    }
    for (int i = 0; i < kTileRows; ++i) {
      store(c + i * c_row, left[i]);
      store(c + i * c_row + kLanes, right[i]);
    }
  }

  template <int kTileRows>
  static void move(const T* from, std::ptrdiff_t from_row, T* to, std::ptrdiff_t to_row,
                   int width) {
    for (int i = 0; i < kTileRows; ++i) {
      for (int j = 0; j < width; ++j) to[i * to_row + j] = from[i * from_row + j];
    }
  }
};

}  // namespace tp
