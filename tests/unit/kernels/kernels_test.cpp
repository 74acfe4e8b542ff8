#include "engine/kernels/kernels.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "engine/core/hash.h"
#include "engine/core/rng.h"

// The fast set compiled for vectors of 512 bits without the instructions for them (see
// CMakeLists.txt): the tiles of AVX-512 on any machine.
namespace tp::plain512 {
template <class T>
const Kernels<T>* fast_set(Arithmetic arithmetic);
}

namespace tp {
namespace {

template <class T>
class KernelsOf : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(KernelsOf, Types);

template <class T>
std::vector<T> random_numbers(std::size_t count, std::uint64_t stream) {
  Rng rng(7, stream);
  std::vector<T> numbers(count);
  for (T& x : numbers) x = static_cast<T>(rng.normal());
  return numbers;
}

// A matrix with its memory, inside wider rows: kernels must respect the stride, and guard columns,
// or what follows the last row, show that they do not write beside it.
template <class T>
struct Owned {
  std::vector<T> memory;
  int rows, columns, stride;
  Owned(int r, int c, std::uint64_t stream, int gap = 3)
      : memory(random_numbers<T>(static_cast<std::size_t>(r * (c + gap) + 17), stream)),
        rows(r),
        columns(c),
        stride(c + gap) {}
  Matrix<T> view() { return {memory.data(), rows, columns, stride}; }
};

constexpr int kSizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33};

// Runs `operation`, which gives what it wrote, with the reference set and with the fast set of
// every width that this machine has, on equal inputs.
template <class T>
void expect_same_bits(const std::function<std::vector<T>(const Kernels<T>&)>& operation,
                      const std::string& what) {
  for (const Arithmetic arithmetic : {Arithmetic::exact, Arithmetic::fused}) {
    const std::vector<T> reference = operation(reference_kernels<T>(arithmetic));
    const auto compare = [&](const Kernels<T>* kernels, int bits) {
      if (kernels == nullptr) return;
      const std::vector<T> fast = operation(*kernels);
      ASSERT_EQ(reference.size(), fast.size());
      EXPECT_EQ(Hash().add(std::span<const T>(reference)).value(),
                Hash().add(std::span<const T>(fast)).value())
          << what << ", " << kernels->name << " with vectors of " << bits << " bits";
    };
    for (const int bits : kVectorBits) compare(fast_kernels_of<T>(bits, arithmetic), bits);
    compare(plain512::fast_set<T>(arithmetic), 512);
  }
}

TYPED_TEST(KernelsOf, ProductsAgreeBitForBitInEverySize) {
  using T = TypeParam;
  for (int m : kSizes) {
    for (int n : kSizes) {
      for (int k : {1, 3, 8, 300}) {
        for (Update update : {Update::assign, Update::add}) {
          const auto shape = std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k);
          const auto run = [&](auto member, int ar, int ac, int br, int bc) {
            expect_same_bits<T>(
                [&](const Kernels<T>& kernels) {
                  Owned<T> a(ar, ac, 1), b(br, bc, 2), c(m, n, 3);
                  (kernels.*member)(a.view(), b.view(), c.view(), update);
                  return c.memory;
                },
                shape);
          };
          run(&Kernels<T>::matmul_nn, m, k, k, n);
          run(&Kernels<T>::matmul_tn, k, m, k, n);
        }
        expect_same_bits<T>(
            [&](const Kernels<T>& kernels) {
              Owned<T> x(m, k, 1), weight(n, k, 2), y(m, n, 3), z(m, n, 4);
              kernels.affine(x.view(), weight.view(), random_numbers<T>(n, 5), y.view());
              kernels.affine(x.view(), weight.view(), {}, z.view());
              y.memory.insert(y.memory.end(), z.memory.begin(), z.memory.end());
              return y.memory;
            },
            "affine");
      }
    }
  }
}

