#include <algorithm>

#include "engine/kernels/fast_set.h"
#include "engine/kernels/packing.h"
#include "engine/kernels/tile.h"

// The products of attention, of which one matrix is banded: only the tiles that the band touches
// are computed. They are small, one for each sequence and head, and mostly the band is everything.

namespace tp::TP_VECTORS {
namespace {

// Taller tiles would not pay.
constexpr int kBandRows = 4;

// Calls function.operator()<kRows>(i) for tiles from row i on: of four rows, and of one. Others
// would be code that a page has to download.
template <class Function>
TP_INLINE void for_tiles(int rows, Function function) {
  int i = 0;
  for (; i + kBandRows <= rows; i += kBandRows) function.template operator()<kBandRows>(i);
  for (; i < rows; ++i) function.template operator()<1>(i);
}

// Calls function.operator()<V, kVectors>(c) for runs of columns from c on: two vectors, one, and at
// the end single numbers.
template <class T, class Function>
TP_INLINE void for_columns(int columns, Function function) {
  constexpr int kVector = kLanes<T>;
  int c = 0;
  for (; c + 2 * kVector <= columns; c += 2 * kVector) {
    function.template operator()<Vector<T>, 2>(c);
  }
  if (c + kVector <= columns) {
    function.template operator()<Vector<T>, 1>(c);
    c += kVector;
  }
  for (; c < columns; ++c) function.template operator()<T, 1>(c);
}

// Whether every query sees the keys from `begin` to `end`.
inline bool all_see(KeyRanges ranges, int begin, int end) {
  bool all = true;
  for (const KeyRange& range : ranges) all &= (range.begin <= begin) & (range.end >= end);
  return all;
}

// Tiles that the band cuts are computed whole and stored in part.
template <class T, Arithmetic arithmetic>
void banded_nt(ConstMatrix<T> a, ConstMatrix<T> b, T scale, KeyRanges ranges, Matrix<T> s) {
  alignas(64) T panel[kDepth * kTileColumns<T>];
  const int depth = a.columns;
  const bool everything = all_see(ranges, 0, s.columns);
  for (int j = 0; j < s.columns; j += kTileColumns<T>) {
    const int width = std::min(kTileColumns<T>, s.columns - j);
    with_vectors<T>(width, [&]<int kVectors>() {
      constexpr int kWidth = kVectors * kLanes<T>;
      if (depth <= kDepth) pack<kWidth>(Factor<T>{b.row(j), 1, b.stride}, depth, width, panel);
      for_tiles(s.rows, [&]<int kRows>(int i) {
        const KeyRanges seen = ranges.subspan(i, kRows);
        if (!everything && std::ranges::none_of(seen, [&](const KeyRange& range) {
              return range.begin < j + width && range.end > j;
            })) {
          return;
        }
        Tile<T, arithmetic, kRows, Vector<T>, kVectors> tile;
        tile.clear();
        for (int k = 0; k < depth; k += kDepth) {
          const int steps = std::min(kDepth, depth - k);
          if (depth > kDepth)
            pack<kWidth>(Factor<T>{b.row(j) + k, 1, b.stride}, steps, width, panel);
          tile.add_products(a.row(i) + k, a.stride, 1, panel, kWidth, steps);
        }
        tile.scale(scale);
        if (width == kWidth) {
          if (everything || all_see(seen, j, j + width)) return tile.write(s.row(i) + j, s.stride);
          TP_UNROLL for (int r = 0; r < kRows; ++r) {
            tile.write_between(r, seen[r].begin - j, seen[r].end - j, s.row(i + r) + j);
          }
          return;
        }
        T sums[kRows * kWidth];  // s ends within the tile
        tile.write(sums, kWidth);
        for (int r = 0; r < kRows; ++r) {
          const int first = std::max(seen[r].begin - j, 0);
          const int last = std::min(seen[r].end - j, width);
          for (int column = first; column < last; ++column) {
            s(i + r, j + column) = sums[r * kWidth + column];
          }
        }
      });
    });
  }
}

template <class T, Arithmetic arithmetic>
void banded_nn(ConstMatrix<T> s, ConstMatrix<T> b, T scale, KeyRanges ranges, Matrix<T> y) {
  for_columns<T>(b.columns, [&]<class V, int kVectors>(int c) {
    for_tiles(y.rows, [&]<int kRows>(int i) {
      // Some rows of the tile see the keys from `begin` to `end`, and all of them those from
      // `first` to `last`.
      int begin = ranges[i].begin, first = begin, last = ranges[i].end, end = last;
      for (int r = i + 1; r < i + kRows; ++r) {
        begin = std::min(begin, ranges[r].begin);
        first = std::max(first, ranges[r].begin);
        last = std::min(last, ranges[r].end);
        end = std::max(end, ranges[r].end);
      }
      first = std::min(first, end);
      last = std::max(last, first);
      Tile<T, arithmetic, kRows, V, kVectors> tile;
      tile.clear();
      const auto where_seen = [&](int from, int to) {
        for (int j = from; j < to; ++j) {
          TP_UNROLL for (int r = 0; r < kRows; ++r) {
            if (ranges[i + r].begin <= j && j < ranges[i + r].end) {
              tile.add_step_in_row(r, s(i + r, j), b.row(j) + c);
            }
          }
        }
      };
      where_seen(begin, first);
      tile.add_products(s.row(i) + first, s.stride, 1, b.row(first) + c, b.stride, last - first);
      where_seen(last, end);
      tile.scale(scale);
      tile.write(y.row(i) + c, y.stride);
    });
  });
}

template <class T, Arithmetic arithmetic>
void banded_tn(ConstMatrix<T> s, ConstMatrix<T> b, T scale, KeyRanges ranges, Matrix<T> y) {
  const bool everything = all_see(ranges, 0, s.columns);
  for_columns<T>(b.columns, [&]<class V, int kVectors>(int c) {
    for_tiles(y.rows, [&]<int kRows>(int j) {
      Tile<T, arithmetic, kRows, V, kVectors> tile;
      tile.clear();
      if (everything) {
        tile.add_products(s.row(0) + j, 1, s.stride, b.row(0) + c, b.stride, s.rows);
      } else {
        for (int i = 0; i < s.rows; ++i) {
          const auto [begin, end] = ranges[i];
          const T* weights = s.row(i) + j;
          if (begin <= j && end >= j + kRows) {
            tile.add_step([weights](int r) { return weights[r]; }, b.row(i) + c);
          } else if (begin < j + kRows && end > j) {  // a query that sees some keys of the tile
            TP_UNROLL for (int r = 0; r < kRows; ++r) {
              if (begin <= j + r && j + r < end) tile.add_step_in_row(r, weights[r], b.row(i) + c);
            }
          }
        }
      }
      tile.scale(scale);
      tile.write(y.row(j) + c, y.stride);
    });
  });
}

template <class T, Arithmetic arithmetic>
void add_bands(Kernels<T>& table) {
  table.banded_nt = banded_nt<T, arithmetic>;
  table.banded_nn = banded_nn<T, arithmetic>;
  table.banded_tn = banded_tn<T, arithmetic>;
}

}  // namespace

template <class T>
void add_fast_bands(Arithmetic arithmetic, Kernels<T>& table) {
  add_bands<T, Arithmetic::exact>(table);
  if constexpr (kCanFuse) {
    if (arithmetic == Arithmetic::fused) add_bands<T, Arithmetic::fused>(table);
  }
}

template void add_fast_bands(Arithmetic, Kernels<float>&);
template void add_fast_bands(Arithmetic, Kernels<double>&);

}  // namespace tp::TP_VECTORS
