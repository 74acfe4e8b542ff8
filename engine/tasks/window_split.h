#pragma once

#include <cstdint>
#include <span>
#include <vector>

// Examples that are windows of one long row (a text, a column): the row is cut in two, windows of
// the first part are for training, windows of the second are held out.

namespace tp {

struct WindowSplit {
  int train_starts = 0;              // a training window starts at 0 .. train_starts - 1
  std::vector<int> held_out_starts;  // those whose window occurs nowhere in the first part
};

// An example covers `covered` items, of which the first `read` are its source. The second part
// begins at `cut`. Either side is empty when its part is too short or repeats the other.
WindowSplit split_windows(std::span<const std::uint64_t> items, int read, int covered, int cut);

}  // namespace tp
