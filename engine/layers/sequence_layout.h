#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "engine/core/check.h"

namespace tp {

// Sequences of different lengths in one batch, packed: the tokens of sequence s are rows
// [begin(s), end(s)) of every [tokens, ...] matrix. There is no padding, so padding can cost
// nothing and change nothing.
class SequenceLayout {
 public:
  void assign(std::span<const int> lengths) {
    offsets_.assign(1, 0);
    for (int length : lengths) {
      TP_CHECK(length > 0, "a sequence has at least one token");
      offsets_.push_back(offsets_.back() + length);
    }
  }
  void assign_equal(int sequences, int length) {
    offsets_.assign(1, 0);
    for (int s = 1; s <= sequences; ++s) offsets_.push_back(s * length);
  }
  // Room for this many sequences, so that assign() never allocates.
  void reserve(int sequences) { offsets_.reserve(static_cast<std::size_t>(sequences) + 1); }

  int sequences() const { return static_cast<int>(offsets_.size()) - 1; }
  int tokens() const { return offsets_.back(); }
  int begin(int sequence) const { return offsets_[sequence]; }
  int end(int sequence) const { return offsets_[sequence + 1]; }
  int length(int sequence) const { return end(sequence) - begin(sequence); }
  int longest() const {
    int longest = 0;
    for (int s = 0; s < sequences(); ++s) longest = std::max(longest, length(s));
    return longest;
  }

 private:
  std::vector<int> offsets_ = {0};
};

}  // namespace tp
