#include "engine/inspect/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tp {

TensorStatistics statistics_of(std::span<const float> values) {
  TensorStatistics s;
  const auto hidden = [](float value) { return value == -std::numeric_limits<float>::infinity(); };
  const auto count =
      static_cast<double>(std::ssize(values) - std::ranges::count_if(values, hidden));
  if (count == 0) return s;
  double sum = 0, squares = 0, distances = 0;
  std::size_t zeros = 0;
  float least = std::numeric_limits<float>::infinity(), most = -least;
  for (const float value : values) {
    if (hidden(value)) continue;
    sum += double{value};
    squares += double{value} * double{value};
    zeros += value == 0 ? 1 : 0;
    if (!std::isfinite(value)) continue;
    least = std::min(least, value);
    most = std::max(most, value);
  }
  s.mean = sum / count;
  for (const float value : values) {
    if (!hidden(value)) distances += (value - s.mean) * (value - s.mean);
  }
  s.deviation = std::sqrt(distances / count);
  s.norm = std::sqrt(squares);
  s.zeros = static_cast<double>(zeros) / count;
  if (least <= most) s.least = double{least}, s.most = double{most};
  return s;
}

std::vector<std::uint32_t> histogram_of(std::span<const float> values, double least, double most) {
  std::vector<std::uint32_t> bins(kHistogramBins, 0);
  const double width = most - least;
  for (const float value : values) {
    if (!(double{value} >= least && double{value} <= most)) continue;
    const double place = width > 0 ? (value - least) / width * kHistogramBins : 0;
    ++bins[static_cast<std::size_t>(std::min<double>(place, kHistogramBins - 1))];
  }
  return bins;
}

}  // namespace tp
