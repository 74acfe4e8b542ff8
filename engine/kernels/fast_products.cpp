#include <algorithm>
#include <cstdint>
#include <cstring>

#include "engine/kernels/fast_set.h"
#include "engine/kernels/parallel.h"
#include "engine/kernels/tile.h"

// Products, banded products and the moving of rows around them, in register tiles (see tile.h).

namespace tp::TP_VECTORS {
namespace {

// A panel of b is packed this many steps of k at a time; the sums rest in c in between, which
// rounds nothing. 256 steps of two vectors fit into the nearest cache beside the rows of a.
constexpr int kDepth = 256;

// Fewer multiplications than this are over before a second thread has begun.
constexpr int kLeastProducts = 1 << 18;

// As many rows of a are packed at a time as fit into so many bytes, which stay in the second cache
// while all panels of b pass by.
constexpr int kPackedBytes = 1 << 17;

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

// A square of numbers as wide as the shortest vector.
template <class T>
constexpr int kSquare = 16 / static_cast<int>(sizeof(T));

// to[j, i] = from[i, j].
template <class T>
void transpose_square(const T* from, std::ptrdiff_t from_row, T* to, std::ptrdiff_t to_row) {
  typedef T Row __attribute__((vector_size(16)));
  Row row[kSquare<T>];
  for (int i = 0; i < kSquare<T>; ++i) row[i] = load<Row>(from + i * from_row);
  if constexpr (kSquare<T> == 4) {
    const Row low01 = __builtin_shufflevector(row[0], row[1], 0, 4, 1, 5);
    const Row low23 = __builtin_shufflevector(row[2], row[3], 0, 4, 1, 5);
    const Row high01 = __builtin_shufflevector(row[0], row[1], 2, 6, 3, 7);
    const Row high23 = __builtin_shufflevector(row[2], row[3], 2, 6, 3, 7);
    store(to, Row(__builtin_shufflevector(low01, low23, 0, 1, 4, 5)));
    store(to + to_row, Row(__builtin_shufflevector(low01, low23, 2, 3, 6, 7)));
    store(to + 2 * to_row, Row(__builtin_shufflevector(high01, high23, 0, 1, 4, 5)));
    store(to + 3 * to_row, Row(__builtin_shufflevector(high01, high23, 2, 3, 6, 7)));
  } else {
    store(to, Row(__builtin_shufflevector(row[0], row[1], 0, 2)));
    store(to + to_row, Row(__builtin_shufflevector(row[0], row[1], 1, 3)));
  }
}

// panel[k, j] = b[k, j], with kColumns numbers in a row of the panel, of which those beyond `width`
// are zero.
template <int kColumns, class T>
void pack(Factor<T> b, int depth, int width, T* panel) {
  constexpr int kSide = kSquare<T>;
  if (width < kColumns || (b.step != 1 && kColumns % kSide != 0)) {
    for (int k = 0; k < depth; ++k) {
      for (int j = 0; j < kColumns; ++j) {
        panel[k * kColumns + j] = j < width ? *b.at(k, j).data : T(0);
      }
    }
  } else if (b.step == 1) {
    for (int k = 0; k < depth; ++k) {
      std::memcpy(panel + k * kColumns, b.at(k, 0).data, kColumns * sizeof(T));
    }
  } else {
    // A square at a time is read along its rows and written along its columns.
    const int whole = depth - depth % kSide;
    for (int j = 0; j + kSide <= kColumns; j += kSide) {
      const T* corner = b.at(0, j).data;
      for (int k = 0; k < whole; k += kSide) {
        transpose_square(corner + k, b.step, panel + k * kColumns + j, kColumns);
      }
      for (int k = whole; k < depth; ++k) {
        for (int lane = 0; lane < kSide; ++lane) {
          panel[k * kColumns + j + lane] = corner[lane * b.step + k];
        }
      }
    }
  }
}

template <class T>
void copy_rows(ConstMatrix<T> from, Matrix<T> to) {
  for (int i = 0; i < from.rows; ++i) std::copy_n(from.row(i), from.columns, to.row(i));
}

// Calls function.operator()<kVectors>() with the vectors that `columns` columns take, at most two.
// Where a vector is short, one half-empty tile in a product costs less than the code for it.
template <class T, class Function>
TP_INLINE void with_vectors(int columns, Function function) {
  if constexpr (TP_VECTOR_BYTES > 16) {
    if (columns <= kLanes<T>) return function.template operator()<1>();
  }
  function.template operator()<2>();
}

// Where the sums of a product start: from c, or from a row that all rows share.
template <class T>
struct Start {
  bool from_c;
  const T* row;  // a whole tile wide
};

// c [rows, width] in tiles of kRows rows, out of packed tiles of a and a panel of b that is packed
// kVectors vectors wide. A function of its own for each shape of tile, so that the compiler of the
// browser has one loop at a time to find registers for.
template <class T, Arithmetic arithmetic, int kRows, int kVectors>
__attribute__((noinline)) void multiply_strip(const T* a, const T* panel, int depth, Start<T> start,
                                              Matrix<T> c) {
  constexpr int kWidth = kVectors * kLanes<T>;
  for (int i = 0; i + kRows <= c.rows; i += kRows) {
    Tile<T, arithmetic, kRows, Vector<T>, kVectors> tile;
    T* corner = c.row(i);
    if (!start.from_c) {
      tile.begin_with(start.row);
    } else if (c.columns == kWidth) {
      tile.read(corner, c.stride);
    } else {  // c ends within the tile
      T edge[kRows * kWidth] = {};
      copy_rows<T>({corner, kRows, c.columns, c.stride}, {edge, kRows, c.columns, kWidth});
      tile.read(edge, kWidth);
    }
    tile.add_products(a + i * depth, panel, depth);
    if (c.columns == kWidth) {
      tile.write(corner, c.stride);
    } else {
      T edge[kRows * kWidth];
      tile.write(edge, kWidth);
      copy_rows<T>({edge, kRows, c.columns, kWidth}, {corner, kRows, c.columns, c.stride});
    }
  }
}

// `depth` steps of k of c[i,j] = start + sum_k a[i,k] b[k,j], panel by panel, with `a` packed. The
// sums start from c, else from bias[j], else from 0.
template <class T, Arithmetic arithmetic>
void multiply_panels(const T* a, Factor<T> b, int depth, bool from_c, const T* bias, Matrix<T> c) {
  alignas(64) T panel[kDepth * kTileColumns<T>];
  const int whole = c.rows - c.rows % kTileRows;
  for (int j = 0; j < c.columns; j += kTileColumns<T>) {
    const int width = std::min(kTileColumns<T>, c.columns - j);
    with_vectors<T>(width, [&]<int kVectors>() {
      constexpr int kWidth = kVectors * kLanes<T>;
      pack<kWidth>(b.at(0, j), depth, width, panel);
      T start_row[kWidth] = {};
      if (bias != nullptr) std::copy_n(bias + j, width, start_row);
      const Start<T> start = {from_c, start_row};
      const Matrix<T> columns = c.column_range(j, width);
      multiply_strip<T, arithmetic, kTileRows, kVectors>(a, panel, depth, start,
                                                         columns.row_range(0, whole));
      if (whole == c.rows) return;
      with_rows<kTileRows - 1>(c.rows - whole, [&]<int kRows>() {
        multiply_strip<T, arithmetic, kRows, kVectors>(a + whole * depth, panel, depth, start,
                                                       columns.row_range(whole, kRows));
      });
    });
  }
}

// packed[i / kTileRows, k, i % kTileRows] = a[i, k]; the last tile has as many rows as are left.
template <class T>
void pack_tiles(Factor<T> a, int rows, int depth, T* packed) {
  int first = 0;
  if (a.row == 1) {
    // What lies side by side goes to several tiles at once: line by line of memory, and not each
    // line again for every tile.
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

// Some rows of c. Both factors are packed, so that the innermost loop walks through memory in one
// direction, whichever way they lie; b once more for every block of a.
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

// All three forms in one. Threads share the longer side of c: each packs a factor of its own, and
// all of them the other one, which is then the smaller.
template <class T, Arithmetic arithmetic>
void matmul(Factor<T> a, Factor<T> b, int depth, const T* bias, Matrix<T> c, Update update) {
  const bool by_rows = c.rows >= c.columns;
  const int longer = std::max(c.rows, c.columns), shorter = std::min(c.rows, c.columns);
  const std::int64_t products_of_line = std::max(std::int64_t{depth} * shorter, std::int64_t{1});
  const int least = static_cast<int>(kLeastProducts / products_of_line);  // lines worth a split
  for_each_part(longer, by_rows ? kTileRows : kTileColumns<T>, least, [&](int first, int last) {
    if (by_rows) {
      multiply_rows<T, arithmetic>(a.at(first, 0), b, depth, bias, c.row_range(first, last - first),
                                   update);
    } else {
      multiply_rows<T, arithmetic>(a, b.at(0, first), depth,
                                   bias == nullptr ? nullptr : bias + first,
                                   c.column_range(first, last - first), update);
    }
  });
}

template <class T, Arithmetic arithmetic>
void matmul_nn(ConstMatrix<T> a, ConstMatrix<T> b, Matrix<T> c, Update update) {
  matmul<T, arithmetic>({a.data, a.stride, 1}, {b.data, b.stride, 1}, a.columns, nullptr, c,
                        update);
}
template <class T, Arithmetic arithmetic>
void matmul_tn(ConstMatrix<T> a, ConstMatrix<T> b, Matrix<T> c, Update update) {
  matmul<T, arithmetic>({a.data, 1, a.stride}, {b.data, b.stride, 1}, a.rows, nullptr, c, update);
}
template <class T, Arithmetic arithmetic>
void affine(ConstMatrix<T> x, ConstMatrix<T> weight, std::span<const T> bias, Matrix<T> y) {
  matmul<T, arithmetic>({x.data, x.stride, 1}, {weight.data, 1, weight.stride}, x.columns,
                        bias.empty() ? nullptr : bias.data(), y, Update::assign);
}

// -------------------------------------------------------------------------------------- the band

// Tiles of attention: its products are too small for taller ones to pay.
constexpr int kBandRows = 4;

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

// Tiles that the band cuts are computed whole and stored in part.
template <class T, Arithmetic arithmetic>
void banded_nt(ConstMatrix<T> a, ConstMatrix<T> b, T scale, KeyRanges ranges, Matrix<T> s) {
  alignas(64) T panel[kDepth * kTileColumns<T>];
  const int depth = a.columns;
  for (int j = 0; j < s.columns; j += kTileColumns<T>) {
    const int width = std::min(kTileColumns<T>, s.columns - j);
    with_vectors<T>(width, [&]<int kVectors>() {
      constexpr int kWidth = kVectors * kLanes<T>;
      if (depth <= kDepth) pack<kWidth>(Factor<T>{b.row(j), 1, b.stride}, depth, width, panel);
      for (int i = 0; i < s.rows; i += kBandRows) {
        with_rows<kBandRows>(s.rows - i, [&]<int kRows>() {
          bool any = false, whole = width == kWidth;
          for (int r = i; r < i + kRows; ++r) {
            any = any || (ranges[r].begin < j + width && ranges[r].end > j);
            whole = whole && ranges[r].begin <= j && ranges[r].end >= j + kWidth;
          }
          if (!any) return;
          Tile<T, arithmetic, kRows, Vector<T>, kVectors> tile;
          tile.clear();
          for (int k = 0; k < depth; k += kDepth) {
            const int steps = std::min(kDepth, depth - k);
            if (depth > kDepth)
              pack<kWidth>(Factor<T>{b.row(j) + k, 1, b.stride}, steps, width, panel);
            tile.add_products_of_rows(a.row(i) + k, a.stride, panel, kWidth, steps);
          }
          tile.scale(scale);
          if (whole) return tile.write(s.row(i) + j, s.stride);
          T sums[kRows * kWidth];
          tile.write(sums, kWidth);
          for (int r = 0; r < kRows; ++r) {
            const int first = std::max(ranges[i + r].begin - j, 0);
            const int last = std::min(ranges[i + r].end - j, width);
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
      for_columns<T>(y.columns, [&]<class V, int kVectors>(int c) {
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
        tile.add_products_of_rows(s.row(i) + first, s.stride, b.row(first) + c, b.stride,
                                  last - first);
        where_seen(last, end);
        tile.scale(scale);
        tile.write(y.row(i) + c, y.stride);
      });
    });
  }
}

template <class T, Arithmetic arithmetic>
void banded_tn(ConstMatrix<T> s, ConstMatrix<T> b, T scale, KeyRanges ranges, Matrix<T> y) {
  for (int j = 0; j < y.rows; j += kBandRows) {
    with_rows<kBandRows>(y.rows - j, [&]<int kRows>() {
      for_columns<T>(y.columns, [&]<class V, int kVectors>(int c) {
        Tile<T, arithmetic, kRows, V, kVectors> tile;
        tile.clear();
        for (int i = 0; i < s.rows; ++i) {
          const auto [begin, end] = ranges[i];
          const T* weights = s.row(i) + j;
          if (begin <= j && end >= j + kRows) {
            tile.add_step([weights](int r) { return weights[r]; }, b.row(i) + c);
          } else if (begin < j + kRows && end > j) {  // a query that sees some keys of the tile
            TP_UNROLL for (int r = 0; r < kRows; ++r) {
              if (begin <= j + r && j + r < end) {
                tile.add_step_in_row(r, weights[r], b.row(i) + c);
              }
            }
          }
        }
        tile.scale(scale);
        tile.write(y.row(j) + c, y.stride);
      });
    });
  }
}

// ------------------------------------------------------------------------------- moving rows
// around

template <class T>
void sum_rows(ConstMatrix<T> d_y, std::span<T> d_bias) {
  T* sums = d_bias.data();
  for_each_part(d_y.columns, 16, kLeastSplit / std::max(d_y.rows, 1), [&](int first, int last) {
    for (int i = 0; i < d_y.rows; ++i) {
      const T* row = d_y.row(i);
      for (int j = first; j < last; ++j) sums[j] += row[j];
    }
  });
}

template <class T>
void gather(ConstMatrix<T> table, std::span<const int> ids, T scale, Matrix<T> y) {
  for (int i = 0; i < y.rows; ++i) {
    const T* from = table.row(ids[i]);
    T* to = y.row(i);
    for (int j = 0; j < y.columns; ++j) to[j] = scale * from[j];
  }
}

template <class T>
void scatter_add(ConstMatrix<T> d_y, std::span<const int> ids, T scale, Matrix<T> d_table) {
  for (int i = 0; i < d_y.rows; ++i) {
    const T* from = d_y.row(i);
    T* to = d_table.row(ids[i]);
    for (int j = 0; j < d_y.columns; ++j) to[j] += scale * from[j];
  }
}

template <class T>
void rotate(ConstMatrix<T> cosine, ConstMatrix<T> sine, T direction, Matrix<T> x) {
  for (int i = 0; i < x.rows; ++i) {
    const T *c = cosine.row(i), *s = sine.row(i);
    T* row = x.row(i);
    for (int pair = 0; pair < x.columns / 2; ++pair) {
      const T turn = direction * s[pair];
      const T even = row[2 * pair], odd = row[2 * pair + 1];
      row[2 * pair] = even * c[pair] - odd * turn;
      row[2 * pair + 1] = even * turn + odd * c[pair];
    }
  }
}

template <class T, Arithmetic arithmetic>
void add_products(Kernels<T>& table) {
  table.matmul_nn = matmul_nn<T, arithmetic>;
  table.matmul_tn = matmul_tn<T, arithmetic>;
  table.affine = affine<T, arithmetic>;
  table.banded_nt = banded_nt<T, arithmetic>;
  table.banded_nn = banded_nn<T, arithmetic>;
  table.banded_tn = banded_tn<T, arithmetic>;
}

}  // namespace

template <class T>
void add_fast_products(Arithmetic arithmetic, Kernels<T>& table) {
  add_products<T, Arithmetic::exact>(table);
  if constexpr (kCanFuse) {
    if (arithmetic == Arithmetic::fused) add_products<T, Arithmetic::fused>(table);
  }
  table.sum_rows = sum_rows<T>;
  table.gather = gather<T>;
  table.scatter_add = scatter_add<T>;
  table.rotate = rotate<T>;
}

template void add_fast_products(Arithmetic, Kernels<float>&);
template void add_fast_products(Arithmetic, Kernels<double>&);

}  // namespace tp::TP_VECTORS
