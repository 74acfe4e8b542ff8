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

 private:
  typedef T Vector __attribute__((vector_size(16)));

  static Vector load(const T* from) {
    Vector v;
    std::memcpy(&v, from, sizeof(v));
    return v;
  }
  static void store(T* to, Vector v) { std::memcpy(to, &v, sizeof(v)); }

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
    for (int k = 0; k < depth; ++k) {
      const Vector b_left = load(b + k * b_step), b_right = load(b + k * b_step + kLanes);
#pragma GCC unroll 4
      for (int i = 0; i < kTileRows; ++i) {
        const T factor = a[i * a_row + k * a_step];
        left[i] += factor * b_left;
        right[i] += factor * b_right;
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
