#include <algorithm>

#include "engine/kernels/fast_set.h"
#include "engine/kernels/packing.h"
#include "engine/kernels/tile.h"

// The products of attention, of which one matrix is banded: only the tiles that the band touches
// are computed. They are small, one for each sequence and head, and mostly the band is everything.

namespace tp::TP_VECTORS {
namespace {

constexpr int kBandRows = TP_VECTOR_BYTES == 64 ? 8 : 4;

// Rows of the second factor, `stride` apart.
template <class T>
struct Rows {
  const T* data;
  std::ptrdiff_t stride;
  const T* operator[](int i) const { return data + i * stride; }
};

// Calls function.operator()<V, kVectors>(c, rows) for runs of columns of b from c on: two vectors,
// one, and at the end single numbers. The rows of a head lie as far apart as the model is wide,
// often a power of two, and would push each other out of the nearest cache: they are moved together
// where each is a line of it.
template <class T, class Function>
TP_INLINE void for_columns(ConstMatrix<T> b, Function function) {
  constexpr int kVector = kLanes<T>;
  alignas(64) T panel[kDepth * kTileColumns<T>];
  const auto of = [&]<int kVectors>(int c) -> Rows<T> {
    constexpr int kWidth = kVectors * kVector;
    if (TP_VECTOR_BYTES < 64 || b.rows > kDepth) return {b.data + c, b.stride};
    pack<kWidth>(Factor<T>{b.data + c, b.stride, 1}, b.rows, kWidth, panel);
    return {panel, kWidth};
  };
  int c = 0;
  for (; c + 2 * kVector <= b.columns; c += 2 * kVector) {
    function.template operator()<Vector<T>, 2>(c, of.template operator()<2>(c));
  }
  if (c + kVector <= b.columns) {
    function.template operator()<Vector<T>, 1>(c, of.template operator()<1>(c));
    c += kVector;
  }
  for (; c < b.columns; ++c) {
    function.template operator()<T, 1>(c, Rows<T>{b.data + c, b.stride});
  }
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
      for (int i = 0; i < s.rows; i += kBandRows) {
        with_rows<kBandRows>(s.rows - i, [&]<int kRows>() {
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
            if (everything || all_see(seen, j, j + width))
              return tile.write(s.row(i) + j, s.stride);
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
      }
    });
  }
}

template <class T, Arithmetic arithmetic>
void banded_nn(ConstMatrix<T> s, ConstMatrix<T> b, T scale, KeyRanges ranges, Matrix<T> y) {
  for_columns<T>(b, [&]<class V, int kVectors>(int c, Rows<T> rows) {
    for (int i = 0; i < y.rows; i += kBandRows) {
      with_rows<kBandRows>(y.rows - i, [&]<int kRows>() {
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
                tile.add_step_in_row(r, s(i + r, j), rows[j]);
              }
            }
          }
        };
        where_seen(begin, first);
        tile.add_products(s.row(i) + first, s.stride, 1, rows[first], rows.stride, last - first);
        where_seen(last, end);
        tile.scale(scale);
        tile.write(y.row(i) + c, y.stride);
      });
    }
  });
}

template <class T, Arithmetic arithmetic>
void banded_tn(ConstMatrix<T> s, ConstMatrix<T> b, T scale, KeyRanges ranges, Matrix<T> y) {
  const bool everything = all_see(ranges, 0, s.columns);
  for_columns<T>(b, [&]<class V, int kVectors>(int c, Rows<T> rows) {
    for (int j = 0; j < y.rows; j += kBandRows) {
      with_rows<kBandRows>(y.rows - j, [&]<int kRows>() {
        Tile<T, arithmetic, kRows, V, kVectors> tile;
        tile.clear();
        if (everything) {
          tile.add_products(s.row(0) + j, 1, s.stride, rows[0], rows.stride, s.rows);
        } else {
          for (int i = 0; i < s.rows; ++i) {
            const auto [begin, end] = ranges[i];
            const T* weights = s.row(i) + j;
            if (begin <= j && end >= j + kRows) {
              tile.add_step([weights](int r) { return weights[r]; }, rows[i]);
            } else if (begin < j + kRows && end > j) {  // a query that sees some keys of the tile
              TP_UNROLL for (int r = 0; r < kRows; ++r) {
                if (begin <= j + r && j + r < end) tile.add_step_in_row(r, weights[r], rows[i]);
              }
            }
          }
        }
        tile.scale(scale);
        tile.write(y.row(j) + c, y.stride);
      });
    }
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
