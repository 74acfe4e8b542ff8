#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tp {

// Of the numbers of a tensor. Minus infinity is a score that a mask hides and does not count. Other
// numbers that are not finite make the mean, the deviation and the norm not finite, too; least and
// most are of the finite ones.
struct TensorStatistics {
  double mean = 0;
  double deviation = 0;  // of the numbers, not of a sample of more
  double least = 0, most = 0;
  double norm = 0;   // square root of the sum of squares
  double zeros = 0;  // share of numbers that are exactly 0
  bool operator==(const TensorStatistics&) const = default;
};
TensorStatistics statistics_of(std::span<const float> values);

// How many of the finite numbers are in each of kHistogramBins equal parts of least..most.
inline constexpr int kHistogramBins = 32;
std::vector<std::uint32_t> histogram_of(std::span<const float> values, double least, double most);

}  // namespace tp
