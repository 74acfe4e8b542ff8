#include "engine/core/maths.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>
#include <vector>

#include "engine/core/hash.h"
#include "engine/core/rng.h"

namespace tp {
namespace {

// Under WebAssembly long double is emulated, so fewer points there, and its library functions are
// only as good as those for double, which the bounds on doubles must allow for. The step is odd, so
// that every pattern of low bits occurs.
#ifdef __EMSCRIPTEN__
constexpr std::uint64_t kFloatStep = 400'009;
constexpr int kDoublePoints = 3'000;
constexpr double kReferenceError = 1;
#else
constexpr std::uint64_t kFloatStep = 8'191;
constexpr int kDoublePoints = 100'000;
constexpr double kReferenceError = 0;
#endif

// The distance of y from the true value, in units of the last place of a T of that size.
template <class T>
double ulps(T y, long double exact) {
  using Limits = std::numeric_limits<T>;
  const T rounded = static_cast<T>(exact);
  if (!std::isfinite(rounded) || !std::isfinite(y)) {
    const bool same = std::isnan(rounded) ? std::isnan(y) : y == rounded;
    return same ? 0 : std::numeric_limits<double>::infinity();
  }
  int exponent = Limits::min_exponent;
  if (rounded != 0) exponent = std::max(exponent, std::ilogb(rounded) + 1);
  return static_cast<double>(
      std::ldexp(std::fabs(static_cast<long double>(y) - exact), Limits::digits - exponent));
}

template <class T>
struct Worst {
  double error = 0;
  T at = 0;

  void see(T x, T y, long double exact) {
    const double here = ulps(y, exact);
    if (here > error) *this = {here, x};
  }
};

// One function in one type: our version, the reference, and the bound that maths.h states.
template <class T>
struct Function {
  const char* name;
  T (*ours)(T);
  long double (*exact)(long double);
  double bound;
  double limit;  // the bound holds for |x| <= limit
};

template <class T>
std::vector<Function<T>> functions(std::vector<double> bounds) {
  return {
      {"exp", maths::exp, [](long double x) { return std::exp(x); }, bounds[0], INFINITY},
      {"log", maths::log, [](long double x) { return std::log(x); }, bounds[1], INFINITY},
      {"tanh", maths::tanh, [](long double x) { return std::tanh(x); }, bounds[2], INFINITY},
      {"erf", maths::erf, [](long double x) { return std::erf(x); }, bounds[3], INFINITY},
      {"sin", maths::sin, [](long double x) { return std::sin(x); }, bounds[4], 1.6e6},
      {"cos", maths::cos, [](long double x) { return std::cos(x); }, bounds[5], 1.6e6},
  };
}
std::vector<Function<float>> float_functions() {
  return functions<float>({0.99, 0.93, 1.34, 1.39, 0.57, 0.57});
}
std::vector<Function<double>> double_functions() {
  return functions<double>({0.9, 0.9, 1.4, 1.7, 0.8, 0.8});
}

// Every magnitude, both signs, subnormals and NaNs occur among the bit patterns.
TEST(Maths, FloatErrorsStayWithinTheStatedBounds) {
  for (const Function<float>& f : float_functions()) {
    Worst<float> worst;
    for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 32; bits += kFloatStep) {
      const float x = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
      if (std::fabs(x) > f.limit) continue;
      const long double exact = f.exact(x);
      const bool flushed = f.name == std::string_view("exp") && exact < 0x1p-126L;
      worst.see(x, f.ours(x), flushed ? 0.0L : exact);
    }
    EXPECT_LE(worst.error, f.bound) << f.name << "(" << worst.at << ")";
  }
}

// Random bit patterns for every magnitude, and evenly spread numbers where the functions bend.
TEST(Maths, DoubleErrorsStayWithinTheStatedBounds) {
  Rng rng(1);
  for (const Function<double>& f : double_functions()) {
    Worst<double> worst;
    const auto see = [&](double x) {
      if (std::fabs(x) <= f.limit) worst.see(x, f.ours(x), f.exact(x));
    };
    for (int i = 0; i < kDoublePoints; ++i) {
      see(std::bit_cast<double>(rng.next_u64()));
      see(rng.uniform(-1.5, 1.5));
      see(rng.uniform(-6, 6));
      see(rng.uniform(-745, 710));
      see(rng.uniform(-1.6e6, 1.6e6));
    }
    EXPECT_LE(worst.error, f.bound + kReferenceError) << f.name << "(" << worst.at << ")";
  }
}

// Where almost all bits of the argument cancel: the doubles next to multiples of pi/2.
TEST(Maths, SineAndCosineAreExactNextToTheirZeros) {
  Worst<double> sine, cosine;
  for (int n = 1; n < 1'000'000; n += 1 + 3'000'000 / kDoublePoints) {
    const double x = static_cast<double>(n * 1.570796326794896619231321691639751442L);
    sine.see(x, maths::sin(x), std::sin(static_cast<long double>(x)));
    cosine.see(x, maths::cos(x), std::cos(static_cast<long double>(x)));
  }
  EXPECT_LE(sine.error, 0.8 + kReferenceError) << sine.at;
  EXPECT_LE(cosine.error, 0.8 + kReferenceError) << cosine.at;
}

TEST(Maths, PowerStaysWithinTheStatedBound) {
  Rng rng(2);
  Worst<double> worst;
  for (const double base : {10'000.0, 500.0, 2.0, 1.0 / 3, 1.0001, 1e-300, 4e-310, 1e300}) {
    const double widest = 22 / std::fabs(std::log(base));
    for (int i = 0; i < kDoublePoints / 4; ++i) {
      const double exponent = rng.uniform(-widest, widest);
      worst.see(exponent, maths::pow(base, exponent),
                std::pow(static_cast<long double>(base), static_cast<long double>(exponent)));
    }
  }
  EXPECT_LE(worst.error, 0.9 + kReferenceError) << "exponent " << worst.at;
}

template <class T>
class MathsOf : public testing::Test {};
using FloatAndDouble = testing::Types<float, double>;
TYPED_TEST_SUITE(MathsOf, FloatAndDouble);

// Equal as bits: -0 is not +0, and one NaN is not another.
template <class T>
testing::AssertionResult same_bits(T a, T b) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  if (std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b)) return testing::AssertionSuccess();
  return testing::AssertionFailure() << a << " is not " << b;
}

