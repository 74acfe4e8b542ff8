#pragma once

#include <span>
#include <vector>

#include "engine/core/result.h"
#include "engine/layers/sequence_layout.h"
#include "engine/model/config.h"

// What a model is given. Tasks make padded matrices with lengths; pack() checks them against the
// configuration and removes the padding, so that nothing behind this door ever sees it.

namespace tp {

// ids [sequences, width], of which row s holds lengths[s] tokens.
struct PaddedTokens {
  std::span<const int> ids;
  int width = 0;
  std::span<const int> lengths;
};

// values [sequences, width, patch_size], of which row s holds lengths[s] patches.
template <class T>
struct PaddedPatches {
  std::span<const T> values;
  int width = 0;
  std::span<const int> lengths;
};

template <class T>
struct PaddedBatch {
  PaddedTokens source;              // of an encoder that reads tokens
  PaddedPatches<T> source_patches;  // of an encoder that reads patches
  PaddedTokens target;              // what the decoder reads: the answer, shifted
  std::span<const int> labels;  // tokens: [sequences, width] beside the last stack's tokens, with
                                // kIgnoredLabel where a token does not count; classes: [sequences]
  std::span<const T> target_values;  // regression: [sequences, outputs]
};

// The same without padding.
template <class T>
struct Batch {
  SequenceLayout source_layout, target_layout;
  std::vector<int> source_ids;    // [source tokens]
  std::vector<T> source_patches;  // [source tokens, patch_size]
  std::vector<int> target_ids;    // [target tokens]
  std::vector<int> labels;        // [tokens of the last stack] or [sequences]; may be empty
  std::vector<T> target_values;   // [sequences, outputs]; may be empty

  // Room for the largest batch, so that pack() never allocates.
  void reserve(const ModelConfig& config, const BatchLimits& limits);
  // The layout of the stack that the head reads.
  const SequenceLayout& head_layout(const ModelConfig& config) const {
    return config.has_decoder() ? target_layout : source_layout;
  }
};

// Leaves `batch` unspecified when the answer is an error. Labels may be left out: a model can be
// run without knowing the answer.
template <class T>
Status pack(const ModelConfig& config, const PaddedBatch<T>& padded, Batch<T>& batch);

}  // namespace tp
