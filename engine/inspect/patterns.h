#pragma once

#include <cstdint>
#include <span>
#include <vector>

// What an attention map looks like, in a word and in numbers. A map is [rows, columns] of weights,
// each row summing to 1 over the columns that it may see.

namespace tp {

enum class AttentionPattern : std::uint8_t {
  none,
  uniform,
  diagonal,
  anti_diagonal,
  previous,
  next,
  local,
  first,    // one column takes everything
  focused,  // sharp rows without a simple shape
};

struct MapView {
  std::span<const float> weights;  // [rows, columns]
  int rows = 0, columns = 0;
  std::span<const int> allowed;  // [rows]: how many columns each row may see

  float at(int row, int column) const { return weights[row * columns + column]; }
  std::span<const float> row(int i) const { return weights.subspan(i * columns, columns); }
};

// The mean over the rows of a row's entropy, as a share of that of even weights over the columns
// that it may see: 0 is one column, 1 is all alike. Rows that have no choice do not count.
double entropy_share(const MapView& map);

AttentionPattern pattern_of(const MapView& map);

// Row `row` should look at column `column`.
struct TargetCell {
  int row, column;
};
struct TargetReading {
  double share = 0;   // of the rows that have a target: the largest weight is on one
  double weight = 0;  // the mean, over these rows, of the weight on their targets
};
// `cells` sorted by row. Not a number when there is none.
TargetReading target_reading(const MapView& map, std::span<const TargetCell> cells);

// All of it.
struct HeadReading {
  double entropy = 0;    // mean over the rows, as a share of that of even weights: 0 to 1
  double on_target = 0;  // share of linked rows whose largest weight is on a true source; else NaN
  double target_weight = 0;  // the mean weight there
  AttentionPattern pattern = AttentionPattern::none;
};
HeadReading read_head(const MapView& map, std::span<const TargetCell> cells);

// The mean of heads of the same size.
std::vector<float> mean_map(std::span<const std::span<const float>> heads);

}  // namespace tp
