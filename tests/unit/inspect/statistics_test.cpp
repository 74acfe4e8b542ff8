#include "engine/inspect/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace tp::test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(Statistics, OfAFewNumbers) {
  const float values[] = {0, 3, -1, 0, 4, 0, -2, 4};
  const TensorStatistics s = statistics_of(values);
  EXPECT_DOUBLE_EQ(s.mean, 1);
  EXPECT_DOUBLE_EQ(s.deviation, std::sqrt(38.0 / 8));  // squares around 1: 1 4 4 1 9 1 9 9
  EXPECT_DOUBLE_EQ(s.least, -2);
  EXPECT_DOUBLE_EQ(s.most, 4);
  EXPECT_DOUBLE_EQ(s.norm, std::sqrt(46.0));
  EXPECT_DOUBLE_EQ(s.zeros, 3.0 / 8);
  EXPECT_EQ(statistics_of({}), TensorStatistics{});
}

TEST(Statistics, NumbersThatAreNotFiniteAreSeen) {
  const float values[] = {1, kInfinity, 2, std::nanf("")};
  const TensorStatistics s = statistics_of(values);
  EXPECT_FALSE(std::isfinite(s.mean));
  EXPECT_FALSE(std::isfinite(s.norm));
  EXPECT_EQ(s.least, 1);
  EXPECT_EQ(s.most, 2);
}

TEST(Statistics, HiddenScoresDoNotCount) {
  const float seen[] = {1, 0, 5}, masked[] = {1, -kInfinity, 0, 5, -kInfinity};
  EXPECT_EQ(statistics_of(masked), statistics_of(seen));
  EXPECT_EQ(statistics_of(std::vector<float>(3, -kInfinity)), TensorStatistics{});
}

TEST(Statistics, AHistogramHasEveryFiniteNumberOnce) {
  std::vector<float> values(kHistogramBins + 1);
  std::iota(values.begin(), values.end(), 0.0f);
  std::vector<std::uint32_t> bins = histogram_of(values, 0, kHistogramBins);
  ASSERT_EQ(bins.size(), static_cast<std::size_t>(kHistogramBins));
  EXPECT_EQ(bins.front(), 1u);
  EXPECT_EQ(bins.back(), 2u) << "the end belongs to the last";
  values.insert(values.end(), {kInfinity, -kInfinity, std::nanf("")});
  EXPECT_EQ(histogram_of(values, 0, kHistogramBins), bins);
  bins = histogram_of(std::vector<float>(5, 2.5f), 2.5, 2.5);
  EXPECT_EQ(bins.front(), 5u) << "all numbers are the same";
}

}  // namespace
}  // namespace tp::test
