#include <algorithm>
#include <cstdint>
#include <cstring>

#include "engine/kernels/fast_set.h"
#include "engine/kernels/parallel.h"
#include "engine/kernels/row_product.h"

#if TP_VECTOR_BYTES == 16
#include "engine/kernels/packed_products.h"
#else
#include "engine/kernels/wide_products.h"
#endif

// Products in register tiles (see tile.h), and the moving of rows around them. How the factors
// reach the tiles depends on the width of the vectors.

namespace tp::TP_VECTORS {
namespace {

// Fewer multiplications than this are over before a second thread has begun.
constexpr int kLeastProducts = 1 << 18;

// All three forms in one. Threads share the longer side of c: each has a factor of its own, and
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
  const T* const start = bias.empty() ? nullptr : bias.data();
  int done = 0;
  if (x.rows == 1) {
    done = multiply_row<T, arithmetic>(x.data, weight, start, y.data);
    if (done == y.columns) return;
  }
  matmul<T, arithmetic>({x.data, x.stride, 1}, Factor<T>{weight.data, 1, weight.stride}.at(0, done),
                        x.columns, start == nullptr ? nullptr : start + done,
                        y.column_range(done, y.columns - done), Update::assign);
}

// -------------------------------------------------------------------------- moving rows around

// A few rows at a time go into a vector of sums, which is then read and written once for all.
template <class T>
void sum_rows(ConstMatrix<T> d_y, std::span<T> d_bias) {
  constexpr int kTogether = 8;
  T* sums = d_bias.data();
  for_each_part(d_y.columns, 16, kLeastSplit / std::max(d_y.rows, 1), [&](int first, int last) {
    for (int begin = 0; begin < d_y.rows; begin += kTogether) {
      const int end = std::min(begin + kTogether, d_y.rows);
      const auto add_to = [&]<class V>(int j) {
        V sum = load<V>(sums + j);
        for (int i = begin; i < end; ++i) sum += load<V>(d_y.row(i) + j);
        store(sums + j, sum);
      };
      int j = first;
      for (; j + kLanes<T> <= last; j += kLanes<T>) add_to.template operator()<Vector<T>>(j);
      for (; j < last; ++j) add_to.template operator()<T>(j);
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