// More rows than are packed at once, more depth than a panel has, and nothing at all.
TYPED_TEST(KernelsOf, ProductsAgreeInLargeAndEmptySizes) {
  using T = TypeParam;
  const int shapes[][3] = {{300, 9, 300}, {5, 70, 513}, {4, 5, 0}, {0, 5, 4}, {4, 0, 5}};
  for (const auto& shape : shapes) {
    const int m = shape[0], n = shape[1], k = shape[2];
    expect_same_bits<T>(
        [&](const Kernels<T>& kernels) {
          Owned<T> a(m, k, 1), a_transposed(k, m, 1), b(k, n, 2), b_transposed(n, k, 2), c(m, n, 3);
          kernels.matmul_nn(a.view(), b.view(), c.view(), Update::add);
          kernels.matmul_tn(a_transposed.view(), b.view(), c.view(), Update::add);
          Owned<T> y(m, n, 4);
          kernels.affine(a.view(), b_transposed.view(), random_numbers<T>(n, 5), y.view());
          c.memory.insert(c.memory.end(), y.memory.begin(), y.memory.end());
          return c.memory;
        },
        std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k));
  }
}

std::vector<KeyRange> causal(int queries) {
  std::vector<KeyRange> ranges(queries);
  for (int i = 0; i < queries; ++i) ranges[i] = {0, i + 1};
  return ranges;
}
std::vector<KeyRange> window(int queries, int keys, int reach) {
  std::vector<KeyRange> ranges(queries);
  for (int i = 0; i < queries; ++i) {
    const int centre = std::min(i, keys - 1);
    ranges[i] = {std::max(0, centre - reach), std::min(keys, centre + reach + 1)};
  }
  return ranges;
}
std::vector<KeyRange> all(int queries, int keys) {
  return std::vector<KeyRange>(queries, KeyRange{0, keys});
}

TYPED_TEST(KernelsOf, BandedProductsAndSoftmaxAgreeBitForBit) {
  using T = TypeParam;
  for (int queries : kSizes) {
    for (int width : {1, 4, 8, 10, 270}) {
      const int keys = queries;
      for (const auto& ranges : {causal(queries), window(queries, keys, 2), all(queries, keys)}) {
        expect_same_bits<T>(
            [&](const Kernels<T>& kernels) {
              Owned<T> a(queries, width, 1), b(keys, width, 2), s(queries, keys, 3);
              kernels.banded_nt(a.view(), b.view(), T(0.5), ranges, s.view());
              return s.memory;
            },
            "banded_nt");
        expect_same_bits<T>(
            [&](const Kernels<T>& kernels) {
              Owned<T> s(queries, keys, 1), b(keys, width, 2), y(queries, width, 3);
              kernels.banded_nn(s.view(), b.view(), T(0.3), ranges, y.view());
              return y.memory;
            },
            "banded_nn");
        expect_same_bits<T>(
            [&](const Kernels<T>& kernels) {
              Owned<T> s(queries, keys, 1), b(queries, width, 2), y(keys, width, 3);
              kernels.banded_tn(s.view(), b.view(), T(0.3), ranges, y.view());
              return y.memory;
            },
            "banded_tn");
        for (const int gap : {0, 3}) {
          expect_same_bits<T>(
              [&](const Kernels<T>& kernels) {
                Owned<T> s(queries, keys, 1, gap), d(queries, keys, 2, gap);
                kernels.softmax(s.view(), ranges, s.view());
                kernels.softmax_backward(s.view(), d.view(), ranges, d.view());
                s.memory.insert(s.memory.end(), d.memory.begin(), d.memory.end());
                return s.memory;
              },
              "softmax");
        }
      }
    }
  }
}

// Where heads share a place, what lies outside the band is left from another head. The rows are
// more than are worked on together, and end within a block.
TYPED_TEST(KernelsOf, NothingOutsideTheBandIsUsed) {
  using T = TypeParam;
  constexpr int kQueries = 41, kKeys = 37, kWidth = 5;
  for (const int reach : {3, 20}) {
    const std::vector<KeyRange> ranges = window(kQueries, kKeys, reach);
    const auto spoil_outside = [&](Owned<T>& owned) {
      for (int i = 0; i < kQueries; ++i) {
        for (int j = 0; j < kKeys; ++j) {
          if (j >= ranges[i].begin && j < ranges[i].end) continue;
          owned.view()(i, j) = std::numeric_limits<T>::quiet_NaN();
        }
      }
    };
    expect_same_bits<T>(
        [&](const Kernels<T>& kernels) {
          Owned<T> s(kQueries, kKeys, 1), d(kQueries, kKeys, 2), b(kKeys, kWidth, 3);
          Owned<T> c(kQueries, kWidth, 4), y(kQueries, kWidth, 5), z(kKeys, kWidth, 6);
          spoil_outside(s);
          spoil_outside(d);
          kernels.banded_nn(s.view(), b.view(), T(0.5), ranges, y.view());
          kernels.banded_tn(s.view(), c.view(), T(0.5), ranges, z.view());
          kernels.softmax(s.view(), ranges, s.view());
          kernels.softmax_backward(s.view(), d.view(), ranges, d.view());
          std::vector<T> all;
          for (const Owned<T>* part : {&s, &d, &y, &z}) {
            all.insert(all.end(), part->memory.begin(), part->memory.end());
          }
          for (const T x : all) EXPECT_TRUE(std::isfinite(x)) << kernels.name;
          return all;
        },
        "reach " + std::to_string(reach));
  }
}

