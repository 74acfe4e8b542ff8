#pragma once

#include <vector>

#include "engine/kernels/kernels.h"

// Attention with linear biases (Press et al., ALiBi): nothing is added to the tokens. The further a
// key is from the query, the less its score,
//
//   scores_h[i,j] = query_h[i] . key_h[j] / sqrt(d_head) + bias_h[i,j]
//   bias_h[i,j]   = -slope_h |i - j|            slope_h = 2^(-8 (h + 1) / H)
//
// with a slope of its own for each of the H heads: some look near, some far.

namespace tp {

template <class T>
class Alibi {
 public:
  Alibi(const Kernels<T>& kernels, int positions, int heads);

  static double slope(int head, int heads);
  // Columns of its table.
  static int distances(int positions) { return 2 * positions - 1; }

  // [queries, keys] of one head, of queries from `position` on. Each row is the one before it, one
  // number further right: they are a view of one table, with a stride of -1.
  ConstMatrix<T> bias(int head, int position, int queries, int keys) const;
  // To what a query sees of its scores [queries, keys].
  void add(int head, int position, KeyRanges ranges, Matrix<T> scores) const;

 private:
  const Kernels<T>* kernels_;
  int positions_;
  std::vector<T> table_;  // [heads, 2 positions - 1]: of the distances 1 - positions, ..., 0, ...
};

}  // namespace tp
