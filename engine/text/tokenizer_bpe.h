#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/text/tokenizer_table.h"

// Byte-pair encoding (Sennrich et al., "Neural machine translation of rare words with subword
// units", 2016): start from single symbols and join neighbours, the earliest learned pair first.

namespace tp {

// Two neighbouring tokens become one. A list of merges is in the order in which they were learned.
struct Merge {
  int left, right, merged;
  bool operator==(const Merge&) const = default;
};

inline constexpr std::size_t kMaxMerges = 131'072;

class MergeTable {
 public:
  MergeTable() = default;
  explicit MergeTable(std::span<const Merge> merges);

  // Joins neighbours until no merge applies: always the earliest learned one, of equal ones the
  // leftmost. kNoToken, for symbols that are not in the vocabulary, joins nothing. Time n log n.
  void apply(std::vector<int>& symbols) const;

 private:
  struct Entry {
    int rank, merged;
  };
  const Entry* find(int left, int right) const;

  std::unordered_map<std::uint64_t, Entry> entries_;
};

struct CountedWord {
  std::vector<int> symbols;
  std::int64_t count;
};

// Joins the most frequent pair of neighbours, again and again, until the vocabulary has `size`
// tokens or no pair occurs `min_count` times. Of equally frequent pairs the one with the smaller
// left token comes first, then the one with the smaller right token. Each merge adds its token,
// unless another merge already made one of that spelling. No merge makes one of the first
// `reserved` tokens, or one that is longer than kMaxTokenBytes.
std::vector<Merge> learn_merges(std::vector<CountedWord> words, std::int64_t min_count,
                                TokenTable& vocabulary, int size, int reserved);

}  // namespace tp
