#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "engine/core/rng.h"
#include "engine/model/batch.h"

namespace tp::test {

// A padded batch with its memory: lengths, tokens, patches and answers drawn at random.
template <class T>
struct RandomBatch {
  std::vector<int> source_lengths, target_lengths, source_ids, target_ids, labels;
  std::vector<T> patches, target_values;
  int source_width = 0, target_width = 0;

  // Padding is filled with ids that are valid but random: whoever reads it is found out.
  RandomBatch(const ModelConfig& config, std::vector<int> source, std::vector<int> target, Rng& rng,
              int extra_padding = 0)
      : source_lengths(std::move(source)), target_lengths(std::move(target)) {
    const auto draw = [&](int n) {
      return static_cast<int>(rng.below(static_cast<std::uint32_t>(n)));
    };
    source_width = widest(source_lengths) + extra_padding;
    target_width = widest(target_lengths) + extra_padding;
    for (int i = 0; i < source_width * count(source_lengths); ++i) {
      source_ids.push_back(draw(config.source_vocabulary));
      for (int j = 0; j < config.patch_size; ++j) patches.push_back(static_cast<T>(rng.normal()));
    }
    for (int i = 0; i < target_width * count(target_lengths); ++i) {
      target_ids.push_back(draw(config.target_vocabulary));
    }
    const std::size_t tokens = config.has_decoder() ? target_ids.size() : source_ids.size();
    if (config.head == HeadKind::tokens) {
      for (std::size_t i = 0; i < tokens; ++i) {
        labels.push_back(i % 5 == 3 ? kIgnoredLabel : draw(config.head_outputs()));
      }
    } else if (config.head == HeadKind::classification) {
      for (int i = 0; i < count(source_lengths); ++i) labels.push_back(draw(config.outputs));
    } else {
      for (int i = 0; i < count(source_lengths) * config.outputs; ++i) {
        target_values.push_back(static_cast<T>(rng.normal()));
      }
    }
  }

  PaddedBatch<T> padded(const ModelConfig& config) const {
    PaddedBatch<T> batch;
    if (config.has_encoder() && config.input == InputKind::tokens) {
      batch.source = {source_ids, source_width, source_lengths};
    }
    if (config.has_encoder() && config.input == InputKind::patches) {
      batch.source_patches = {patches, source_width, source_lengths};
    }
    if (config.has_decoder()) batch.target = {target_ids, target_width, target_lengths};
    batch.labels = labels;
    batch.target_values = target_values;
    return batch;
  }

 private:
  static int widest(const std::vector<int>& lengths) {
    return lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
  }
  static int count(const std::vector<int>& lengths) { return static_cast<int>(lengths.size()); }
};

}  // namespace tp::test
