#include "engine/core/maths.h"

// The double versions: for gradient checks, tables and distributions, where a branch costs nothing.

namespace tp::maths {
namespace {

using detail::polynomial;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInverseLn2 = 0x1.71547652b82fep+0;
constexpr double kLn2High = 0x1.62e42fefa3p-1, kLn2Low = 0x1.3de6af278ece6p-42;  // 41 + 53 bits
constexpr double kInverseHalfPi = 0x1.45f306dc9c883p-1;
constexpr double kQuarterPi = 0x1.921fb54442d18p-1;
// pi/2 in 33 + 33 + 33 + 53 bits: the first three times n < 2^20 are exact.
constexpr double kHalfPi[] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2ep-69,
                              0x1.b839a252049c1p-104};

constexpr double kExp[] = {0x1p-1,
                           0x1.555555555555dp-3,
                           0x1.555555555556cp-5,
                           0x1.111111110e549p-7,
                           0x1.6c16c16c0a3fp-10,
                           0x1.a01a01b5f5159p-13,
                           0x1.a01a01e8ca4ddp-16,
                           0x1.71ddeaa631046p-19,
                           0x1.27e449eeeaa76p-22,
                           0x1.af749e0a9c6efp-26,
                           0x1.20566baf65d68p-29};
constexpr double kLog[] = {0x1.5555555555555p-1, 0x1.9999999999d1p-2,  0x1.24924924399bdp-2,
                           0x1.c71c724b414b2p-3, 0x1.745ce1d51be9fp-3, 0x1.3b20225dcd139p-3,
                           0x1.0f67743d5f596p-3, 0x1.0f0c2370598dbp-3};
constexpr double kTanh[] = {-0x1.5555555555552p-2,  0x1.1111111110c52p-3,   -0x1.ba1ba1b9d195fp-5,
                            0x1.664f4870c304dp-6,   -0x1.226e32cf955efp-7,  0x1.d6d35a37cb045p-9,
                            -0x1.7d9c3308ced1fp-10, 0x1.350b8738e43bep-11,  -0x1.f113494115201p-13,
                            0x1.801b77fc2bfc8p-14,  -0x1.fac54783cd4e8p-16, 0x1.9604e9c095546p-18};
constexpr double kErf[] = {0x1.06eba8214db69p-3,   -0x1.812746b037a25p-2,  0x1.ce2f21a0458d7p-4,
                           -0x1.b82ce31354c4fp-6,  0x1.565bcd2c60aa9p-8,   -0x1.c02db9328a4c4p-11,
                           0x1.f9a3b93e8b1cep-14,  -0x1.f4dcef8566039p-17, 0x1.ba68fa30bdfecp-20,
                           -0x1.638fd113ed4fep-23, 0x1.131b28b57c067p-26,  -0x1.c49629b857b03p-30,
                           0x1.3b6e1fb7d695ap-33};
constexpr double kErfc[] = {-0x1.ebe591019b46dp-18, 0x1.21112f6f415d9p-1,   0x1.1e5b27b64305bp+0,
                            0x1.0fc4e966cd19ap+1,   0x1.4a5220b673851p+0,   0x1.bf4a8a9ecd907p+3,
                            -0x1.ebbadae5ae79bp+5,  0x1.d9def3a1bf4d5p+7,   -0x1.68bf5835d8774p+9,
                            0x1.64f483ae01d15p+10,  -0x1.c009fb442fa9dp+10, 0x1.5b5dcfeae538p+10,
                            -0x1.2e4370c701d1ap+9,  0x1.ba03203cf92e3p+6};
constexpr double kSin[] = {-0x1.5555555555555p-3, 0x1.1111111111068p-7,   -0x1.a01a019ffe08bp-13,
                           0x1.71de3a332c252p-19, -0x1.ae642b9927da7p-26, 0x1.61093a06346b2p-33,
                           -0x1.9fb671aa86729p-41};
constexpr double kCos[] = {0x1.5555555555555p-5,   -0x1.6c16c16c16b3p-10, 0x1.a01a019ffcb74p-16,
                           -0x1.27e4fb5a1ec39p-22, 0x1.1eed6f7dceb9fp-29, -0x1.93744f1ec5d64p-37,
                           0x1.9dac3b028e0bp-45};

// An unevaluated sum: `low` holds what does not fit into `high`.
struct Pair {
  double high, low;
};

// a + b exactly (Knuth).
Pair exact_sum(double a, double b) {
  const double sum = a + b, b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

// a * b exactly (Dekker), for factors far from overflow.
Pair exact_product(double a, double b) {
  const auto upper_half = [](double x) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & ~0x7ffffffull);
  };
  const double a_high = upper_half(a), a_low = a - a_high;
  const double b_high = upper_half(b), b_low = b - b_high;
  const double product = a * b;
  return {product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

double magnitude(double x) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & ~(1ull << 63));
}
double with_sign_of(double magnitude, double x) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(magnitude) |
                               (std::bit_cast<std::uint64_t>(x) & (1ull << 63)));
}

