#include <algorithm>

#include "engine/kernels/kernel_sets.h"
#include "engine/kernels/tile.h"

// Products, banded products and the moving of rows around them, in register tiles (see tile.h).

namespace tp {
namespace {

// A panel of b is packed this many steps of k at a time; the sums rest in c in between, which
// rounds nothing.
constexpr int kDepth = 256;

// panel[k, j] = b[k, j] or, transposed, b[j, k]; columns beyond `width` are zero.
template <class T>
void pack(const T* b, std::ptrdiff_t b_k, std::ptrdiff_t b_j, int depth, int width, T* panel) {
  constexpr int kColumns = Tile<T>::kColumns;
  if (width < kColumns) {
    for (int k = 0; k < depth; ++k) {
      for (int j = 0; j < kColumns; ++j) {
        panel[k * kColumns + j] = j < width ? b[k * b_k + j * b_j] : T(0);
      }
    }
  } else if (b_j == 1) {
    for (int k = 0; k < depth; ++k) std::copy_n(b + k * b_k, kColumns, panel + k * kColumns);
  } else {
    // A square of lanes at a time is read along its rows and written along its columns.
    constexpr int kLanes = Tile<T>::kLanes;
    const int whole = depth - depth % kLanes;
    for (int j = 0; j < kColumns; j += kLanes) {
      const T* corner = b + j * b_j;
      for (int k = 0; k < whole; k += kLanes) {
        Tile<T>::transpose(corner + k, b_j, panel + k * kColumns + j, kColumns);
      }
      for (int k = whole; k < depth; ++k) {
        for (int lane = 0; lane < kLanes; ++lane) {
          panel[k * kColumns + j + lane] = corner[lane * b_j + k];
        }
      }
    }
  }
}

// c[i,j] = sum_k a[i * a_row + k * a_step] b[k * b_k + j * b_j], all three forms in one.
template <class T>
void matmul(const T* a, std::ptrdiff_t a_row, std::ptrdiff_t a_step, const T* b, std::ptrdiff_t b_k,
            std::ptrdiff_t b_j, int depth, Matrix<T> c, Update update) {
  T packed[kDepth * Tile<T>::kColumns];
  for (int j = 0; j < c.columns; j += Tile<T>::kColumns) {
    const int width = std::min(Tile<T>::kColumns, c.columns - j);
    int k = 0;
    do {
      const int steps = std::min(kDepth, depth - k);
      const T* panel = b + k * b_k + j * b_j;
      std::ptrdiff_t panel_step = b_k;
      if (b_j != 1 || width < Tile<T>::kColumns || c.rows > 4 * Tile<T>::kRows) {
        pack(panel, b_k, b_j, steps, width, packed);
        panel = packed;
        panel_step = Tile<T>::kColumns;
      }
      const bool add = update == Update::add || k > 0;
      for (int i = 0; i < c.rows; i += Tile<T>::kRows) {
        Tile<T>::multiply(a + i * a_row + k * a_step, a_row, a_step, panel, panel_step, steps, add,
                          std::min(Tile<T>::kRows, c.rows - i), width, c.row(i) + j, c.stride);
      }
      k += steps;
    } while (k < depth);
  }
}

template <class T>
void matmul_nn(ConstMatrix<T> a, ConstMatrix<T> b, Matrix<T> c, Update update) {
  matmul<T>(a.data, a.stride, 1, b.data, b.stride, 1, a.columns, c, update);
}
template <class T>
void matmul_nt(ConstMatrix<T> a, ConstMatrix<T> b, Matrix<T> c, Update update) {
  matmul<T>(a.data, a.stride, 1, b.data, 1, b.stride, a.columns, c, update);
}
template <class T>
void matmul_tn(ConstMatrix<T> a, ConstMatrix<T> b, Matrix<T> c, Update update) {
  matmul<T>(a.data, 1, a.stride, b.data, b.stride, 1, a.rows, c, update);
}

// Tiles that the band cuts are computed whole and stored in part.
template <class T>
void banded_nt(ConstMatrix<T> a, ConstMatrix<T> b, T scale, KeyRanges ranges, Matrix<T> s) {
  constexpr int kColumns = Tile<T>::kColumns, kRows = Tile<T>::kRows;
  T panel[kDepth * kColumns];
  for (int j = 0; j < s.columns; j += kColumns) {
    const int width = std::min(kColumns, s.columns - j);
    if (a.columns <= kDepth) pack(b.row(j), 1, b.stride, a.columns, width, panel);
    for (int i = 0; i < s.rows; i += kRows) {
      const int rows = std::min(kRows, s.rows - i);
      const auto meets = [&](int r) { return ranges[r].begin < j + width && ranges[r].end > j; };
      bool any = false;
      for (int r = i; r < i + rows; ++r) any = any || meets(r);
      if (!any) continue;
      T sums[kRows * kColumns] = {};
      for (int k = 0; k < a.columns; k += kDepth) {
        const int steps = std::min(kDepth, a.columns - k);
        if (a.columns > kDepth) pack(b.row(j) + k, 1, b.stride, steps, width, panel);
        Tile<T>::multiply(a.row(i) + k, a.stride, 1, panel, kColumns, steps, true, rows, kColumns,
                          sums, kColumns);
      }
      for (int r = 0; r < rows; ++r) {
        const int first = std::max(ranges[i + r].begin - j, 0);
        const int last = std::min(ranges[i + r].end - j, width);
        for (int column = first; column < last; ++column) {
          s(i + r, j + column) = scale * sums[r * kColumns + column];
        }
      }
    }
  }
}

// y row += factor * b row, for the steps where a tile's rows part ways.
template <class T>
void add_scaled(const T* b, T factor, int count, T* y) {
  for (int c = 0; c < count; ++c) y[c] += factor * b[c];
}

template <class T>
void banded_nn(ConstMatrix<T> s, ConstMatrix<T> b, T scale, KeyRanges ranges, Matrix<T> y) {
  constexpr int kColumns = Tile<T>::kColumns, kRows = Tile<T>::kRows;
  const int whole = y.columns - y.columns % kColumns;
  for (int i = 0; i < y.rows; i += kRows) {
    const int rows = std::min(kRows, y.rows - i);
    // The keys that all rows of the tile begin with; rows that begin elsewhere go alone.
    const int begin = ranges[i].begin;
    int shared = ranges[i].end;
    for (int r = i; r < i + rows; ++r) {
      shared = ranges[r].begin == begin ? std::min(shared, ranges[r].end) : begin;
    }
    for (int c = 0; c < whole; c += kColumns) {
      Tile<T>::multiply(s.row(i) + begin, s.stride, 1, b.row(begin) + c, b.stride, shared - begin,
                        false, rows, kColumns, y.row(i) + c, y.stride);
    }
    for (int r = i; r < i + rows; ++r) {
      T* row = y.row(r);
      std::fill(row + whole, row + y.columns, T(0));
      for (int j = begin; j < shared; ++j) {
        add_scaled(b.row(j) + whole, s(r, j), y.columns - whole, row + whole);
      }
      const int rest = shared > begin ? shared : ranges[r].begin;
      for (int j = rest; j < ranges[r].end; ++j) add_scaled(b.row(j), s(r, j), y.columns, row);
      for (int c = 0; c < y.columns; ++c) row[c] *= scale;
    }
  }
}

template <class T>
void banded_tn(ConstMatrix<T> s, ConstMatrix<T> b, T scale, KeyRanges ranges, Matrix<T> y) {
  constexpr int kColumns = Tile<T>::kColumns, kRows = Tile<T>::kRows;
  const int whole = y.columns - y.columns % kColumns;
  for (int j = 0; j < y.rows; j += kRows) {
    const int rows = std::min(kRows, y.rows - j);
    for (int r = j; r < j + rows; ++r) std::fill(y.row(r), y.row(r) + y.columns, T(0));
    const auto covers = [&](int i) { return ranges[i].begin <= j && ranges[i].end >= j + rows; };
    for (int i = 0; i < s.rows;) {
      int run = i;
      while (run < s.rows && covers(run)) ++run;
      for (int c = 0; c < whole && run > i; c += kColumns) {
        Tile<T>::multiply(s.row(i) + j, 1, s.stride, b.row(i) + c, b.stride, run - i, true, rows,
                          kColumns, y.row(j) + c, y.stride);
      }
      for (int q = i; q < run; ++q) {
        for (int r = j; r < j + rows; ++r) {
          add_scaled(b.row(q) + whole, s(q, r), y.columns - whole, y.row(r) + whole);
        }
      }
      if (run == i) {  // a query that sees only some keys of the tile
        const int first = std::max(j, ranges[i].begin), last = std::min(j + rows, ranges[i].end);
        for (int r = first; r < last; ++r) add_scaled(b.row(i), s(i, r), y.columns, y.row(r));
        ++run;
      }
      i = run;
    }
    for (int r = j; r < j + rows; ++r) {
      for (int c = 0; c < y.columns; ++c) y(r, c) *= scale;
    }
  }
}

template <class T>
void broadcast_row(std::span<const T> bias, Matrix<T> y) {
  for (int i = 0; i < y.rows; ++i) std::copy(bias.begin(), bias.end(), y.row(i));
}

template <class T>
void sum_rows(ConstMatrix<T> d_y, std::span<T> d_bias) {
  for (int i = 0; i < d_y.rows; ++i) {
    const T* row = d_y.row(i);
    for (int j = 0; j < d_y.columns; ++j) d_bias[j] += row[j];
  }
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
    add_scaled(d_y.row(i), scale, d_y.columns, d_table.row(ids[i]));
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

}  // namespace

template <class T>
void add_fast_products(Kernels<T>& table) {
  table.matmul_nn = matmul_nn<T>;
  table.matmul_nt = matmul_nt<T>;
  table.matmul_tn = matmul_tn<T>;
  table.banded_nt = banded_nt<T>;
  table.banded_nn = banded_nn<T>;
  table.banded_tn = banded_tn<T>;
  table.broadcast_row = broadcast_row<T>;
  table.sum_rows = sum_rows<T>;
  table.gather = gather<T>;
  table.scatter_add = scatter_add<T>;
  table.rotate = rotate<T>;
}

template void add_fast_products(Kernels<float>&);
template void add_fast_products(Kernels<double>&);

}  // namespace tp
