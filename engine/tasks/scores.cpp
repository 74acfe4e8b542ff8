#include "engine/tasks/scores.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tp {

double position_accuracy(std::span<const int> expected, std::span<const int> produced) {
  const std::size_t longer = std::max(expected.size(), produced.size());
  const std::size_t shorter = std::min(expected.size(), produced.size());
  if (longer == 0) return 1;
  std::size_t equal = 0;
  for (std::size_t i = 0; i < shorter; ++i) equal += expected[i] == produced[i];
  return static_cast<double>(equal) / static_cast<double>(longer);
}

double edit_accuracy(std::span<const int> expected, std::span<const int> produced) {
  if (expected.empty()) return produced.empty() ? 1 : 0;
  // distance[j] between the expected tokens so far and the first j produced ones.
  std::vector<std::size_t> distance(produced.size() + 1);
  for (std::size_t j = 0; j <= produced.size(); ++j) distance[j] = j;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    std::size_t diagonal = distance[0]++;
    for (std::size_t j = 0; j < produced.size(); ++j) {
      const std::size_t replaced = diagonal + (expected[i] != produced[j]);
      diagonal = distance[j + 1];
      distance[j + 1] = std::min({replaced, distance[j] + 1, diagonal + 1});
    }
  }
  const double wrong = static_cast<double>(distance.back()) / static_cast<double>(expected.size());
  return std::max(0.0, 1 - wrong);
}

}  // namespace tp
