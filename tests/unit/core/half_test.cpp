#include "engine/core/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tp {
namespace {

// One 16-bit format, described by its definition rather than by the code under test.
struct Format {
  const char* name;
  int exponent_bits, fraction_bits;
  float (*to_float)(std::uint16_t);
  std::uint16_t (*from_float)(float);

  unsigned infinity() const { return (0x8000u - 1) >> fraction_bits << fraction_bits; }

  double value(unsigned magnitude) const {
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const int exponent = static_cast<int>(magnitude >> fraction_bits);
    const double fraction = magnitude & ((1u << fraction_bits) - 1);
    if (exponent == 0) return std::ldexp(fraction, 1 - bias - fraction_bits);
    return std::ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
  }
};

class Half : public testing::TestWithParam<Format> {};
INSTANTIATE_TEST_SUITE_P(Formats, Half,
                         testing::Values(Format{"half", 5, 10, float_from_half, half_from_float},
                                         Format{"bfloat", 8, 7, float_from_bfloat,
                                                bfloat_from_float}),
                         [](const auto& format) { return format.param.name; });

TEST_P(Half, EveryPatternHasTheValueOfItsDefinition) {
  const Format& format = GetParam();
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const unsigned magnitude = bits & 0x7fff;
    const float x = format.to_float(static_cast<std::uint16_t>(bits));
    ASSERT_EQ(std::signbit(x), bits >= 0x8000) << bits;
    if (magnitude < format.infinity()) {
      ASSERT_EQ(std::fabs(x), format.value(magnitude)) << bits;
    } else {
      ASSERT_EQ(std::isinf(x), magnitude == format.infinity()) << bits;
      ASSERT_EQ(std::isnan(x), magnitude > format.infinity()) << bits;
    }
  }
}

TEST_P(Half, EveryPatternReturnsUnchangedExceptThatNansBecomeQuiet) {
  const Format& format = GetParam();
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const bool nan = (bits & 0x7fff) > format.infinity();
    const unsigned quiet = nan ? 1u << (format.fraction_bits - 1) : 0;
    ASSERT_EQ(format.from_float(format.to_float(static_cast<std::uint16_t>(bits))), bits | quiet);
  }
}

// Between each two neighbours: the middle goes to the even one, anything beside it to the nearer.
// The neighbour of the largest number is infinity, with the middle where the next number would have
// been.
TEST_P(Half, RoundsToNearestAndTiesToEven) {
  const Format& format = GetParam();
  for (unsigned low = 0; low < format.infinity(); ++low) {
    const unsigned even = low % 2 == 0 ? low : low + 1;
    const float middle = static_cast<float>((format.value(low) + format.value(low + 1)) / 2);
    const float below = std::nextafter(middle, 0.0f);
    const float above = std::nextafter(middle, std::numeric_limits<float>::infinity());
    ASSERT_EQ(format.from_float(middle), even) << middle;
    ASSERT_EQ(format.from_float(below), low) << below;
    ASSERT_EQ(format.from_float(above), low + 1) << above;
    ASSERT_EQ(format.from_float(-middle), even | 0x8000) << -middle;
    ASSERT_EQ(format.from_float(-below), low | 0x8000) << -below;
    ASSERT_EQ(format.from_float(-above), (low + 1) | 0x8000) << -above;
  }
}

TEST_P(Half, TheEndsOfTheFloatRange) {
  const Format& format = GetParam();
  using Limits = std::numeric_limits<float>;
  EXPECT_EQ(format.from_float(Limits::infinity()), format.infinity());
  EXPECT_EQ(format.from_float(-Limits::infinity()), format.infinity() | 0x8000);
  EXPECT_EQ(format.from_float(Limits::max()), format.infinity());
  EXPECT_EQ(format.from_float(Limits::denorm_min()), 0);
  EXPECT_EQ(format.from_float(-Limits::denorm_min()), 0x8000);
  EXPECT_TRUE(std::isnan(format.to_float(format.from_float(Limits::quiet_NaN()))));
  // A NaN whose payload sits in the lost bits must not become an infinity.
  EXPECT_TRUE(std::isnan(format.to_float(format.from_float(std::bit_cast<float>(0x7f800001u)))));
}

}  // namespace
}  // namespace tp
