#include "engine/tasks/pairs_vocabulary.h"

#include <algorithm>
#include <unordered_map>

#include "engine/tasks/task_tokenizers.h"
#include "engine/text/tokenizer_pieces.h"

namespace tp {
namespace {

constexpr int kMarks = 4;

// The tokens of one side in the order in which they first occur.
class TokenCounts {
 public:
  void add(std::string_view token) {
    const auto at = places_.find(token);
    if (at != places_.end()) {
      ++counts_[at->second].count;
      return;
    }
    places_.emplace(token, counts_.size());
    counts_.push_back({std::string(token), 1, counts_.size()});
  }

  // The most frequent ones, of equally frequent ones the earlier.
  std::vector<std::string> chosen(std::int64_t min_count, std::size_t most) {
    std::erase_if(counts_, [&](const Count& token) {
      return token.count < min_count || token.token.size() > kMaxTokenBytes;
    });
    if (counts_.size() > most) {
      const auto sort = [&](bool (*before)(const Count&, const Count&)) {
        std::sort(counts_.begin(), counts_.end(), before);
      };
      sort([](const Count& a, const Count& b) {
        return a.count != b.count ? a.count > b.count : a.first < b.first;
      });
      counts_.resize(most);
      sort([](const Count& a, const Count& b) { return a.first < b.first; });
    }
    std::vector<std::string> tokens;
    for (Count& count : counts_) tokens.push_back(std::move(count.token));
    return tokens;
  }

 private:
  struct Count {
    std::string token;
    std::int64_t count;
    std::size_t first;
  };
  std::vector<Count> counts_;
  std::unordered_map<std::string, std::size_t, TextHash, std::equal_to<>> places_;
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
      wanted.kind,
      counts.chosen(wanted.min_count, static_cast<std::size_t>(std::max(size - kMarks, 1)))));
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
