#include "engine/text/tokenizer_bpe.h"
#include "engine/core/small_sort.h"

#include <algorithm>
#include <queue>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>

namespace tp {
namespace {

std::uint64_t key_of(int left, int right) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32 |
         static_cast<std::uint32_t>(right);
}

}  // namespace

MergeTable::MergeTable(std::span<const Merge> merges) {
  entries_.reserve(merges.size());
  for (std::size_t rank = 0; rank < merges.size(); ++rank) {
    const Merge& merge = merges[rank];
    entries_.try_emplace(key_of(merge.left, merge.right),
                         Entry{static_cast<int>(rank), merge.merged});
  }
}

const MergeTable::Entry* MergeTable::find(int left, int right) const {
  const auto at = entries_.find(key_of(left, right));
  return at == entries_.end() ? nullptr : &at->second;
}

void MergeTable::apply(std::vector<int>& symbols) const {
  // A merge that was possible when it was found; it may have been overtaken since.
  struct Candidate {
    int rank, merged;
    std::size_t at;
    int left, right;
    bool operator>(const Candidate& other) const {
      return std::tie(rank, at) > std::tie(other.rank, other.at);
    }
  };
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;

  // The symbols as a linked list: a joined pair lives on in its left place.
  const std::size_t count = symbols.size();
  std::vector<std::size_t> next(count), previous(count);
  for (std::size_t i = 0; i < count; ++i) {
    next[i] = i + 1;
    previous[i] = i - 1;  // of the first one: beyond the end
  }
  const auto consider = [&](std::size_t at) {
    if (at >= count || next[at] >= count) return;
    const int left = symbols[at], right = symbols[next[at]];
    if (const Entry* entry = find(left, right)) {
      queue.push({entry->rank, entry->merged, at, left, right});
    }
  };
  for (std::size_t i = 0; i < count; ++i) consider(i);

  constexpr int kGone = -2;
  while (!queue.empty()) {
    const Candidate best = queue.top();
    queue.pop();
    const std::size_t right = next[best.at];
    if (symbols[best.at] != best.left || right >= count || symbols[right] != best.right) continue;
    symbols[best.at] = best.merged;
    symbols[right] = kGone;
    next[best.at] = next[right];
    if (next[right] < count) previous[next[right]] = best.at;
    consider(previous[best.at]);
    consider(best.at);
  }
  std::erase(symbols, kGone);
}

namespace {

// How often each pair of neighbours occurs, and in which words.
class PairCounts {
 public:
  struct Pair {
    int left, right;
    std::int64_t count;
    // The most frequent one first, then the smaller left token, then the smaller right one.
    bool operator<(const Pair& other) const {
      return std::tie(count, other.left, other.right) < std::tie(other.count, left, right);
    }
  };

  void add(int left, int right, std::int64_t count, std::size_t word) {
    if (left == kNoToken || right == kNoToken) return;
    Entry& entry = entries_[key_of(left, right)];
    entry.count += count;
    if (entry.words.empty() || entry.words.back() != word) entry.words.push_back(word);
    if (!std::exchange(entry.touched, true)) touched_.push_back({left, right, 0});
  }

  void remove(int left, int right, std::int64_t count) {
    // A pair that is being merged is no longer there.
    const auto at = entries_.find(key_of(left, right));
    if (at != entries_.end()) at->second.count -= count;
  }

  // Puts what was added since into the queue, with its count as it is now.
  void settle() {
    for (Pair& pair : touched_) {
      Entry& entry = entries_[key_of(pair.left, pair.right)];
      entry.touched = false;
      pair.count = entry.count;
      if (pair.count > 0) queue_.push(pair);
    }
    touched_.clear();
  }

  // The most frequent pair, with a count of 0 when none is left. It stays until taken.
  Pair most_frequent() {
    while (!queue_.empty()) {
      Pair pair = queue_.top();
      const auto at = entries_.find(key_of(pair.left, pair.right));
      const std::int64_t now = at == entries_.end() ? 0 : at->second.count;
      if (pair.count == now) return pair;
      // Counts in the queue may be out of date, but never too small.
      queue_.pop();
      pair.count = now;
      if (now > 0) queue_.push(pair);
    }
    return {0, 0, 0};
  }

  // Forgets the pair and names the words it is in, each once.
  std::vector<std::size_t> take(const Pair& pair) {
    const auto at = entries_.find(key_of(pair.left, pair.right));
    std::vector<std::size_t> words = std::move(at->second.words);
    entries_.erase(at);
    heap_sort(words);
    words.erase(std::unique(words.begin(), words.end()), words.end());
    return words;
  }

 private:
  struct Entry {
    std::int64_t count = 0;
    std::vector<std::size_t> words;
    bool touched = false;  // more was added since the queue last heard of it
  };
  std::unordered_map<std::uint64_t, Entry> entries_;
  std::priority_queue<Pair> queue_;
  std::vector<Pair> touched_;
};

// Joins the pair wherever it occurs in the word, from left to right, and keeps the counts right.
void join(const Merge& merge, CountedWord& word, std::size_t index, PairCounts& pairs) {
  std::vector<int>& symbols = word.symbols;
  std::size_t written = 0;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const bool here =
        symbols[i] == merge.left && i + 1 < symbols.size() && symbols[i + 1] == merge.right;
    if (!here) {
      symbols[written++] = symbols[i];
      continue;
    }
    if (written > 0) {
      pairs.remove(symbols[written - 1], merge.left, word.count);
      pairs.add(symbols[written - 1], merge.merged, word.count, index);
    }
    if (i + 2 < symbols.size()) {
      pairs.remove(merge.right, symbols[i + 2], word.count);
      pairs.add(merge.merged, symbols[i + 2], word.count, index);
    }
    symbols[written++] = merge.merged;
    ++i;
  }
  symbols.resize(written);
}

}  // namespace

std::vector<Merge> learn_merges(std::vector<CountedWord> words, std::int64_t min_count,
                                TokenTable& vocabulary, int size, int reserved) {
  PairCounts pairs;
  for (std::size_t w = 0; w < words.size(); ++w) {
    const std::vector<int>& symbols = words[w].symbols;
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
      pairs.add(symbols[i], symbols[i + 1], words[w].count, w);
    }
  }
  std::vector<Merge> merges;
  std::unordered_set<std::uint64_t> learned;
  while (vocabulary.size() < size && merges.size() < kMaxMerges) {
    pairs.settle();
    const PairCounts::Pair pair = pairs.most_frequent();
    if (pair.count < std::max<std::int64_t>(min_count, 1)) break;
    const std::vector<std::size_t> places = pairs.take(pair);
    const std::string spelling = vocabulary.spelling(pair.left) + vocabulary.spelling(pair.right);
    int merged = vocabulary.find(spelling);
    if ((merged != kNoToken && merged < reserved) || spelling.size() > kMaxTokenBytes) continue;
    if (merged == kNoToken) merged = vocabulary.add(spelling);
    // "abc" may be ab+c or a+bc. When the second way is learned late, pairs with "abc" that were
    // joined long ago appear anew: they are joined again, but need no second entry.
    const Merge merge{pair.left, pair.right, merged};
    if (learned.insert(key_of(pair.left, pair.right)).second) merges.push_back(merge);
    for (const std::size_t w : places) join(merge, words[w], w, pairs);
  }
  return merges;
}

}  // namespace tp
