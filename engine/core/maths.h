#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

// Elementary functions that give the same bits in every build: GCC, Clang, WebAssembly, any vector
// width, any optimisation level. Only + - * / and square root (correctly rounded everywhere),
// integer operations and bit casts; nothing of libm, whose last bits differ from platform to
// platform. tools/fit_polynomials.py derives every coefficient; tests/unit/maths_test.cpp measures
// every bound.
//
// Largest error, in units in the last place of the result:
//
//            float   over             double   over
//   exp       0.99   every float        0.9    every double
//   log       0.93   every float        0.9    every double
//   tanh      1.34   every float        1.4    every double
//   erf       1.39   every float        1.7    every double
//   sin cos   0.57   |x| <= 1.6e6       0.8    |x| <= 1.6e6
//   pow                                 0.9    results within [2^-32, 2^32]
//
// All 2^32 floats were tried, against double; doubles were sampled, 20 million for each function,
// against long double, and the figures rounded up.
//
// NaN in gives the same NaN out; a NaN that is made here (log of a negative number, sine of an
// infinity) is the positive quiet one, so NaNs are reproducible too. Subnormal numbers are accepted
// and returned like any other, with one exception: the float exp gives 0 where e^x < 2^-126,
// because softmax makes many such values and arithmetic on subnormals is a hundred times slower on
// some CPUs.
//
// The float versions are inline and free of branches: a loop over an array that calls one becomes
// vector code.

namespace tp::maths {

double exp(double x);
double log(double x);
double tanh(double x);
double erf(double x);
double sin(double x);
double cos(double x);

// base^exponent for base >= 0; anything to the power of 0 is 1, a negative base otherwise NaN. The
// error grows in proportion to |log2 result| beyond the range stated above.
double pow(double base, double exponent);

// The machine's own, correctly rounded everywhere; only the sign of its NaN may differ.
inline float sqrt(float x) { return std::sqrt(x); }
inline double sqrt(double x) { return std::sqrt(x); }

namespace detail {

// Horner's scheme, lowest power first.
template <class T, int kCount>
constexpr T polynomial(T x, const T (&coefficients)[kCount]) {
  T sum = coefficients[kCount - 1];
  for (int i = kCount - 2; i >= 0; --i) sum = sum * x + coefficients[i];
  return sum;
}

// Adding 1.5 * 2^mantissa_bits rounds to an integer, which then stands in the low bits of the sum.
inline constexpr float kRound = 0x1.8p23f;
inline constexpr double kRoundDouble = 0x1.8p52;

inline float magnitude(float x) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) & 0x7fffffffu);
}
inline float with_sign_of(float magnitude, float x) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) |
                              (std::bit_cast<std::uint32_t>(x) & 0x80000000u));
}

// e^x for x in [-87.3, 88.7]; garbage outside.
//   x = n ln2 + r, |r| <= ln2 / 2;  e^r = 1 + r + r^2 P(r), deg P = 4, error 2^-28;  times 2^n by
//   adding n to the exponent field.
inline float exp_in_range(float x) {
  constexpr float kInverseLn2 = 0x1.715476p+0f;
  constexpr float kLn2High = 0x1.62e4p-1f, kLn2Low = 0x1.7f7d1cp-20f;  // 15 + 24 bits of ln 2
  constexpr float kExp[] = {0x1.fffffcp-2f, 0x1.55548cp-3f, 0x1.555858p-5f, 0x1.123ddep-7f,
                            0x1.6ac716p-10f};
  const float shifted = x * kInverseLn2 + kRound;
  const float n = shifted - kRound;
  const float r = (x - n * kLn2High) - n * kLn2Low;
  const float y = 1.0f + (r + r * r * polynomial(r, kExp));
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(y) +
                              (std::bit_cast<std::uint32_t>(shifted) << 23));
}

// The angle in [-pi/4, pi/4] and the quarter turns taken off. In double, where pi/2 cut to 33 bits
// times n < 2^20 is exact. Far beyond that range the angle is wrong, but the clamp keeps sine and
// cosine within [-1, 1].
struct Turn {
  double angle;
  std::uint64_t quarter;
};
inline Turn quarter_turns(float x) {
  constexpr double kInverseHalfPi = 0x1.45f306dc9c883p-1;
  constexpr double kHalfPiHigh = 0x1.921fb544p+0, kHalfPiLow = 0x1.0b4611a626331p-34;
  constexpr double kQuarterPi = 0x1.921fb54442d18p-1;
  const double wide = double{x};
  const double shifted = wide * kInverseHalfPi + kRoundDouble;
  const double n = shifted - kRoundDouble;
  double angle = (wide - n * kHalfPiHigh) - n * kHalfPiLow;
  angle = angle > kQuarterPi ? kQuarterPi : angle;
  angle = angle < -kQuarterPi ? -kQuarterPi : angle;
  return {angle, std::bit_cast<std::uint64_t>(shifted)};
}

