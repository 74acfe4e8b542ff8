#pragma once

#include <algorithm>
#include <initializer_list>

#include "engine/core/prefetch.h"
#include "engine/kernels/kernels.h"
#include "engine/kernels/parallel.h"
#include "engine/layers/sequence_layout.h"

// The loop of attention over sequences and heads. Nothing here changes a number: while a sequence
// is computed, what the next one reads and writes is asked for, a share before each step of each
// head. A core stalls when too many lines are on their way.

namespace tp {

// One of several equal shares of a sequence.
struct SequenceShare {
  int sequence, number, shares;

  template <class T>
  void prefetch_of(Matrix<T> all) const {
    const int most = (all.rows + shares - 1) / shares, first = std::min(number * most, all.rows);
    prefetch<T>(all.row_range(first, std::min(most, all.rows - first)));
  }
  template <class T>
  void prefetch_of(const SequenceLayout& layout, std::initializer_list<Matrix<T>> rows) const {
    for (const Matrix<T>& all : rows) {
      prefetch_of(all.row_range(layout.begin(sequence), layout.length(sequence)));
    }
  }
};

// Calls each of `steps` with (sequence, head, the ranges of the sequence's queries), one after
// another for each head; several sequences at the same time, where there are threads. `soon` is
// given the shares to prefetch; `scores` is how many numbers all score matrices have.
template <class Soon, class... Steps>
void for_each_head(const SequenceLayout& queries, KeyRanges ranges, std::size_t scores, int heads,
                   Soon soon, Steps... steps) {
  constexpr int kLeastScores = 1 << 13;  // worth a split
  const int of_one = static_cast<int>(scores) / std::max(queries.sequences(), 1);
  for_each_part(
      queries.sequences(), 1, kLeastScores / std::max(of_one, 1), [&](int first, int last) {
        for (int s = first; s < last; ++s) {
          const KeyRanges of_sequence = ranges.subspan(queries.begin(s), queries.length(s));
          SequenceShare next = {s + 1, 0, heads * static_cast<int>(sizeof...(Steps))};
          const auto ask = [&] {
            if constexpr (kCanPrefetch) {
              if (next.sequence < last) soon(next);
              ++next.number;
            }
          };
          for (int h = 0; h < heads; ++h) ((ask(), steps(s, h, of_sequence)), ...);
        }
      });
}

}  // namespace tp