// 2^n for normal results.
double power_of_two(int n) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + n) << 52);
}

// e^(x + correction) for finite x in [-746, 710] and a small correction.
//   x = n ln2 + r, |r| <= ln2 / 2;  e^r = 1 + r + r^2 P(r), deg P = 10, error 2^-60. The scale is
//   applied in two halves, so that results down to the smallest subnormal are rounded once.
double exp_in_range(double x, double correction) {
  const double n = (x * kInverseLn2 + detail::kRoundDouble) - detail::kRoundDouble;
  const double high = x - n * kLn2High, low = n * kLn2Low - correction;
  const double r = high - low;
  const double rounding = (high - r) - low;
  const double y = 1.0 + (r + (rounding + r * r * polynomial(r, kExp)));
  const int exponent = static_cast<int>(n), half = exponent / 2;
  return y * power_of_two(half) * power_of_two(exponent - half);
}

// x = 2^n (1 + f), 1 + f in [sqrt(1/2), sqrt(2)), for positive finite x.
struct Split {
  double n, f;
};
Split split_exponent(double x) {
  constexpr std::uint64_t kOne = 0x3ff0000000000000ull, kRootHalf = 0x3fe6a09e667f3bcdull;
  const bool subnormal = x < std::numeric_limits<double>::min();
  const std::uint64_t bits =
      std::bit_cast<std::uint64_t>(subnormal ? x * 0x1p52 : x) + (kOne - kRootHalf);
  const int n = static_cast<int>(bits >> 52) - (subnormal ? 1023 + 52 : 1023);
  return {static_cast<double>(n),
          std::bit_cast<double>((bits & 0x000fffffffffffffull) + kRootHalf) - 1.0};
}

// log x with about 60 good bits, for positive finite x: log(1 + f) = 2s + s^3 P(s^2) as in log,
// with s = f / (2 + f) carried as a pair; the cubic term is a hundredth of it at most.
Pair log_pair(double x) {
  const auto [n, f] = split_exponent(x);
  const Pair divisor = exact_sum(2.0, f);
  const double s = f / divisor.high;
  const Pair back = exact_product(s, divisor.high);
  const double s_low = (((f - back.high) - back.low) - s * divisor.low) / divisor.high;
  const double s2 = s * s;
  const Pair whole = exact_sum(n * kLn2High, 2.0 * s);
  const Pair sum = exact_sum(whole.high, s * s2 * polynomial(s2, kLog));
  return exact_sum(sum.high, sum.low + (whole.low + (2.0 * s_low + n * kLn2Low)));
}

// x = n pi/2 + angle, |angle| <= pi/4 (Cody-Waite with four parts). Near a multiple of pi/2 the
// leading bits cancel, so the remainder is a pair.
struct Turn {
  Pair angle;
  unsigned quarter;
};
Turn quarter_turns(double x) {
  const double shifted = x * kInverseHalfPi + detail::kRoundDouble;
  const double n = shifted - detail::kRoundDouble;
  const Pair first = exact_sum(x - n * kHalfPi[0], -n * kHalfPi[1]);
  const Pair second = exact_sum(first.high, -n * kHalfPi[2]);
  Pair angle = exact_sum(second.high, (second.low + first.low) - n * kHalfPi[3]);
  if (!(magnitude(angle.high) <= kQuarterPi)) angle = {with_sign_of(kQuarterPi, angle.high), 0};
  return {angle, static_cast<unsigned>(std::bit_cast<std::uint64_t>(shifted) & 3)};
}

