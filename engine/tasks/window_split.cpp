#include "engine/tasks/window_split.h"

#include <algorithm>

#include "engine/core/hash.h"

namespace tp {

WindowSplit split_windows(std::span<const std::uint64_t> items, int read, int covered, int cut) {
  const int count = static_cast<int>(items.size());
  const auto fingerprint = [&](int start) {
    Hash hash;
    for (std::uint64_t item : items.subspan(start, read)) hash.add(item);
    return hash.value();
  };
  WindowSplit split;
  split.train_starts = std::max(0, cut - covered + 1);
  std::vector<std::uint64_t> trained;
  trained.reserve(split.train_starts);
  for (int start = 0; start < split.train_starts; ++start) trained.push_back(fingerprint(start));
  std::sort(trained.begin(), trained.end());
  for (int start = cut; start + covered <= count; ++start) {
    if (!std::binary_search(trained.begin(), trained.end(), fingerprint(start))) {
      split.held_out_starts.push_back(start);
    }
  }
  return split;
}

}  // namespace tp
