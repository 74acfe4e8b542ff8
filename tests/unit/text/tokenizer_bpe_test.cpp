// Merging and learning against the textbook: the same thing done slowly, by looking at everything.

#include "engine/text/tokenizer_bpe.h"

#include <gtest/gtest.h>

#include <map>

#include "engine/core/rng.h"

namespace tp {
namespace {

TokenTable letters(int count) {
  TokenTable vocabulary;
  for (int i = 0; i < count; ++i) vocabulary.add(std::string(1, static_cast<char>('a' + i)));
  return vocabulary;
}

std::vector<int> random_symbols(Rng& rng, int kinds, std::uint32_t longest) {
  std::vector<int> symbols(rng.below(longest + 1));
  for (int& symbol : symbols)
    symbol = static_cast<int>(rng.below(static_cast<std::uint32_t>(kinds)));
  return symbols;
}

// Looks through all neighbours for the earliest learned merge, joins it once, and starts again.
std::vector<int> joined_slowly(std::vector<int> symbols, const std::vector<Merge>& merges) {
  while (true) {
    std::size_t best = merges.size(), place = 0;
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
      for (std::size_t rank = 0; rank < best; ++rank) {
        if (merges[rank].left == symbols[i] && merges[rank].right == symbols[i + 1]) {
          best = rank;
          place = i;
        }
      }
    }
    if (best == merges.size()) return symbols;
    symbols[place] = merges[best].merged;
    symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(place) + 1);
  }
}

// Counts all pairs anew for every merge.
std::vector<Merge> learned_slowly(std::vector<CountedWord> words, std::int64_t min_count,
                                  TokenTable& vocabulary, int size) {
  std::vector<Merge> merges;
  while (vocabulary.size() < size) {
    std::map<std::pair<int, int>, std::int64_t> counts;  // in the order that breaks ties
    for (const CountedWord& word : words) {
      for (std::size_t i = 0; i + 1 < word.symbols.size(); ++i) {
        if (word.symbols[i] == kNoToken || word.symbols[i + 1] == kNoToken) continue;
        counts[{word.symbols[i], word.symbols[i + 1]}] += word.count;
      }
    }
    std::pair<int, int> best;
    std::int64_t most = 0;
    for (const auto& [pair, count] : counts) {
      if (count > most) std::tie(best, most) = std::tie(pair, count);
    }
    if (most < min_count) break;
    const auto [left, right] = best;
    const std::string spelling = vocabulary.spelling(left) + vocabulary.spelling(right);
    int merged = vocabulary.find(spelling);
    if (merged == kNoToken) merged = vocabulary.add(spelling);
    const Merge merge{left, right, merged};
    if (std::find(merges.begin(), merges.end(), merge) == merges.end()) merges.push_back(merge);
    for (CountedWord& word : words) word.symbols = joined_slowly(word.symbols, {merge});
  }
  return merges;
}

TEST(TokenizerBpe, MergesAreAppliedAsByTheTextbook) {
  for (std::uint64_t number = 0; number < 2'000; ++number) {
    Rng rng(1, number);
    // Any merges in any order, also ones that no training would give.
    TokenTable vocabulary = letters(3);
    std::vector<Merge> merges;
    for (int i = 0; i < 8; ++i) {
      const auto any = [&] {
        return static_cast<int>(rng.below(static_cast<std::uint32_t>(vocabulary.size())));
      };
      const int left = any(), right = any();
      const std::string spelling = vocabulary.spelling(left) + vocabulary.spelling(right);
      if (vocabulary.find(spelling) != kNoToken) continue;
      merges.push_back({left, right, vocabulary.add(spelling)});
    }
    rng.shuffle(std::span(merges));
    std::vector<int> symbols = random_symbols(rng, 3, 24);
    if (rng.bernoulli(0.3) && !symbols.empty()) symbols[0] = kNoToken;
    const std::vector<int> expected = joined_slowly(symbols, merges);
    MergeTable(merges).apply(symbols);
    ASSERT_EQ(symbols, expected) << "case " << number;
  }
}

TEST(TokenizerBpe, EqualMergesGoFromLeftToRight) {
  const std::vector<Merge> merges = {{0, 0, 1}};
  std::vector<int> symbols = {0, 0, 0, 0, 0};
  MergeTable(merges).apply(symbols);
  EXPECT_EQ(symbols, (std::vector<int>{1, 1, 0}));
}

TEST(TokenizerBpe, ALongPieceIsMergedInNoTime) {
  TokenTable vocabulary = letters(2);
  std::vector<Merge> merges;
  for (int last = 0; last < 10;) {
    merges.push_back({last, last, vocabulary.size()});
    vocabulary.add(vocabulary.spelling(last) + vocabulary.spelling(last));
    last = merges.back().merged;
  }
  std::vector<int> symbols(1 << 18, 0);  // quadratic time would be minutes
  MergeTable(merges).apply(symbols);
  EXPECT_EQ(symbols, std::vector<int>((1 << 18) >> merges.size(), merges.back().merged));
}

TEST(TokenizerBpe, LearnsAsByTheTextbook) {
  for (std::uint64_t number = 0; number < 300; ++number) {
    Rng rng(2, number);
    std::vector<CountedWord> words(1 + rng.below(12));
    for (CountedWord& word : words) word = {random_symbols(rng, 3, 12), 1 + rng.below(4)};
    if (rng.bernoulli(0.3)) words[0].symbols.insert(words[0].symbols.begin(), kNoToken);
    TokenTable fast = letters(3), slow = letters(3);
    const std::int64_t min_count = 1 + rng.below(3);
    const int size = 3 + static_cast<int>(rng.below(30));
    const std::vector<Merge> expected = learned_slowly(words, min_count, slow, size);
    ASSERT_EQ(learn_merges(words, min_count, fast, size, 0), expected) << "case " << number;
    ASSERT_EQ(fast.size(), slow.size());
  }
}

TEST(TokenizerBpe, TiesGoToTheSmallerLeftTokenThenTheSmallerRightOne) {
  // cb, ba and bc occur twice each; ba is first by its left token and then its right one.
  TokenTable vocabulary = letters(3);
  const std::vector<CountedWord> words = {{{2, 1}, 2}, {{1, 2}, 2}, {{1, 0}, 2}};
  const std::vector<Merge> merges = learn_merges(words, 1, vocabulary, 100, 0);
  EXPECT_EQ(merges, (std::vector<Merge>{{1, 0, 3}, {1, 2, 4}, {2, 1, 5}}));
}

TEST(TokenizerBpe, ReservedAndLongTokensAreNotMade) {
  TokenTable vocabulary;
  for (const char* spelling : {"ab", "a", "b"}) vocabulary.add(spelling);
  EXPECT_TRUE(learn_merges({{{1, 2}, 5}}, 1, vocabulary, 10, 1).empty());

  TokenTable long_ones;
  long_ones.add(std::string(200, 'x'));
  EXPECT_TRUE(learn_merges({{{0, 0}, 5}}, 1, long_ones, 10, 0).empty());
}

}  // namespace
}  // namespace tp
