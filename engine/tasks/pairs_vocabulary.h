#pragma once

#include <span>

#include "engine/tasks/pairs_lines.h"

// Which tokens the lines of `pairs` deserve.

namespace tp {

struct PairsVocabulary {
  TokenizerKind kind = TokenizerKind::kWord;
  int size = 0;        // at most, of each side, marks included; 0: all words, or kUsualPieces
  int min_count = 1;   // what occurs less often is unknown
  int max_length = 0;  // lines with more words or characters on a side do not count
};

// BPE: as many as small models use.
inline constexpr int kUsualPieces = 4096;
// Where BPE joins a pair of pieces.
inline constexpr int kFewestOfAPair = 2;

// Words and characters have a vocabulary for each side; BPE has one for both, learned from the
// `training` lines alone.
Result<TaskTokenizers> learn_pairs_tokenizers(const PairsVocabulary& wanted,
                                              std::span<const PairLine> lines,
                                              std::span<const std::string_view> training);

}  // namespace tp