TYPED_TEST(KernelsOf, RowOperationsAgreeBitForBit) {
  using T = TypeParam;
  for (int rows : {1, 3}) {
    for (int d : kSizes) {
      expect_same_bits<T>(
          [&](const Kernels<T>& kernels) {
            Owned<T> x(rows, d, 1), y(rows, d, 2), d_y(rows, d, 3);
            auto gamma = random_numbers<T>(d, 4), beta = random_numbers<T>(d, 5);
            auto d_gamma = random_numbers<T>(d, 6), d_beta = random_numbers<T>(d, 7);
            std::vector<T> mean(rows), inverse_std(rows);
            kernels.layer_norm(x.view(), gamma, beta, T(1e-5), mean, inverse_std, y.view());
            kernels.layer_norm_backward(d_y.view(), x.view(), gamma, mean, inverse_std, y.view(),
                                        d_gamma, d_beta);
            for (auto* part : {&mean, &inverse_std, &d_gamma, &d_beta}) {
              y.memory.insert(y.memory.end(), part->begin(), part->end());
            }
            return y.memory;
          },
          "layer_norm");
      expect_same_bits<T>(
          [&](const Kernels<T>& kernels) {
            Owned<T> x(rows, d, 1), y(rows, d, 2), d_y(rows, d, 3);
            auto gamma = random_numbers<T>(d, 4), d_gamma = random_numbers<T>(d, 5);
            std::vector<T> inverse_rms(rows);
            kernels.rms_norm(x.view(), gamma, T(1e-5), inverse_rms, y.view());
            std::vector<T> all = y.memory;
            kernels.rms_norm_backward(d_y.view(), x.view(), gamma, inverse_rms, y.view(), d_gamma);
            for (auto* part : {&y.memory, &inverse_rms, &d_gamma}) {
              all.insert(all.end(), part->begin(), part->end());
            }
            return all;
          },
          "rms_norm");
      expect_same_bits<T>(
          [&](const Kernels<T>& kernels) {
            Owned<T> z(rows, d, 1), p(rows, d, 2), d_z(rows, d, 3);
            const std::vector<int> labels = {d - 1, kIgnoredLabel, 0};
            std::vector<T> losses(rows);
            kernels.cross_entropy(z.view(), labels, T(0.1), p.view(), losses);
            kernels.cross_entropy_backward(p.view(), labels, T(0.1), T(0.5), d_z.view());
            d_z.memory.insert(d_z.memory.end(), p.memory.begin(), p.memory.end());
            d_z.memory.insert(d_z.memory.end(), losses.begin(), losses.end());
            return d_z.memory;
          },
          "cross_entropy");
      expect_same_bits<T>(
          [&](const Kernels<T>& kernels) {
            const auto a = random_numbers<T>(d, 1), b = random_numbers<T>(d, 2);
            std::vector<T> y = {kernels.sum(a), T(kernels.sum_of_squares(a)),
                                T(kernels.squared_distance(a, b)), kernels.squared_error(a, b)};
            std::vector<T> d_x(d);
            kernels.squared_error_backward(a, b, T(3), d_x);
            y.insert(y.end(), d_x.begin(), d_x.end());
            return y;
          },
          "sums");
    }
  }
}

