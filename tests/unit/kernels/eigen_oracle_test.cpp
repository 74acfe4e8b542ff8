#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/core/rng.h"
#include "engine/kernels/kernels.h"

// Eigen as a second oracle: products, softmax and norm of every kernel set against the same
// formulas in Eigen, in double precision. The kernels' own comparison says that the sets agree with
// each other; this one says that they compute what they should.
//
// An element may be wrong by kTolerance times its scale: the formula with every term replaced by
// its absolute value, which is what rounding errors grow with.

namespace tp {
namespace {

using Table = Eigen::Array<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class T>
constexpr double kTolerance = sizeof(T) == 4 ? 1e-5 : 1e-12;

Table times(const Table& a, const Table& b) { return a.matrix() * b.matrix(); }

// A matrix inside wider rows, and what it holds as a table of Eigen.
template <class T>
struct Operand {
  int rows, columns, stride;
  std::vector<T> memory;
  Operand(int r, int c, Rng& rng) : rows(r), columns(c), stride(c + 3), memory(r * stride + 1) {
    for (T& x : memory) x = static_cast<T>(rng.normal());
  }
  Matrix<T> view() { return {memory.data(), rows, columns, stride}; }
  Table table() const {
    const auto at = [this](Eigen::Index i, Eigen::Index j) {
      return double{memory[static_cast<std::size_t>(i * stride + j)]};
    };
    return Table::NullaryExpr(rows, columns, at);
  }
};
template <class T>
Table row(std::span<const T> x) {
  return Eigen::Map<const Eigen::Array<T, 1, Eigen::Dynamic>>(x.data(),
                                                              static_cast<Eigen::Index>(x.size()))
      .template cast<double>();
}
template <class T>
std::vector<T> numbers(int count, Rng& rng) {
  std::vector<T> made(count);
  for (T& x : made) x = static_cast<T>(rng.normal());
  return made;
}

// The largest error, in what is allowed: above 1 is wrong.
template <class T>
double error(const Table& got, const Table& wanted, const Table& scale) {
  if (got.size() == 0) return 0;
  const Table errors = (got - wanted).abs() / (kTolerance<T> * scale + 1e-300);
  return errors.isFinite().all() ? errors.maxCoeff() : 1e300;
}

struct Shape {
  int m, n, depth;
};

template <class T>
double product_error(const Kernels<T>& kernels, const Shape& shape, Rng& rng) {
  const auto [m, n, depth] = shape;
  Operand<T> a(m, depth, rng), a_t(depth, m, rng), b(depth, n, rng), b_t(n, depth, rng);
  const std::vector<T> bias = numbers<T>(n, rng);
  double worst = 0;
  const auto compare = [&](const Operand<T>& y, const Table& start, const Table& left,
                           const Table& right) {
    worst = std::max(worst, error<T>(y.table(), start + times(left, right),
                                     start.abs() + times(left.abs(), right.abs())));
  };
  const Table zeros = Table::Zero(m, n);
  for (const Update update : {Update::assign, Update::add}) {
    Operand<T> y(m, n, rng), z(m, n, rng);
    const Table y_start = update == Update::add ? y.table() : zeros;
    const Table z_start = update == Update::add ? z.table() : zeros;
    kernels.matmul_nn(a.view(), b.view(), y.view(), update);
    compare(y, y_start, a.table(), b.table());
    kernels.matmul_tn(a_t.view(), b.view(), z.view(), update);
    compare(z, z_start, a_t.table().transpose(), b.table());
  }
  Operand<T> y(m, n, rng);
  kernels.affine(a.view(), b_t.view(), {}, y.view());
  compare(y, zeros, a.table(), b_t.table().transpose());
  kernels.affine(a.view(), b_t.view(), bias, y.view());
  compare(y, row<T>(bias).replicate(m, 1), a.table(), b_t.table().transpose());
  return worst;
}

// Any range of at least one key for each query, and what it lets through as ones and zeros.
struct Band {
  std::vector<KeyRange> ranges;
  Table mask;
  Band(int queries, int keys, Rng& rng) : mask(Table::Zero(queries, keys)) {
    for (int i = 0; i < queries; ++i) {
      const int first = static_cast<int>(rng.below(keys)), last = static_cast<int>(rng.below(keys));
      ranges.push_back({std::min(first, last), std::max(first, last) + 1});
      for (int j = ranges[i].begin; j < ranges[i].end; ++j) mask(i, j) = 1;
    }
  }
};

template <class T>
double banded_error(const Kernels<T>& kernels, int queries, int keys, int width, Rng& rng) {
  const Band band(queries, keys, rng);
  Operand<T> a(queries, width, rng), b(keys, width, rng), s(queries, keys, rng);
  const T scale = T(0.75);
  double worst = 0;
  const auto compare = [&](const Table& got, const Table& left, const Table& right) {
    worst = std::max(
        worst, error<T>(got, double{scale} * times(left, right), times(left.abs(), right.abs())));
  };
  const Table inside = s.table() * band.mask;
  Operand<T> y(queries, width, rng), z(keys, width, rng);
  kernels.banded_nn(s.view(), b.view(), scale, band.ranges, y.view());
  compare(y.table(), inside, b.table());
  kernels.banded_tn(s.view(), a.view(), scale, band.ranges, z.view());
  compare(z.table(), inside.transpose(), a.table());
  // Outside the band the old values stay.
  const Table before = s.table() * (1 - band.mask);
  kernels.banded_nt(a.view(), b.view(), scale, band.ranges, s.view());
  const Table b_t = b.table().transpose();
  return std::max(worst,
                  error<T>(s.table(), before + double{scale} * times(a.table(), b_t) * band.mask,
                           times(a.table().abs(), b_t.abs()) * band.mask));
}

// w = exp(s) / sum exp(s) over the band;  d_s = w (d_w - sum w d_w)
template <class T>
double softmax_error(const Kernels<T>& kernels, int queries, int keys, Rng& rng) {
  const Band band(queries, keys, rng);
  Operand<T> s(queries, keys, rng), w(queries, keys, rng), d_w(queries, keys, rng);
  Operand<T> d_s(queries, keys, rng);
  const Table powers = s.table().exp() * band.mask;
  const Table wanted = powers / powers.rowwise().sum().replicate(1, keys);
  kernels.softmax(s.view(), band.ranges, w.view());
  const double forward = error<T>(w.table(), wanted, wanted);
  kernels.softmax_backward(w.view(), d_w.view(), band.ranges, d_s.view());
  const auto row_sums = [&](const Table& x) -> Table {
    return x.rowwise().sum().replicate(1, keys);
  };
  const Table d_y = d_w.table();
  return std::max(forward, error<T>(d_s.table(), wanted * (d_y - row_sums(wanted * d_y)),
                                    wanted * (d_y.abs() + row_sums(wanted * d_y.abs()))));
}

// x^ = (x - mean) / std;  y = gamma x^ + beta
// d_x = (g - mean(g) - x^ mean(g x^)) / std with g = gamma d_y;  d_gamma += sum d_y x^;
// d_beta += sum d_y
template <class T>
double layer_norm_error(const Kernels<T>& kernels, int rows, int d, Rng& rng) {
  constexpr double kEps = 1e-5;
  Operand<T> x(rows, d, rng), y(rows, d, rng), d_y(rows, d, rng), d_x(rows, d, rng);
  const std::vector<T> gamma = numbers<T>(d, rng), beta = numbers<T>(d, rng);
  std::vector<T> mean(rows), inverse_std(rows);
  std::vector<T> d_gamma = numbers<T>(d, rng), d_beta = numbers<T>(d, rng);
  const Table d_gamma_start = row<T>(d_gamma), d_beta_start = row<T>(d_beta);

  const auto over_rows = [&](const Table& values) -> Table {
    return values.rowwise().mean().replicate(1, d);
  };
  const Table in = x.table(), centred = in - over_rows(in);
  const Table inverse = (over_rows(centred.square()) + double{T(kEps)}).rsqrt();
  const Table normed = centred * inverse;
  // Where the numbers of a row are nearly equal, their mean takes their leading digits away.
  const Table lost = 1 + in.abs().rowwise().maxCoeff().replicate(1, d) * inverse;
  const Table gammas = row<T>(gamma).replicate(rows, 1), betas = row<T>(beta).replicate(rows, 1);

  kernels.layer_norm(x.view(), gamma, beta, T(kEps), mean, inverse_std, y.view());
  double worst =
      error<T>(y.table(), gammas * normed + betas, gammas.abs() * lost.square() + betas.abs());
  kernels.layer_norm(x.view(), gamma, {}, T(kEps), mean, inverse_std, y.view());
  worst = std::max(worst, error<T>(y.table(), gammas * normed, gammas.abs() * lost.square()));

  kernels.layer_norm_backward(d_y.view(), x.view(), gamma, mean, inverse_std, d_x.view(), d_gamma,
                              d_beta);
  const Table d_out = d_y.table(), g = gammas * d_out;
  const Table wanted = inverse * (g - over_rows(g) - normed * over_rows(g * normed));
  const Table scale =
      inverse * (g.abs() + over_rows(g.abs()) + normed.abs() * over_rows(g.abs() * normed.abs()));
  worst = std::max(worst, error<T>(d_x.table(), wanted, scale * lost.square()));
  worst =
      std::max(worst, error<T>(row<T>(d_gamma), d_gamma_start + (d_out * normed).colwise().sum(),
                               d_gamma_start.abs() + (d_out.abs() * lost).colwise().sum()));
  return std::max(worst, error<T>(row<T>(d_beta), d_beta_start + d_out.colwise().sum(),
                                  d_beta_start.abs() + d_out.abs().colwise().sum()));
}

// Sizes around the edges of tiles, often; any other, sometimes.
int random_size(Rng& rng) {
  constexpr int kEdges[] = {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 65};
  return rng.below(4) == 0 ? 1 + static_cast<int>(rng.below(150)) : kEdges[rng.below(15)];
}

// Runs `error_of` with the reference set and every fast set of this machine, at random shapes.
template <class T, class Error>
void compare_with_eigen(Error error_of) {
  for (const Arithmetic arithmetic : {Arithmetic::exact, Arithmetic::fused}) {
    std::vector<const Kernels<T>*> sets = {&reference_kernels<T>(arithmetic)};
    for (const int bits : kVectorBits) sets.push_back(fast_kernels_of<T>(bits, arithmetic));
    for (std::size_t i = 0; i < sets.size(); ++i) {
      if (sets[i] == nullptr) continue;
      for (int round = 0; round < 60; ++round) {
        Rng rng(11, static_cast<std::uint64_t>(round));
        const int m = random_size(rng), n = random_size(rng), depth = random_size(rng);
        EXPECT_LE(error_of(*sets[i], Shape{m, n, depth}, rng), 1)
            << sets[i]->name << " " << i << ", " << m << "x" << n << "x" << depth;
      }
    }
  }
}

template <class T>
class EigenOracle : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(EigenOracle, Types);

TYPED_TEST(EigenOracle, Products) {
  compare_with_eigen<TypeParam>(product_error<TypeParam>);
  for (const auto& kernels : {reference_kernels<TypeParam>(), fast_kernels<TypeParam>()}) {
    Rng rng(12, 0);
    for (const Shape& shape :
         {Shape{300, 9, 300}, Shape{4, 5, 0}, Shape{0, 5, 4}, Shape{4, 0, 5}}) {
      EXPECT_LE(product_error(kernels, shape, rng), 1) << kernels.name;
    }
  }
}

TYPED_TEST(EigenOracle, BandedProducts) {
  compare_with_eigen<TypeParam>([](const Kernels<TypeParam>& kernels, const Shape& s, Rng& rng) {
    return banded_error(kernels, s.m, s.n, s.depth, rng);
  });
}

TYPED_TEST(EigenOracle, Softmax) {
  compare_with_eigen<TypeParam>([](const Kernels<TypeParam>& kernels, const Shape& s, Rng& rng) {
    return softmax_error(kernels, s.m, s.n, rng);
  });
}

TYPED_TEST(EigenOracle, LayerNorm) {
  compare_with_eigen<TypeParam>([](const Kernels<TypeParam>& kernels, const Shape& s, Rng& rng) {
    return layer_norm_error(kernels, s.m, s.n, rng);
  });
}

// Four thousandths too much in one element, or one term left out, is seen.
TYPED_TEST(EigenOracle, SeesBrokenKernels) {
  using T = TypeParam;
  Kernels<T> broken = fast_kernels<T>();
  broken.matmul_tn = [](ConstMatrix<T> a, ConstMatrix<T> b, Matrix<T> c, Update update) {
    fast_kernels<T>().matmul_tn({a.data, a.rows - 1, a.columns, a.stride},
                                {b.data, b.rows - 1, b.columns, b.stride}, c, update);
  };
  broken.banded_nn = [](ConstMatrix<T> s, ConstMatrix<T> b, T scale, KeyRanges ranges,
                        Matrix<T> y) {
    std::vector<KeyRange> wider(ranges.begin(), ranges.end());
    wider[0] = {0, s.columns};
    fast_kernels<T>().banded_nn(s, b, scale, wider, y);
  };
  broken.softmax_backward = [](ConstMatrix<T> w, ConstMatrix<T> d_w, KeyRanges ranges,
                               Matrix<T> d_s) {
    fast_kernels<T>().softmax_backward(w, d_w, ranges, d_s);
    d_s(0, ranges[0].begin) *= T(1.004);
  };
  broken.layer_norm_backward = [](ConstMatrix<T> d_y, ConstMatrix<T> x, std::span<const T> gamma,
                                  std::span<const T> mean, std::span<const T> inverse_std,
                                  Matrix<T> d_x, std::span<T> d_gamma, std::span<T> d_beta) {
    fast_kernels<T>().layer_norm_backward(d_y, x, gamma, mean, inverse_std, d_x, d_gamma, d_beta);
    d_gamma[0] *= T(1.004);
  };
  const auto errors = [](const Kernels<T>& kernels) {
    Rng rng(13, 0);
    return std::vector<double>{
        product_error(kernels, {9, 7, 33}, rng), banded_error(kernels, 9, 17, 8, rng),
        softmax_error(kernels, 5, 17, rng), layer_norm_error(kernels, 5, 17, rng)};
  };
  for (const double right : errors(fast_kernels<T>())) EXPECT_LE(right, 1);
  for (const double wrong : errors(broken)) EXPECT_GT(wrong, 1);
}

}  // namespace
}  // namespace tp
