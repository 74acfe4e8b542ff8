#include <cmath>

#include "engine/kernels/reference_set.h"

// Products, banded products and the moving of rows around them, as textbook loops.

namespace tp {
namespace {

// sum + a * b, rounded once when fused and twice when exact.
template <Arithmetic arithmetic, class T>
T multiply_add(T a, T b, T sum) {
  return arithmetic == Arithmetic::fused ? std::fma(a, b, sum) : sum + a * b;
}

template <class T, Arithmetic arithmetic>
void matmul_nn(ConstMatrix<T> a, ConstMatrix<T> b, Matrix<T> c, Update update) {
  for (int i = 0; i < c.rows; ++i) {
    for (int j = 0; j < c.columns; ++j) {
      T sum = update == Update::add ? c(i, j) : T(0);
      for (int k = 0; k < a.columns; ++k) sum = multiply_add<arithmetic>(a(i, k), b(k, j), sum);
      c(i, j) = sum;
    }
  }
}

template <class T, Arithmetic arithmetic>
void matmul_tn(ConstMatrix<T> a, ConstMatrix<T> b, Matrix<T> c, Update update) {
  for (int i = 0; i < c.rows; ++i) {
    for (int j = 0; j < c.columns; ++j) {
      T sum = update == Update::add ? c(i, j) : T(0);
      for (int k = 0; k < a.rows; ++k) sum = multiply_add<arithmetic>(a(k, i), b(k, j), sum);
      c(i, j) = sum;
    }
  }
}

template <class T, Arithmetic arithmetic>
void banded_nt(ConstMatrix<T> a, ConstMatrix<T> b, T scale, KeyRanges ranges, Matrix<T> s) {
  for (int i = 0; i < s.rows; ++i) {
    for (int j = ranges[i].begin; j < ranges[i].end; ++j) {
      T sum = 0;
      for (int c = 0; c < a.columns; ++c) sum = multiply_add<arithmetic>(a(i, c), b(j, c), sum);
      s(i, j) = scale * sum;
    }
  }
}

template <class T, Arithmetic arithmetic>
void banded_nn(ConstMatrix<T> s, ConstMatrix<T> b, T scale, KeyRanges ranges, Matrix<T> y) {
  for (int i = 0; i < y.rows; ++i) {
    for (int c = 0; c < y.columns; ++c) {
      T sum = 0;
      for (int j = ranges[i].begin; j < ranges[i].end; ++j)
        sum = multiply_add<arithmetic>(s(i, j), b(j, c), sum);
      y(i, c) = scale * sum;
    }
  }
}

template <class T, Arithmetic arithmetic>
void banded_tn(ConstMatrix<T> s, ConstMatrix<T> b, T scale, KeyRanges ranges, Matrix<T> y) {
  for (int j = 0; j < y.rows; ++j) {
    for (int c = 0; c < y.columns; ++c) {
      T sum = 0;
      for (int i = 0; i < s.rows; ++i) {
        if (ranges[i].begin <= j && j < ranges[i].end)
          sum = multiply_add<arithmetic>(s(i, j), b(i, c), sum);
      }
      y(j, c) = scale * sum;
    }
  }
}

template <class T, Arithmetic arithmetic>
void affine(ConstMatrix<T> x, ConstMatrix<T> weight, std::span<const T> bias, Matrix<T> y) {
  for (int i = 0; i < y.rows; ++i) {
    for (int o = 0; o < y.columns; ++o) {
      T sum = bias.empty() ? T(0) : bias[o];
      for (int k = 0; k < x.columns; ++k) {
        sum = multiply_add<arithmetic>(x(i, k), weight(o, k), sum);
      }
      y(i, o) = sum;
    }
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
void add_reference_products(Arithmetic arithmetic, Kernels<T>& table) {
  if (arithmetic == Arithmetic::fused) {
    add_products<T, Arithmetic::fused>(table);
  } else {
    add_products<T, Arithmetic::exact>(table);
  }
  table.sum_rows = sum_rows<T>;
  table.gather = gather<T>;
  table.scatter_add = scatter_add<T>;
  table.rotate = rotate<T>;
}

template void add_reference_products(Arithmetic, Kernels<float>&);
template void add_reference_products(Arithmetic, Kernels<double>&);

}  // namespace tp