TYPED_TEST(MathsOf, SpecialValues) {
  using T = TypeParam;
  using Limits = std::numeric_limits<T>;
  constexpr T zero = 0, one = 1, infinity = Limits::infinity(), nan = Limits::quiet_NaN();
  constexpr T tiny = Limits::denorm_min();

  EXPECT_TRUE(same_bits(maths::exp(zero), one));
  EXPECT_TRUE(same_bits(maths::exp(-zero), one));
  EXPECT_TRUE(same_bits(maths::exp(infinity), infinity));
  EXPECT_TRUE(same_bits(maths::exp(-infinity), zero));
  EXPECT_TRUE(same_bits(maths::exp(Limits::max()), infinity));
  EXPECT_TRUE(same_bits(maths::exp(-Limits::max()), zero));

  EXPECT_TRUE(same_bits(maths::log(one), zero));
  EXPECT_TRUE(same_bits(maths::log(zero), -infinity));
  EXPECT_TRUE(same_bits(maths::log(-zero), -infinity));
  EXPECT_TRUE(same_bits(maths::log(infinity), infinity));
  EXPECT_TRUE(same_bits(maths::log(-one), nan));
  EXPECT_TRUE(same_bits(maths::log(-tiny), nan));
  EXPECT_TRUE(same_bits(maths::log(-infinity), nan));

  for (T (*odd)(T) : {static_cast<T (*)(T)>(maths::tanh), static_cast<T (*)(T)>(maths::erf)}) {
    EXPECT_TRUE(same_bits(odd(infinity), one));
    EXPECT_TRUE(same_bits(odd(-infinity), -one));
    EXPECT_TRUE(same_bits(odd(Limits::max()), one));
  }
  for (T (*odd)(T) : {static_cast<T (*)(T)>(maths::tanh), static_cast<T (*)(T)>(maths::erf),
                      static_cast<T (*)(T)>(maths::sin)}) {
    EXPECT_TRUE(same_bits(odd(zero), zero));
    EXPECT_TRUE(same_bits(odd(-zero), -zero));
    EXPECT_TRUE(same_bits(odd(tiny), tiny));
    EXPECT_TRUE(same_bits(odd(-tiny), -tiny));
    for (T x = T{0.0625}; x < 50; x *= T{1.375}) EXPECT_TRUE(same_bits(odd(-x), -odd(x)));
  }

  EXPECT_TRUE(same_bits(maths::cos(zero), one));
  EXPECT_TRUE(same_bits(maths::cos(-zero), one));
  EXPECT_TRUE(same_bits(maths::sin(infinity), nan));
  EXPECT_TRUE(same_bits(maths::cos(-infinity), nan));

  for (const Function<T>& f : functions<T>({0, 0, 0, 0, 0, 0})) {
    EXPECT_TRUE(same_bits(f.ours(nan), nan)) << f.name;
    EXPECT_TRUE(same_bits(f.ours(-nan), -nan)) << f.name;
  }
}

TYPED_TEST(MathsOf, SineAndCosineStayInBoundsForHugeArguments) {
  using T = TypeParam;
  for (T x = 1e6; x < std::numeric_limits<T>::infinity(); x *= T{1.625}) {
    EXPECT_LE(std::fabs(maths::sin(x)), 1) << x;
    EXPECT_LE(std::fabs(maths::cos(-x)), 1) << x;
  }
}