TYPED_TEST(KernelsOf, ElementAndRowMovesAgreeBitForBit) {
  using T = TypeParam;
  for (int n : kSizes) {
    expect_same_bits<T>(
        [&](const Kernels<T>& kernels) {
          const auto a = random_numbers<T>(n, 1), b = random_numbers<T>(n, 2);
          std::vector<T> all_results, y(n);
          const auto keep = [&] { all_results.insert(all_results.end(), y.begin(), y.end()); };
          kernels.add(a, b, y), keep();
          kernels.multiply(a, b, y), keep();
          kernels.scale(a, T(3), y), keep();
          kernels.relu(a, y), keep();
          kernels.relu_backward(b, a, y), keep();
          kernels.gelu(a, y), keep();
          kernels.gelu_backward(b, a, y), keep();
          auto m = random_numbers<T>(n, 3), v = random_numbers<T>(n, 4);
          for (T& x : v) x = x * x;
          kernels.adam(a, {1e-3, 0.9, 0.98, 1e-9, 0.1, 0.02, 0.01, 0.99}, m, v, y), keep();
          kernels.momentum(a, {1e-3, 0.9, 0.01}, m, y), keep();
          y = m, keep();
          y = v, keep();
          return all_results;
        },
        "elements");
    expect_same_bits<T>(
        [&](const Kernels<T>& kernels) {
          Owned<T> table(5, n, 1), y(4, n, 2), cosine(4, n, 3), sine(4, n, 4);
          auto bias = random_numbers<T>(n, 5);
          const std::vector<int> ids = {4, 0, 4, 2};
          kernels.gather(table.view(), ids, T(2), y.view());
          kernels.scatter_add(y.view(), ids, T(0.5), table.view());
          kernels.rotate(cosine.view(), sine.view(), T(-1), y.view());
          kernels.sum_rows(y.view(), bias);
          table.memory.insert(table.memory.end(), y.memory.begin(), y.memory.end());
          return table.memory;
        },
        "rows");
  }
}

// The order of a sum can be seen: 2^24 + 1 is 2^24 in float, so what a sum of such numbers gives
// tells which were added to which.
TYPED_TEST(KernelsOf, SumsFollowTheRuleOfSixteenPartials) {
  using T = TypeParam;
  const T big = std::ldexp(T(1), std::numeric_limits<T>::digits);  // big + 1 == big
  std::vector<T> x(40, T(0));
  x[0] = big, x[16] = 1, x[32] = -big, x[1] = 1;
  // partial 0: (big + 1) - big = 0;  partial 1: 1. Plain left-to-right order would give 0.
  EXPECT_EQ(reference_kernels<T>().sum(x), T(1));
  EXPECT_EQ(fast_kernels<T>().sum(x), T(1));
  // p[0] + p[8] comes first, so that big and -big meet before 1 joins them.
  std::vector<T> y(16, T(0));
  y[0] = big, y[8] = -big, y[4] = 1;
  EXPECT_EQ(reference_kernels<T>().sum(y), T(1));
  EXPECT_EQ(fast_kernels<T>().sum(y), T(1));
  // A product has one accumulator: big + 1 - big = 0, in this order.
  std::vector<T> row = {big, T(1), -big}, ones = {T(1), T(1), T(1)}, out(1);
  for (const Kernels<T>* kernels : {&reference_kernels<T>(), &fast_kernels<T>()}) {
    kernels->affine(Matrix<T>(row.data(), 1, 3), Matrix<T>(ones.data(), 1, 3), {},
                    Matrix<T>(out.data(), 1, 1));
    EXPECT_EQ(out[0], T(0)) << kernels->name;
  }
}

// (1 + e)^2 - (1 + 2e) is e^2, which gets lost unless the product goes into the sum unrounded.
TYPED_TEST(KernelsOf, FusedProductsRoundOnceAndExactOnesTwice) {
  using T = TypeParam;
  const T small = sizeof(T) == 4 ? T(0x1p-12) : T(0x1p-27);
  const auto last_term = [small](const Kernels<T>& kernels) {
    std::vector<T> x = {1 + small}, weight = {1 + small}, bias = {-1 - 2 * small}, y(1);
    kernels.affine(Matrix<T>(x.data(), 1, 1), Matrix<T>(weight.data(), 1, 1), bias,
                   Matrix<T>(y.data(), 1, 1));
    return y[0];
  };
  EXPECT_EQ(last_term(reference_kernels<T>(Arithmetic::exact)), T(0));
  EXPECT_EQ(last_term(reference_kernels<T>(Arithmetic::fused)), small * small);
  EXPECT_EQ(last_term(fast_kernels<T>(Arithmetic::exact)), T(0));
  if (can_fuse()) {
    EXPECT_EQ(last_term(fast_kernels<T>(Arithmetic::fused)), small * small);
  }
}

