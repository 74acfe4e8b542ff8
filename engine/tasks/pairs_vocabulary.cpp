#include "engine/tasks/pairs_vocabulary.h"

#include <algorithm>

#include "engine/core/small_sort.h"
#include "engine/tasks/task_tokenizers.h"
#include "engine/text/tokenizer_pieces.h"

namespace tp {
namespace {

constexpr int kMarks = 4;

// The tokens of one side, numbered in the order in which they first occur.
struct TokenCounts {
  TokenTable tokens;
  std::vector<std::uint64_t> counts;

  void add(std::string_view token) {
    const auto at = static_cast<std::size_t>(tokens.find_or_add(token));
    if (at == counts.size()) counts.push_back(0);
    ++counts[at];
  }

  // The most frequent ones, of equally frequent ones the earlier; in the order of their numbers.
  std::vector<std::string> chosen(std::uint64_t min_count, std::size_t most) const {
    constexpr std::uint64_t kNumber = 0xffffffff;  // the lower half of a rank, below its count
    std::vector<std::uint64_t> ranks;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const bool fits = tokens.spelling(static_cast<int>(i)).size() <= kMaxTokenBytes;
      if (fits && counts[i] >= min_count) ranks.push_back((kNumber - counts[i]) << 32 | i);
    }
    heap_sort(ranks);
    ranks.resize(std::min(ranks.size(), most));
    for (std::uint64_t& rank : ranks) rank &= kNumber;
    heap_sort(ranks);
    std::vector<std::string> spellings;
    for (const std::uint64_t i : ranks) spellings.push_back(tokens.spelling(static_cast<int>(i)));
    return spellings;
  }
};

bool spells_a_mark(std::string_view token) {
  return token == "<pad>" || token == "<bos>" || token == "<eos>" || token == "<unk>";
}

std::shared_ptr<const Tokenizer> most_frequent(const PairsVocabulary& wanted,
                                               std::span<const PairLine> lines,
                                               std::string PairLine::*side) {
  TokenCounts counts;
  for (const PairLine& line : lines) {
    const std::vector<std::string> tokens = pieces_of(wanted.kind, line.*side);
    if (static_cast<int>(tokens.size()) > wanted.max_length) continue;
    for (const std::string& token : tokens) {
      if (!spells_a_mark(token)) counts.add(token);
    }
  }
  const int size = wanted.size == 0 ? kMaxVocabulary : wanted.size;
  return std::make_shared<const Tokenizer>(tokenizer_of(
      wanted.kind, counts.chosen(static_cast<std::uint64_t>(wanted.min_count),
                                 static_cast<std::size_t>(std::max(size - kMarks, 1)))));
}

}  // namespace

Result<TaskTokenizers> learn_pairs_tokenizers(const PairsVocabulary& wanted,
                                              std::span<const PairLine> lines,
                                              std::span<const std::string_view> training) {
  if (!uses_merges(wanted.kind)) {
    return TaskTokenizers{most_frequent(wanted, lines, &PairLine::source),
                          most_frequent(wanted, lines, &PairLine::target)};
  }
  const int least = kMarks + (wanted.kind == TokenizerKind::kByteBpe ? 256 : 1);
  if (wanted.size != 0 && wanted.size < least) {
    const std::string size = std::to_string(wanted.size), needed = std::to_string(least);
    return Error{"a vocabulary_size of " + size + " is too small for these tokens: give at least " +
                     needed + ", or 0 for the usual size.",
                 "어휘 크기가 너무 작습니다. 지금: " + size + ", 최소: " + needed +
                     ". 늘리거나 0으로 두어 주십시오."};
  }
  Result<Tokenizer> learned =
      Tokenizer::train(training, {.kind = wanted.kind,
                                  .vocabulary_size = wanted.size == 0 ? kUsualPieces : wanted.size,
                                  .min_count = std::max(wanted.min_count, kFewestOfAPair)});
  if (!learned) return learned.error();
  const auto shared = std::make_shared<const Tokenizer>(std::move(learned.value()));
  return TaskTokenizers{shared, shared};
}

}  // namespace tp
