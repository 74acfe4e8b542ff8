#pragma once

#include <span>

// How alike two sequences are, from 0 to 1.

namespace tp {

// The share of positions that agree; positions that only one of the two has are wrong.
double position_accuracy(std::span<const int> expected, std::span<const int> produced);

// 1 - (insertions + deletions + replacements) / expected length, at least 0.
double edit_accuracy(std::span<const int> expected, std::span<const int> produced);

}  // namespace tp
