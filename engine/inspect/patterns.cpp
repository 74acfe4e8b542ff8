#include "engine/inspect/patterns.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <vector>

#include "engine/core/maths.h"

namespace tp {
namespace {

// A row that may see fewer columns than this says little about a shape: in a causal map the first
// one is diagonal, previous and first at once.
constexpr int kFewestColumns = 3;

// The mean weight on column place(row), over the rows that have such a column and a choice.
template <class Place>
double weight_on(const MapView& map, Place place) {
  double sum = 0;
  int rows = 0;
  for (int r = 0; r < map.rows; ++r) {
    const int column = place(r);
    if (column < 0 || column >= map.columns || map.allowed[r] < kFewestColumns) continue;
    sum += double{map.at(r, column)};
    ++rows;
  }
  // Of a shape that only a few rows could have nothing follows.
  return 2 * rows >= map.rows && rows > 0 ? sum / rows : 0;
}

double weight_near(const MapView& map, int distance) {
  double sum = 0;
  int rows = 0;
  for (int r = 0; r < map.rows; ++r) {
    // Where everything is near, being near means nothing.
    if (map.allowed[r] <= 2 * (2 * distance + 1)) continue;
    for (int c = std::max(0, r - distance); c <= std::min(map.columns - 1, r + distance); ++c) {
      sum += double{map.at(r, c)};
    }
    ++rows;
  }
  return 2 * rows >= map.rows && rows > 0 ? sum / rows : 0;
}

double weight_of_best_column(const MapView& map) {
  double best = 0;
  for (int c = 0; c < map.columns; ++c) {
    best = std::max(best, weight_on(map, [c](int) { return c; }));
  }
  return best;
}

double mean_largest_weight(const MapView& map) {
  double sum = 0;
  int rows = 0;
  for (int r = 0; r < map.rows; ++r) {
    if (map.allowed[r] < kFewestColumns) continue;
    sum += double{std::ranges::max(map.row(r))};
    ++rows;
  }
  return rows > 0 ? sum / rows : 0;
}

}  // namespace

double entropy_share(const MapView& map) {
  double sum = 0;
  int rows = 0;
  for (int r = 0; r < map.rows; ++r) {
    if (map.allowed[r] < 2) continue;
    double entropy = 0;
    for (float weight : map.row(r)) {
      if (weight > 0) entropy -= double{weight} * maths::log(double{weight});
    }
    sum += entropy / maths::log(static_cast<double>(map.allowed[r]));
    ++rows;
  }
  return rows > 0 ? std::clamp(sum / rows, 0.0, 1.0) : 0;
}

AttentionPattern pattern_of(const MapView& map) {
  using enum AttentionPattern;
  constexpr double kUniform = 0.95, kClear = 0.5, kMostlyNear = 0.8;
  if (std::ranges::none_of(map.allowed, [](int n) { return n >= kFewestColumns; })) return none;
  if (entropy_share(map) >= kUniform) return uniform;
  struct Shape {
    AttentionPattern pattern;
    double weight;
  };
  const Shape shapes[] = {
      {diagonal, weight_on(map, [](int r) { return r; })},
      {anti_diagonal, weight_on(map, [&](int r) { return map.columns - 1 - r; })},
      {previous, weight_on(map, [](int r) { return r - 1; })},
      {next, weight_on(map, [](int r) { return r + 1; })},
      {first, weight_of_best_column(map)},
  };
  const Shape best = std::ranges::max(shapes, {}, &Shape::weight);
  if (best.weight >= kClear) return best.pattern;
  if (weight_near(map, 2) >= kMostlyNear) return local;
  if (mean_largest_weight(map) >= kClear) return focused;
  return none;
}

TargetReading target_reading(const MapView& map, std::span<const TargetCell> cells) {
  TargetReading sum;
  int rows = 0;
  for (std::size_t i = 0; i < cells.size();) {
    const int row = cells[i].row;
    const std::span<const float> weights = map.row(row);
    const auto best = static_cast<int>(std::ranges::max_element(weights) - weights.begin());
    for (; i < cells.size() && cells[i].row == row; ++i) {
      sum.share += cells[i].column == best;
      sum.weight += double{weights[cells[i].column]};
    }
    ++rows;
  }
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  if (rows == 0) return {kNone, kNone};
  return {sum.share / rows, sum.weight / rows};
}

HeadReading read_head(const MapView& map, std::span<const TargetCell> cells) {
  const TargetReading target = target_reading(map, cells);
  return {entropy_share(map), target.share, target.weight, pattern_of(map)};
}

std::vector<float> mean_map(std::span<const std::span<const float>> heads) {
  std::vector<float> mean(heads.empty() ? 0 : heads.front().size(), 0.0f);
  for (const std::span<const float> head : heads) {
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += head[i];
  }
  for (float& value : mean) value /= static_cast<float>(heads.size());
  return mean;
}

}  // namespace tp
