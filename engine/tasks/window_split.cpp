#include "engine/tasks/window_split.h"
#include "engine/core/small_sort.h"

#include <algorithm>

namespace tp {
namespace {

// All bits of the result depend on all bits of the item (splitmix64).
std::uint64_t mixed(std::uint64_t item) {
  item = (item ^ item >> 30) * 0xbf58476d1ce4e5b9;
  item = (item ^ item >> 27) * 0x94d049bb133111eb;
  return item ^ item >> 31;
}

// One number for each window of `length` items: sum of mixed(item i) * base^(length - 1 - i), of
// which the next window's follows in one step, however long the windows are.
std::vector<std::uint64_t> fingerprints(std::span<const std::uint64_t> items, int length, int first,
                                        int count) {
  constexpr std::uint64_t kBase = 0x9e3779b97f4a7c15;
  std::uint64_t highest = 1, sum = 0;
  for (int i = 1; i < length; ++i) highest *= kBase;
  std::vector<std::uint64_t> numbers;
  numbers.reserve(static_cast<std::size_t>(count));
  for (int i = first; static_cast<int>(numbers.size()) < count; ++i) {
    if (i - first >= length) sum -= mixed(items[i - length]) * highest;
    sum = sum * kBase + mixed(items[i]);
    if (i - first >= length - 1) numbers.push_back(sum);
  }
  return numbers;
}

}  // namespace

WindowSplit split_windows(std::span<const std::uint64_t> items, int read, int covered, int cut) {
  WindowSplit split;
  split.train_starts = std::max(0, cut - covered + 1);
  std::vector<std::uint64_t> trained = fingerprints(items, read, 0, split.train_starts);
  heap_sort(trained);
  const int held_out = std::max(0, static_cast<int>(items.size()) - covered + 1 - cut);
  int start = cut;
  for (const std::uint64_t window : fingerprints(items, read, cut, held_out)) {
    if (!std::binary_search(trained.begin(), trained.end(), window)) {
      split.held_out_starts.push_back(start);
    }
    ++start;
  }
  return split;
}

}  // namespace tp
