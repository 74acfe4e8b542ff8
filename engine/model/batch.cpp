#include "engine/model/batch.h"

#include <algorithm>
#include <string>

namespace tp {
namespace {

Status check_lengths(const char* side, std::span<const int> lengths, int width, std::size_t values,
                     int longest) {
  if (lengths.empty()) {
    return Error{std::string("the batch has no ") + side + " sequences: give at least one."};
  }
  if (width < 1 || values != lengths.size() * static_cast<std::size_t>(width)) {
    return Error{std::string("the ") + side +
                 " matrix does not hold [sequences, width] entries: check its width and lengths."};
  }
  for (int length : lengths) {
    if (length < 1 || length > width) {
      return Error{std::string("a ") + side + " sequence has length " + std::to_string(length) +
                   ": give between 1 and the matrix's width, " + std::to_string(width) + "."};
    }
    if (length > longest) {
      return Error{std::string("a ") + side + " sequence has " + std::to_string(length) +
                   " tokens but the model was made for " + std::to_string(longest) +
                   ": shorten it, or raise max_" + side + "_length."};
    }
  }
  return Done{};
}

// Copies the first lengths[s] entries, `size` numbers each, of every row.
template <class V>
void pack_rows(std::span<const V> padded, int width, int size, std::span<const int> lengths,
               std::vector<V>& packed) {
  packed.clear();
  for (std::size_t s = 0; s < lengths.size(); ++s) {
    const auto row = padded.begin() + static_cast<std::ptrdiff_t>(s) * width * size;
    packed.insert(packed.end(), row, row + std::ptrdiff_t{lengths[s]} * size);
  }
}

Status pack_tokens(const char* side, const PaddedTokens& padded, int longest, int vocabulary,
                   SequenceLayout& layout, std::vector<int>& ids) {
  Status status = check_lengths(side, padded.lengths, padded.width, padded.ids.size(), longest);
  if (!status) return status;
  layout.assign(padded.lengths);
  pack_rows(padded.ids, padded.width, 1, padded.lengths, ids);
  for (int id : ids) {
    if (id < 0 || id >= vocabulary) {
      return Error{std::string("the ") + side + " holds token " + std::to_string(id) +
                   " but the vocabulary has " + std::to_string(vocabulary) +
                   ": use ids from 0 to " + std::to_string(vocabulary - 1) + "."};
    }
  }
  return Done{};
}

template <class T>
Status pack_patches(const ModelConfig& config, const PaddedPatches<T>& padded, Batch<T>& batch) {
  const auto size = static_cast<std::size_t>(config.patch_size);
  if (padded.values.size() % size != 0) {
    return Error{"the patches do not hold patch_size numbers each: check patch_size."};
  }
  Status status = check_lengths("source", padded.lengths, padded.width, padded.values.size() / size,
                                config.max_source_length);
  if (!status) return status;
  batch.source_layout.assign(padded.lengths);
  pack_rows(padded.values, padded.width, config.patch_size, padded.lengths, batch.source_patches);
  return Done{};
}

template <class T>
Status pack_labels(const ModelConfig& config, const PaddedBatch<T>& padded, Batch<T>& batch) {
  batch.labels.clear();
  batch.target_values.assign(padded.target_values.begin(), padded.target_values.end());
  const auto sequences = static_cast<std::size_t>(batch.head_layout(config).sequences());
  if (config.head == HeadKind::regression) {
    const std::size_t wanted = sequences * static_cast<std::size_t>(config.outputs);
    if (!padded.target_values.empty() && padded.target_values.size() != wanted) {
      return Error{
          "regression needs `outputs` target values for each sequence: check their number."};
    }
    return Done{};
  }
  if (padded.labels.empty()) return Done{};
  if (config.head == HeadKind::classification) {
    if (padded.labels.size() != sequences) {
      return Error{"classification needs one label for each sequence: check their number."};
    }
    batch.labels.assign(padded.labels.begin(), padded.labels.end());
  } else {
    const PaddedTokens& beside = config.has_decoder() ? padded.target : padded.source;
    if (padded.labels.size() != beside.ids.size()) {
      return Error{"labels stand beside tokens: give a matrix of the same size."};
    }
    pack_rows(padded.labels, beside.width, 1, beside.lengths, batch.labels);
  }
  for (int label : batch.labels) {
    if (label != kIgnoredLabel && (label < 0 || label >= config.head_outputs())) {
      return Error{"label " + std::to_string(label) + " is not one of the " +
                   std::to_string(config.head_outputs()) + " classes: correct it, or use " +
                   std::to_string(kIgnoredLabel) + " to leave it out."};
    }
  }
  return Done{};
}

}  // namespace

template <class T>
void Batch<T>::reserve(const ModelConfig& config, const BatchLimits& limits) {
  const auto sequences = static_cast<std::size_t>(limits.sequences);
  const std::size_t source = sequences * static_cast<std::size_t>(limits.source_length);
  const std::size_t target = sequences * static_cast<std::size_t>(limits.target_length);
  source_layout.reserve(limits.sequences);
  target_layout.reserve(limits.sequences);
  source_ids.reserve(source);
  source_patches.reserve(source * static_cast<std::size_t>(config.patch_size));
  target_ids.reserve(target);
  labels.reserve(std::max({source, target, sequences}));
  target_values.reserve(sequences * static_cast<std::size_t>(config.outputs));
}

template <class T>
Status pack(const ModelConfig& config, const PaddedBatch<T>& padded, Batch<T>& batch) {
  if (config.has_encoder()) {
    Status status =
        config.input == InputKind::patches
            ? pack_patches(config, padded.source_patches, batch)
            : pack_tokens("source", padded.source, config.max_source_length,
                          config.source_vocabulary, batch.source_layout, batch.source_ids);
    if (!status) return status;
  }
  if (config.has_decoder()) {
    Status status = pack_tokens("target", padded.target, config.max_target_length,
                                config.target_vocabulary, batch.target_layout, batch.target_ids);
    if (!status) return status;
  }
  if (config.architecture == Architecture::encoder_decoder &&
      batch.source_layout.sequences() != batch.target_layout.sequences()) {
    return Error{"there must be one target for each source: give equally many of both."};
  }
  return pack_labels(config, padded, batch);
}

template struct Batch<float>;
template struct Batch<double>;
template Status pack(const ModelConfig&, const PaddedBatch<float>&, Batch<float>&);
template Status pack(const ModelConfig&, const PaddedBatch<double>&, Batch<double>&);

}  // namespace tp