// sin(angle + quarter * pi/2).
//   sin r = r + r^3 P(r^2), error 2^-28;  cos r = 1 - r^2/2 + r^4 Q(r^2), error 2^-33.
inline float sine_of(Turn turn, float x) {
  constexpr double kSin[] = {-0x1.555545268d347p-3, 0x1.11073afdc8166p-7, -0x1.9943e11eb5587p-13};
  constexpr double kCos[] = {0x1.55554a115c834p-5, -0x1.6c0c33a8b56b2p-10, 0x1.99eb9c6ec6c89p-16};
  const double r = turn.angle, r2 = r * r;
  const double sine = r * (1.0 + r2 * polynomial(r2, kSin));
  const double cosine = (1.0 - 0.5 * r2) + r2 * r2 * polynomial(r2, kCos);
  const double odd = (turn.quarter & 1) != 0 ? cosine : sine;
  const float y = static_cast<float>((turn.quarter & 2) != 0 ? -odd : odd);
  const float finite = magnitude(x) < std::numeric_limits<float>::infinity()
                           ? y
                           : std::numeric_limits<float>::quiet_NaN();
  return x == x ? finite : x;
}

}  // namespace detail

// See exp_in_range. Above log(FLT_MAX) infinity, below log(FLT_MIN) zero.
inline float exp(float x) {
  constexpr float kHighest = 0x1.62e42ep+6f, kLowest = -0x1.5d589ep+6f;
  float y = detail::exp_in_range(x);
  y = x > kHighest ? std::numeric_limits<float>::infinity() : y;
  y = x < kLowest ? 0.0f : y;
  return x == x ? y : x;
}

// x = 2^n m, m in [sqrt(1/2), sqrt(2));  with f = m - 1, log m = f - f^2/2 + f^3 P(f), deg P = 7,
// error 2^-27;  log x = n ln2 + log m, with ln2 in two parts. Subnormal x is scaled up first.
inline float log(float x) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr std::uint32_t kOne = 0x3f800000u, kRootHalf = 0x3f3504f3u;
  constexpr float kLn2High = 0x1.62e4p-1f, kLn2Low = 0x1.7f7d1cp-20f;
  constexpr float kLog[] = {0x1.555554p-2f, -0x1.000228p-2f, 0x1.99a03p-3f,  -0x1.547264p-3f,
                            0x1.22d778p-3f, -0x1.0d729p-3f,  0x1.0567b8p-3f, -0x1.39938ap-4f};
  const float scaled = x * 0x1p23f;
  const bool subnormal = x < std::numeric_limits<float>::min();
  const std::uint32_t bits =
      std::bit_cast<std::uint32_t>(subnormal ? scaled : x) + (kOne - kRootHalf);
  const std::int32_t bias = subnormal ? 127 + 23 : 127;
  const float n = static_cast<float>(static_cast<std::int32_t>(bits >> 23) - bias);
  const float f = std::bit_cast<float>((bits & 0x007fffffu) + kRootHalf) - 1.0f;
  const float f2 = f * f;
  const float tail = f * f2 * detail::polynomial(f, kLog) - 0.5f * f2;
  float y = n * kLn2High + (f + (tail + n * kLn2Low));
  y = x < kInfinity ? y : kInfinity;
  y = x > 0.0f ? y : -kInfinity;
  y = x < 0.0f ? std::numeric_limits<float>::quiet_NaN() : y;
  return x == x ? y : x;
}

// |x| < 0.625: x + x^3 P(x^2), deg P = 4, error 2^-28. Above: 1 - 2 / (e^(2|x|) + 1), which is 1
// from 9.02 on.
inline float tanh(float x) {
  constexpr float kTanh[] = {-0x1.555532p-2f, 0x1.1106f6p-3f, -0x1.b835a4p-5f, 0x1.51f8cep-6f,
                             -0x1.750ce4p-8f};
  const float a = detail::magnitude(x);
  const float a2 = a * a;
  const float small = a + a * a2 * detail::polynomial(a2, kTanh);
  const float large = 1.0f - 2.0f / (detail::exp_in_range(2.0f * (a < 10.0f ? a : 10.0f)) + 1.0f);
  const float y = detail::with_sign_of(a < 0.625f ? small : large, x);
  return x == x ? y : x;
}

// |x| < 0.8125: x + x P(x^2), deg P = 5, error 2^-28. Above: 1 - e^L(|x|), where L approximates
// log(erfc), deg L = 7, error 2^-32 of the result, which is 1 from 3.84 on.
inline float erf(float x) {
  constexpr float kSmall[] = {0x1.06eba8p-3f,  -0x1.81273p-2f, 0x1.ce28p-4f,
                              -0x1.b7698cp-6f, 0x1.4d053cp-8f, -0x1.550c06p-11f};
  constexpr float kLogErfc[] = {0x1.2b3532p-13f, -0x1.211d6ep+0f, -0x1.4471dp-1f,
                                -0x1.b9f5fp-4f,  0x1.9769b6p-6f,  -0x1.0ae22p-8f,
                                0x1.b1a57ep-12f, -0x1.42de22p-16f};
  const float a = detail::magnitude(x);
  const float small = a + a * detail::polynomial(a * a, kSmall);
  const float large =
      1.0f - detail::exp_in_range(detail::polynomial(a < 4.0f ? a : 4.0f, kLogErfc));
  const float y = detail::with_sign_of(a < 0.8125f ? small : large, x);
  return x == x ? y : x;
}

// x = n pi/2 + r, |r| <= pi/4, reduced in double (Cody-Waite, two parts): see quarter_turns,
// sine_of. Beyond |x| = 1.6e6 the absolute error grows like |x| 2^-53.
inline float sin(float x) { return detail::sine_of(detail::quarter_turns(x), x); }
inline float cos(float x) {
  const detail::Turn turn = detail::quarter_turns(x);
  return detail::sine_of({turn.angle, turn.quarter + 1}, x);
}

}  // namespace tp::maths