// The comparison above can fail: change one number of one operation of one set and it is seen.
TEST(KernelComparison, SeesABrokenOperation) {
  Kernels<float> broken = fast_kernels<float>();
  broken.matmul_nn = [](ConstMatrix<float> a, ConstMatrix<float> b, Matrix<float> c,
                        Update update) {
    fast_kernels<float>().matmul_nn(a, b, c, update);
    c(0, 0) = std::nextafter(c(0, 0), 1e30f);
  };
  const auto run = [](const Kernels<float>& kernels) {
    Owned<float> a(3, 4, 1), b(4, 5, 2), c(3, 5, 3);
    kernels.matmul_nn(a.view(), b.view(), c.view(), Update::assign);
    return Hash().add(std::span<const float>(c.memory)).value();
  };
  EXPECT_EQ(run(fast_kernels<float>()), run(reference_kernels<float>()));
  EXPECT_NE(run(broken), run(reference_kernels<float>()));
}

TYPED_TEST(KernelsOf, AWeightOfMinusInfinityIsZeroAndNaNIsNotHidden) {
  using T = TypeParam;
  const T infinity = std::numeric_limits<T>::infinity();
  for (const Kernels<T>* kernels : {&reference_kernels<T>(), &fast_kernels<T>()}) {
    std::vector<T> scores = {-infinity, 1, 1}, weights(3);
    const std::vector<KeyRange> everything = {{0, 3}};
    kernels->softmax(Matrix<T>(scores.data(), 1, 3), everything, Matrix<T>(weights.data(), 1, 3));
    EXPECT_EQ(weights, (std::vector<T>{0, T(0.5), T(0.5)}));
    std::vector<T> x = {std::numeric_limits<T>::quiet_NaN()}, y(1);
    kernels->relu(x, y);
    EXPECT_TRUE(std::isnan(y[0]));
  }
}

// The figures of the mathematics lesson.
TYPED_TEST(KernelsOf, FiguresOfTheLesson) {
  using T = TypeParam;
  for (const Kernels<T>* kernels : {&reference_kernels<T>(), &fast_kernels<T>()}) {
    std::vector<T> a = {1, 2, 3, 4}, b = {5, 6, 7, 8}, c(4);
    kernels->matmul_nn(Matrix<T>(a.data(), 2, 2), Matrix<T>(b.data(), 2, 2),
                       Matrix<T>(c.data(), 2, 2), Update::assign);
    EXPECT_EQ(c, (std::vector<T>{19, 22, 43, 50}));

    std::vector<T> u = {1, 2, 3}, v = {4, 5, 6}, dot(1);
    kernels->affine(Matrix<T>(u.data(), 1, 3), Matrix<T>(v.data(), 1, 3), {},
                    Matrix<T>(dot.data(), 1, 1));
    EXPECT_EQ(dot[0], T(32));

    std::vector<T> z = {T(2.0), T(1.0), T(0.1)}, p(3);
    const std::vector<KeyRange> everything = {{0, 3}};
    kernels->softmax(Matrix<T>(z.data(), 1, 3), everything, Matrix<T>(p.data(), 1, 3));
    const double softmax[] = {0.6590, 0.2424, 0.0986};
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(p[j], softmax[j], 5e-5);

    // Truth [0,1,0], prediction [0.2,0.7,0.1]: logits are the logarithms.
    std::vector<T> logits = {T(std::log(0.2)), T(std::log(0.7)), T(std::log(0.1))}, loss(1);
    const std::vector<int> label = {1};
    kernels->cross_entropy(Matrix<T>(logits.data(), 1, 3), label, T(0), Matrix<T>(p.data(), 1, 3),
                           loss);
    EXPECT_NEAR(loss[0], 0.3567, 5e-5);
    EXPECT_NEAR(p[1], 0.7, 1e-6);
  }
}

}  // namespace
}  // namespace tp
