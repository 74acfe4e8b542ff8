#include "engine/kernels/kernel_sets.h"

// Products, banded products and the moving of rows around them, as textbook loops.

namespace tp {
namespace {

template <class T>
void matmul_nn(ConstMatrix<T> a, ConstMatrix<T> b, Matrix<T> c, Update update) {
  for (int i = 0; i < c.rows; ++i) {
    for (int j = 0; j < c.columns; ++j) {
      T sum = update == Update::add ? c(i, j) : T(0);
      for (int k = 0; k < a.columns; ++k) sum += a(i, k) * b(k, j);
      c(i, j) = sum;
    }
  }
}

template <class T>
void matmul_nt(ConstMatrix<T> a, ConstMatrix<T> b, Matrix<T> c, Update update) {
  for (int i = 0; i < c.rows; ++i) {
    for (int j = 0; j < c.columns; ++j) {
      T sum = update == Update::add ? c(i, j) : T(0);
      for (int k = 0; k < a.columns; ++k) sum += a(i, k) * b(j, k);
      c(i, j) = sum;
    }
  }
}

template <class T>
void matmul_tn(ConstMatrix<T> a, ConstMatrix<T> b, Matrix<T> c, Update update) {
  for (int i = 0; i < c.rows; ++i) {
    for (int j = 0; j < c.columns; ++j) {
      T sum = update == Update::add ? c(i, j) : T(0);
      for (int k = 0; k < a.rows; ++k) sum += a(k, i) * b(k, j);
      c(i, j) = sum;
    }
  }
}

template <class T>
void banded_nt(ConstMatrix<T> a, ConstMatrix<T> b, T scale, KeyRanges ranges, Matrix<T> s) {
  for (int i = 0; i < s.rows; ++i) {
    for (int j = ranges[i].begin; j < ranges[i].end; ++j) {
      T sum = 0;
      for (int c = 0; c < a.columns; ++c) sum += a(i, c) * b(j, c);
      s(i, j) = scale * sum;
    }
  }
}

template <class T>
void banded_nn(ConstMatrix<T> s, ConstMatrix<T> b, T scale, KeyRanges ranges, Matrix<T> y) {
  for (int i = 0; i < y.rows; ++i) {
    for (int c = 0; c < y.columns; ++c) {
      T sum = 0;
      for (int j = ranges[i].begin; j < ranges[i].end; ++j) sum += s(i, j) * b(j, c);
      y(i, c) = scale * sum;
    }
  }
}

template <class T>
void banded_tn(ConstMatrix<T> s, ConstMatrix<T> b, T scale, KeyRanges ranges, Matrix<T> y) {
  for (int j = 0; j < y.rows; ++j) {
    for (int c = 0; c < y.columns; ++c) {
      T sum = 0;
      for (int i = 0; i < s.rows; ++i) {
        if (ranges[i].begin <= j && j < ranges[i].end) sum += s(i, j) * b(i, c);
      }
      y(j, c) = scale * sum;
    }
  }
}

template <class T>
void broadcast_row(std::span<const T> bias, Matrix<T> y) {
  for (int i = 0; i < y.rows; ++i) {
    for (int j = 0; j < y.columns; ++j) y(i, j) = bias[j];
  }
}

template <class T>
void sum_rows(ConstMatrix<T> d_y, std::span<T> d_bias) {
  for (int j = 0; j < d_y.columns; ++j) {
    T sum = d_bias[j];
    for (int i = 0; i < d_y.rows; ++i) sum += d_y(i, j);
    d_bias[j] = sum;
  }
}

template <class T>
void gather(ConstMatrix<T> table, std::span<const int> ids, T scale, Matrix<T> y) {
  for (int i = 0; i < y.rows; ++i) {
    for (int j = 0; j < y.columns; ++j) y(i, j) = scale * table(ids[i], j);
  }
}

template <class T>
void scatter_add(ConstMatrix<T> d_y, std::span<const int> ids, T scale, Matrix<T> d_table) {
  for (int i = 0; i < d_y.rows; ++i) {
    for (int j = 0; j < d_y.columns; ++j) d_table(ids[i], j) += scale * d_y(i, j);
  }
}

template <class T>
void rotate(ConstMatrix<T> cosine, ConstMatrix<T> sine, T direction, Matrix<T> x) {
  for (int i = 0; i < x.rows; ++i) {
    for (int pair = 0; pair < x.columns / 2; ++pair) {
      const T c = cosine(i, pair), s = direction * sine(i, pair);
      const T even = x(i, 2 * pair), odd = x(i, 2 * pair + 1);
      x(i, 2 * pair) = even * c - odd * s;
      x(i, 2 * pair + 1) = even * s + odd * c;
    }
  }
}

}  // namespace

template <class T>
void add_reference_products(Kernels<T>& table) {
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

template void add_reference_products(Kernels<float>&);
template void add_reference_products(Kernels<double>&);

}  // namespace tp