// sin(angle + quarter * pi/2).
//   sin r = r + r^3 P(r^2), error 2^-63;  cos r = 1 - r^2/2 + r^4 Q(r^2), error 2^-69;  the low
//   part enters through the derivative.
double sine_of(const Turn& turn) {
  const double r = turn.angle.high, low = turn.angle.low, r2 = r * r;
  double y;
  if (turn.quarter % 2 == 0) {
    y = r + (r * r2 * polynomial(r2, kSin) + low * (1.0 - 0.5 * r2));
  } else {
    const double half = 0.5 * r2, main = 1.0 - half;
    y = main + (((1.0 - main) - half) + (r2 * r2 * polynomial(r2, kCos) - r * low));
  }
  return turn.quarter >= 2 ? -y : y;
}

}  // namespace

// See exp_in_range.
double exp(double x) {
  if (x != x) return x;
  if (x > 710.0) return kInfinity;
  if (x < -746.0) return 0.0;
  return exp_in_range(x, 0.0);
}

// x = 2^n (1 + f);  s = f / (2 + f);  log(1 + f) = 2 atanh s = 2s + s^3 P(s^2), deg P = 7, error
// 2^-66. As 2s = f - s f, the leading term is f itself, which is exact; f^2/2 is split off
// likewise: 2s = f - f^2/2 + s f^2/2.
double log(double x) {
  if (x != x) return x;
  if (x < 0) return kNaN;
  if (x == 0) return -kInfinity;
  if (x == kInfinity) return x;
  const auto [n, f] = split_exponent(x);
  const double s = f / (2.0 + f), s2 = s * s, half_square = 0.5 * f * f;
  const double tail = s * (half_square + s2 * polynomial(s2, kLog));
  return n * kLn2High + (f - (half_square - (tail + n * kLn2Low)));
}

// |x| < 0.625: x + x^3 P(x^2), deg P = 11, error 2^-61. Above: 1 - 2 / (e^(2|x|) + 1).
double tanh(double x) {
  if (x != x) return x;
  const double a = magnitude(x);
  if (a < 0.625) return with_sign_of(a + a * (a * a) * polynomial(a * a, kTanh), x);
  const double y = a < 22.0 ? 1.0 - 2.0 / (exp_in_range(2.0 * a, 0.0) + 1.0) : 1.0;
  return with_sign_of(y, x);
}

// |x| < 1: x + x P(x^2), deg P = 12, error 2^-56. Up to 6: 1 - e^(-x^2) Q(1 / (|x| + 2)), deg Q =
// 13, error 2^-62. Beyond: 1.
double erf(double x) {
  if (x != x) return x;
  const double a = magnitude(x);
  if (a < 1.0) return with_sign_of(a + a * polynomial(a * a, kErf), x);
  const double y =
      a < 6.0 ? 1.0 - exp_in_range(-a * a, 0.0) * polynomial(1.0 / (a + 2.0), kErfc) : 1.0;
  return with_sign_of(y, x);
}

// See quarter_turns and sine_of. Beyond |x| = 1.6e6 the absolute error grows like |x| 2^-53, and
// far beyond it the result is only sure to lie in [-1, 1].
double sin(double x) {
  if (x != x || x == 0) return x;
  if (magnitude(x) == kInfinity) return kNaN;
  return sine_of(quarter_turns(x));
}

double cos(double x) {
  if (x != x) return x;
  if (magnitude(x) == kInfinity) return kNaN;
  Turn turn = quarter_turns(x);
  turn.quarter = (turn.quarter + 1) % 4;
  return sine_of(turn);
}

// e^(exponent log base), with the logarithm and the product carried as pairs.
double pow(double base, double exponent) {
  if (exponent == 0 || base == 1) return 1.0;
  if (base != base) return base;
  if (exponent != exponent) return exponent;
  if (base < 0) return kNaN;
  if (base == 0 || base == kInfinity) return (base == 0) == (exponent > 0) ? 0.0 : kInfinity;
  const Pair logarithm = log_pair(base);
  const double estimate = exponent * logarithm.high;
  if (estimate > 710.0) return kInfinity;
  if (estimate < -746.0) return 0.0;
  const Pair product = exact_product(exponent, logarithm.high);
  return exp_in_range(product.high, product.low + exponent * logarithm.low);
}

}  // namespace tp::maths