// The last float that gives a number, on each side, and its neighbour.
TEST(Maths, FloatExponentialEndsWhereFloatsEnd) {
  const float highest = 0x1.62e42ep+6f, lowest = -0x1.5d589ep+6f;
  EXPECT_LT(maths::exp(highest), std::numeric_limits<float>::infinity());
  EXPECT_EQ(maths::exp(std::nextafter(highest, 100.0f)), std::numeric_limits<float>::infinity());
  EXPECT_GE(maths::exp(lowest), std::numeric_limits<float>::min());
  EXPECT_EQ(maths::exp(std::nextafter(lowest, -100.0f)), 0);
}

TEST(Maths, DoubleExponentialUnderflowsGradually) {
  EXPECT_EQ(maths::exp(-745.1), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(maths::exp(-745.2), 0);
  EXPECT_LT(maths::exp(709.78), std::numeric_limits<double>::infinity());
  EXPECT_EQ(maths::exp(709.79), std::numeric_limits<double>::infinity());
}

TEST(Maths, PowerOfSpecialValues) {
  const double infinity = INFINITY, nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(maths::pow(10'000, 0), 1);
  EXPECT_EQ(maths::pow(1, 1e300), 1);
  EXPECT_EQ(maths::pow(10'000, -0.5), 0.01);
  EXPECT_EQ(maths::pow(2, 10), 1024);
  EXPECT_EQ(maths::pow(0, 2), 0);
  EXPECT_EQ(maths::pow(0, -2), infinity);
  EXPECT_EQ(maths::pow(infinity, 2), infinity);
  EXPECT_EQ(maths::pow(infinity, -2), 0);
  EXPECT_EQ(maths::pow(2, infinity), infinity);
  EXPECT_EQ(maths::pow(2, -infinity), 0);
  EXPECT_EQ(maths::pow(0.5, infinity), 0);
  EXPECT_EQ(maths::pow(10, 400), infinity);
  EXPECT_EQ(maths::pow(10, -400), 0);
  EXPECT_TRUE(same_bits(maths::pow(-2, 2), nan));
  EXPECT_TRUE(same_bits(maths::pow(nan, 2), nan));
  EXPECT_TRUE(same_bits(maths::pow(2, nan), nan));
}

// One fingerprint of the outputs for 65,536 bit patterns, as many everyday numbers and as many
// small ones: every compiler, optimisation level and machine must print these.
template <class T, class Bits>
std::uint64_t fingerprint(T (*function)(T)) {
  Rng rng(3);
  std::vector<T> values;
  for (int i = 0; i < 1 << 16; ++i) {
    values.push_back(std::bit_cast<T>(static_cast<Bits>(rng.next_u64())));
    values.push_back(static_cast<T>(rng.uniform(-20, 20)));
    values.push_back(static_cast<T>(rng.uniform(-1, 1)));
  }
  for (T& x : values) x = function(x);
  return Hash().add(values).value();
}

TEST(Maths, EveryBuildGivesTheseBits) {
  const std::uint64_t floats[] = {0x747019ca19dd0b52, 0x5dca5b4f37485fdd, 0xd229a48dd24530f2,
                                  0x33fecb4b586eaae6, 0xe7b516299747be1a, 0x7ff403ec45b6748b};
  const std::uint64_t doubles[] = {0x60d532fc316ee410, 0x49020aed1f505025, 0xeb840054312bb5f5,
                                   0x5d5800d4081cdd51, 0xd876dff7a7f192f0, 0x627120c81b10e26a};
  const auto float_table = float_functions();
  const auto double_table = double_functions();
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ((fingerprint<float, std::uint32_t>(float_table[i].ours)), floats[i])
        << "float " << float_table[i].name;
    EXPECT_EQ((fingerprint<double, std::uint64_t>(double_table[i].ours)), doubles[i])
        << "double " << double_table[i].name;
  }
  Hash powers;
  for (int i = 0; i < 512; ++i) {
    powers.add(std::bit_cast<std::uint64_t>(maths::pow(10'000, -i / 512.0)));
  }
  EXPECT_EQ(powers.value(), 0x6eb2aa073966e88au);
}

// A loop that calls the inline functions is compiled to vector code (Clang always, GCC from -O3);
// its vectors and its remainder must agree with single calls.
template <class Inlined>
void expect_loop_equals_single_calls(Inlined inlined, float (*single)(float)) {
  std::vector<float> x(1003), y(x.size());
  Rng rng(4);
  for (float& value : x) value = std::bit_cast<float>(rng.next_u32());
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = inlined(x[i]);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_TRUE(same_bits(y[i], single(x[i]))) << x[i];
}

TEST(Maths, ALoopGivesTheBitsOfSingleCalls) {
  expect_loop_equals_single_calls([](float x) { return maths::exp(x); }, maths::exp);
  expect_loop_equals_single_calls([](float x) { return maths::log(x); }, maths::log);
  expect_loop_equals_single_calls([](float x) { return maths::tanh(x); }, maths::tanh);
  expect_loop_equals_single_calls([](float x) { return maths::erf(x); }, maths::erf);
  expect_loop_equals_single_calls([](float x) { return maths::sin(x); }, maths::sin);
  expect_loop_equals_single_calls([](float x) { return maths::cos(x); }, maths::cos);
}

}  // namespace
}  // namespace tp
