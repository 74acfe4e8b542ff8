#pragma once

#include <string>
#include <vector>

#include "engine/model/token_scorer.h"

namespace tp {

constexpr int kMostDecodedSequences = 1024;

inline Status check_decodable(const ModelConfig& config, int max_sequences) {
  if (!config.has_decoder()) {
    return Error{"an encoder-only model does not generate: choose one with a decoder."};
  }
  if (max_sequences < 1 || max_sequences > kMostDecodedSequences) {
    return Error{"decoding follows from 1 to " + std::to_string(kMostDecodedSequences) +
                 " sequences at once: change the beam width."};
  }
  return Done{};
}

// `copies` times the same source, packed. The targets of the batch are left alone.
template <class T>
Status pack_source(const ModelConfig& config, const DecodeSource<T>& source, int copies,
                   Batch<T>& batch) {
  if (!config.has_encoder()) return Done{};
  const bool patches = config.input == InputKind::patches;
  const int length = static_cast<int>(patches ? source.patches.size() : source.ids.size()) /
                     (patches ? config.patch_size : 1);
  std::vector<int> ids, lengths;
  std::vector<T> values;
  for (int i = 0; i < copies; ++i) {
    ids.insert(ids.end(), source.ids.begin(), source.ids.end());
    values.insert(values.end(), source.patches.begin(), source.patches.end());
    lengths.push_back(length);
  }
  // As an encoder alone: there is no target yet.
  ModelConfig encoder = config;
  encoder.architecture = Architecture::encoder_only;
  PaddedBatch<T> padded;
  padded.source = {ids, length, lengths};
  padded.source_patches = {values, length, lengths};
  return pack(encoder, padded, batch);
}

}  // namespace tp
