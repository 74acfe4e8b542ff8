#pragma once

#include <vector>

#include "engine/core/rng.h"
#include "engine/model/batch.h"

namespace tp::test {

// The smallest task worth learning: repeat, or reverse, a random sequence. Token 0 begins, 1 ends.
struct CopyTask {
  static constexpr int kBegin = 0, kEnd = 1;
  int vocabulary = 12, longest = 6;
  bool reverse = false;

  std::vector<int> source_lengths, target_lengths, source, target, labels;

  // Example number `index` of `seed` is always the same one.
  std::vector<int> example(std::uint64_t seed, std::uint64_t index) const {
    Rng rng(seed, index);
    std::vector<int> tokens(1 + rng.below(static_cast<std::uint32_t>(longest)));
    for (int& token : tokens) {
      token = 2 + static_cast<int>(rng.below(static_cast<std::uint32_t>(vocabulary - 2)));
    }
    return tokens;
  }
  std::vector<int> answer(std::vector<int> tokens) const {
    if (reverse) tokens = {tokens.rbegin(), tokens.rend()};
    tokens.push_back(kEnd);
    return tokens;
  }

  // The examples [first, first + count), padded. An encoder-decoder's batch; a decoder-only model
  // reads the target side of it.
  PaddedBatch<float> batch(std::uint64_t seed, std::uint64_t first, int count) {
    const int width = longest + 1;
    const auto size = static_cast<std::size_t>(count * width);
    source_lengths.resize(static_cast<std::size_t>(count));
    target_lengths.resize(static_cast<std::size_t>(count));
    source.assign(size, 0), target.assign(size, 0), labels.assign(size, 0);
    for (int i = 0; i < count; ++i) {
      const std::vector<int> tokens = example(seed, first + static_cast<std::uint64_t>(i));
      const std::vector<int> answers = answer(tokens);
      source_lengths[i] = static_cast<int>(tokens.size());
      target_lengths[i] = static_cast<int>(answers.size());
      for (std::size_t j = 0; j < tokens.size(); ++j) source[i * width + j] = tokens[j];
      for (std::size_t j = 0; j < answers.size(); ++j) {
        target[i * width + j] = j == 0 ? kBegin : answers[j - 1];
        labels[i * width + j] = answers[j];
      }
    }
    PaddedBatch<float> padded;
    padded.source = {source, width, source_lengths};
    padded.target = {target, width, target_lengths};
    padded.labels = labels;
    return padded;
  }
};

}  // namespace tp::test
