#pragma once

#include "engine/kernels/packing.h"
#include "engine/kernels/tile.h"

// Products with vectors of 128 bits, which is what WebAssembly has. Both factors are packed, so
// that the innermost loop reads memory in one direction, whatever their storage order, with two
// pointers: there are no registers for more.

namespace tp::TP_VECTORS {

// As many rows of a are packed at a time as fit into so many bytes, which stay in the second cache
// while all panels of b pass by.
constexpr int kPackedBytes = 1 << 17;

// c [rows, width] in tiles of kRows rows, out of packed tiles of a and a panel of b. A function of
// its own for each shape of tile, so that the compiler of the browser has one loop at a time to
// find registers for.
template <class T, Arithmetic arithmetic, int kRows>
__attribute__((noinline)) void multiply_strip(const T* a, const T* panel, int depth, Start<T> start,
                                              Matrix<T> c) {
  constexpr int kWidth = kTileColumns<T>;
  for (int i = 0; i + kRows <= c.rows; i += kRows) {
    Tile<T, arithmetic, kRows, Vector<T>, 2> tile;
    tile.begin(start, c.row(i), c.stride, c.columns);
    tile.add_products(a + i * depth, 1, kRows, panel, kWidth, depth);
    tile.end(c.row(i), c.stride, c.columns);
  }
}

// `depth` steps of k of c[i,j] = start + sum_k a[i,k] b[k,j], panel by panel, with `a` packed. The
// sums start from c, else from bias[j], else from 0.
template <class T, Arithmetic arithmetic>
void multiply_panels(const T* a, Factor<T> b, int depth, bool from_c, const T* bias, Matrix<T> c) {
  constexpr int kWidth = kTileColumns<T>;
  alignas(64) T panel[kDepth * kWidth];
  const int whole = c.rows - c.rows % kTileRows;
  for (int j = 0; j < c.columns; j += kWidth) {
    const int width = std::min(kWidth, c.columns - j);
    pack<kWidth>(b.at(0, j), depth, width, panel);
    T start_row[kWidth] = {};
    if (bias != nullptr) std::copy_n(bias + j, width, start_row);
    const Start<T> start = {from_c, start_row};
    const Matrix<T> columns = c.column_range(j, width);
    multiply_strip<T, arithmetic, kTileRows>(a, panel, depth, start, columns.row_range(0, whole));
    if (whole == c.rows) continue;
    with_rows<kTileRows - 1>(c.rows - whole, [&]<int kRows>() {
      multiply_strip<T, arithmetic, kRows>(a + whole * depth, panel, depth, start,
                                           columns.row_range(whole, kRows));
    });
  }
}

// packed[i / kTileRows, k, i % kTileRows] = a[i, k]; the last tile has as many rows as are left.
template <class T>
void pack_tiles(Factor<T> a, int rows, int depth, T* packed) {
  int first = 0;
  if (a.row == 1) {
    // Contiguous numbers go to several tiles at once, so that each cache line is read once and
    // not once for every tile.
    constexpr int kTogether = 4;
    for (; first + kTogether * kTileRows <= rows; first += kTogether * kTileRows) {
      T* to = packed + first * depth;
      for (int k = 0; k < depth; ++k) {
        const T* from = a.data + first + k * a.step;
        TP_UNROLL for (int t = 0; t < kTogether; ++t) {
          std::memcpy(to + (t * depth + k) * kTileRows, from + t * kTileRows,
                      kTileRows * sizeof(T));
        }
      }
    }
  }
  for (; first < rows; first += kTileRows) {
    with_rows<kTileRows>(rows - first, [&]<int kRows>() {
      const auto [data, row, step] = a.at(first, 0);
      pack<kRows>(Factor<T>{data, step, row}, depth, kRows, packed + first * depth);
    });
  }
}

// Some rows of c: b is packed once more for every block of a.
template <class T, Arithmetic arithmetic>
void multiply_rows(Factor<T> a, Factor<T> b, int depth, const T* bias, Matrix<T> c, Update update) {
  constexpr int kPacked = kPackedBytes / static_cast<int>(sizeof(T));
  alignas(64) T packed[kPacked];
  const int fitting = kPacked / std::clamp(depth, 1, kDepth) / kTileRows * kTileRows;
  for (int i = 0; i < c.rows; i += fitting) {
    const Matrix<T> rows = c.row_range(i, std::min(fitting, c.rows - i));
    int k = 0;
    do {
      const int steps = std::min(kDepth, depth - k);
      pack_tiles(a.at(i, k), rows.rows, steps, packed);
      multiply_panels<T, arithmetic>(packed, b.at(k, 0), steps, update == Update::add || k > 0,
                                     bias, rows);
      k += steps;
    } while (k < depth);
  }
}

}  // namespace tp::TP_VECTORS
