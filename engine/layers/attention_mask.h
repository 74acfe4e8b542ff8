#pragma once

#include <algorithm>
#include <cstdlib>

#include "engine/kernels/kernels.h"

namespace tp {

// Which keys a query may see, besides the causal rule.
//
//   full      every key
//   local     keys at most `reach` away
//   strided   keys less than `reach` away, and every reach-th one beyond (Child et al., 2019)
enum class Sparsity { full, local, strided };

// Which cells of a score matrix count as work: those that are computed, or all of them.
enum class Cells { computed, all };

struct AttentionMask {
  Sparsity sparsity = Sparsity::full;
  int reach = 0;
  bool causal = false;  // only keys that are not later than the query

  // The smallest range that holds every key that `query` sees.
  KeyRange range(int query, int keys) const {
    const int last = causal ? std::min(query + 1, keys) : keys;
    if (sparsity != Sparsity::local) return {0, last};
    return {std::max(0, query - reach), std::min(last, query + reach + 1)};
  }
  // Inside that range, a strided pattern has holes.
  bool sees(int query, int key) const {
    if (sparsity != Sparsity::strided) return true;
    const int distance = std::abs(query - key);
    return distance < reach || distance % reach == 0;
  }
  // Of a score matrix [queries, keys].
  double count(int queries, int keys, Cells cells) const {
    if (cells == Cells::all) return double(queries) * keys;
    double sum = 0;
    for (int q = 0; q < queries; ++q) sum += range(q, keys).end - range(q, keys).begin;
    return sum;
  }
};

}  // namespace tp
