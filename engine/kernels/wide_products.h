#pragma once

#include "engine/kernels/packing.h"
#include "engine/kernels/tile.h"

// Products with vectors of 256 or 512 bits. A wide vector does so much with each number of a that a
// is read in place, and only b is packed: a panel at a time, which all rows of a are multiplied
// with. With vectors of 512 bits packing a, too, would take a tenth of the time. In tn, where both
// are stored in rows and c is small beside them, nothing is packed: there packing b was a tenth,
// too.

namespace tp::TP_VECTORS {

// How a is stored: k along its rows (nn and nt), or down its columns (tn). Down the columns the
// rows of a tile are contiguous, and a cache line holds sixteen of them: a tile as tall as that
// reads each line once, which matters since lines a power of two apart evict each other from the
// first-level cache.
enum class Storage { rows, columns };
template <Storage storage>
constexpr bool kTall = storage == Storage::columns&& TP_VECTOR_BYTES == 64;
template <Storage storage>
constexpr int kStripRows = kTall<storage> ? 16 : kTileRows;

// Memory is prefetched a little with every few steps of k: a core stalls when more than two dozen
// lines are on their way.
constexpr int kSteps = 32;
constexpr int pieces(int depth) { return (depth + kSteps - 1) / kSteps; }

// Prefetches the next panel of b while the tiles of this one are computed: what the forward pass
// wrote has left the caches when backward reads it.
template <class T>
struct Ahead {
  const T* run = nullptr;
  std::ptrdiff_t stride = 0;
  int length = 0, runs = 0, at_once = 0;

  Ahead(Factor<T> b, int depth, int width, int tiles) : run(b.data) {
    const bool along_k = b.step != 1;
    stride = along_k ? b.step : b.row;
    length = along_k ? depth : width;
    runs = b.data == nullptr ? 0 : along_k ? width : depth;
    const int times = std::max(tiles * pieces(depth), 1);  // a product may have no rows
    at_once = (runs + times - 1) / times;
  }
  TP_INLINE void prefetch_some() {
    constexpr int kLine = 64 / static_cast<int>(sizeof(T));
    for (int n = 0; n < at_once && runs > 0; ++n, --runs, run += stride) {
      for (int i = 0; i < length; i += kLine) __builtin_prefetch(run + i);
    }
  }
};

// c [rows, width] in tiles of kRows rows, out of rows of a and kVectors vectors of each row of the
// panel, which are panel_row apart.
template <class T, Arithmetic arithmetic, Storage storage, int kRows, int kVectors>
void multiply_strip(Factor<T> a, const T* panel, std::ptrdiff_t panel_row, int depth,
                    Start<T> start, Matrix<T> c, Ahead<T>& ahead) {
  const std::ptrdiff_t row = storage == Storage::rows ? a.row : 1,
                       step = storage == Storage::rows ? 1 : a.step;
  const int at_once = (kRows + pieces(depth) - 1) / std::max(pieces(depth), 1);
  for (int i = 0; i + kRows <= c.rows; i += kRows) {
    Tile<T, arithmetic, kRows, Vector<T>, kVectors> tile;
    tile.begin(start, c.row(i), c.stride, c.columns);
    const bool more = i + 2 * kRows <= c.rows;
    int next = kRows;
    for (int k = 0; k < depth; k += kSteps) {
      ahead.prefetch_some();
      // Writing a line begins with reading it.
      for (int n = 0; more && n < at_once && next < 2 * kRows; ++n, ++next) {
        TP_UNROLL for (int v = 0; v < kVectors; ++v) {
          __builtin_prefetch(c.row(i + next) + v * kLanes<T>, 1);
        }
      }
      tile.add_products(a.data + i * row + k * step, row, step, panel + k * panel_row, panel_row,
                        std::min(kSteps, depth - k));
    }
    tile.end(c.row(i), c.stride, c.columns);
  }
}

// `depth` steps of k of c[i,j] = start + sum_k a[i,k] b[k,j], panel by panel. The sums start from
// c, else from bias[j], else from 0. next_b is what will be packed after the last panel, if
// anything.
template <class T, Arithmetic arithmetic, Storage storage>
void multiply_panels(Factor<T> a, Factor<T> b, Factor<T> next_b, int depth, bool from_c,
                     const T* bias, Matrix<T> c) {
  constexpr int kMostRows = kStripRows<storage>;
  alignas(64) T panel[kDepth * kTileColumns<T>];
  const int whole = c.rows - c.rows % kMostRows;
  for (int j = 0; j < c.columns; j += kTileColumns<T>) {
    const int width = std::min(kTileColumns<T>, c.columns - j);
    const int next = j + kTileColumns<T>;
    with_vectors<T>(width, [&]<int kVectors>() {
      constexpr int kAtOnce = kTall<storage> ? 1 : kVectors, kWidth = kAtOnce * kLanes<T>;
      // A tall tile uses a number of b sixteen times, and one stored in rows is read in place.
      const bool in_place = kTall<storage> && b.step == 1 && width == kVectors * kLanes<T>;
      if (!in_place) pack<kVectors * kLanes<T>>(b.at(0, j), depth, width, panel);
      const T* const rows = in_place ? b.at(0, j).data : panel;
      const std::ptrdiff_t row = in_place ? b.row : kVectors * kLanes<T>;
      T start_row[kVectors * kLanes<T>] = {};
      if (bias != nullptr) std::copy_n(bias + j, width, start_row);
      Ahead<T> ahead(next < c.columns ? b.at(0, next) : next_b, depth, kTileColumns<T>,
                     (c.rows + kMostRows - 1) / kMostRows * (kVectors / kAtOnce));
      for (int first = 0; first < width; first += kWidth) {
        const Start<T> start = {from_c, start_row + first};
        T* const corner = c.data + j + first;
        const int columns = std::min(kWidth, width - first);
        multiply_strip<T, arithmetic, storage, kMostRows, kAtOnce>(
            a, rows + first, row, depth, start, {corner, whole, columns, c.stride}, ahead);
        if (whole == c.rows) continue;
        with_rows<kMostRows - 1>(c.rows - whole, [&]<int kRows>() {
          multiply_strip<T, arithmetic, storage, kRows, kAtOnce>(
              a.at(whole, 0), rows + first, row, depth, start,
              {corner + whole * c.stride, kRows, columns, c.stride}, ahead);
        });
      }
    });
  }
}

// Some rows of c.
template <class T, Arithmetic arithmetic>
void multiply_rows(Factor<T> a, Factor<T> b, int depth, const T* bias, Matrix<T> c, Update update) {
  const auto multiply = a.step == 1 ? multiply_panels<T, arithmetic, Storage::rows>
                                    : multiply_panels<T, arithmetic, Storage::columns>;
  int k = 0;
  do {
    const int steps = std::min(kDepth, depth - k);
    const Factor<T> next = k + steps < depth ? b.at(k + steps, 0) : Factor<T>{nullptr, 1, 1};
    multiply(a.at(0, k), b.at(k, 0), next, steps, update == Update::add || k > 0, bias, c);
    k += steps;
  } while (k < depth);
}

}  // namespace tp::TP_VECTORS
