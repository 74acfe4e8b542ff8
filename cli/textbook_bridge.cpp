#include "cli/textbook_bridge.h"

#include <algorithm>

namespace tp::cli {

namespace book = textbook;

static_assert(book::kIgnored == kIgnoredLabel);

// Enumerations of both sides list the same words in the same order.
book::Settings textbook_settings(const ModelConfig& c) {
  book::Settings s;
  s.architecture = static_cast<book::Architecture>(c.architecture);
  s.heads = c.heads;
  s.encoder_layers = c.encoder_layers;
  s.decoder_layers = c.decoder_layers;
  s.norm = static_cast<book::NormPlacement>(c.norm);
  s.norm_kind = static_cast<book::NormKind>(c.norm_kind);
  s.final_norm = c.final_norm;
  s.norm_eps = c.norm_eps;
  s.activation = static_cast<book::Activation>(c.activation);
  s.positions = static_cast<book::PositionKind>(c.positions);
  s.position_base = c.position_base;
  s.scale_embedding = c.scale_embedding;
  s.tying = static_cast<book::Tying>(c.tying);
  s.sparsity = static_cast<book::Sparsity>(c.sparsity);
  s.reach = c.reach;
  s.label_smoothing = c.label_smoothing;
  s.head = static_cast<book::HeadKind>(c.head);
  s.pooling = static_cast<book::PoolingKind>(c.pooling);
  return s;
}

template <class T>
book::Tensors<T> textbook_tensors(const ParameterStore<T>& store, std::span<const T> block) {
  book::Tensors<T> tensors;
  for (const ParameterEntry& entry : store.entries()) {
    const book::Index rows = entry.shape.size() == 2 ? entry.shape[0] : 1;
    tensors[entry.name] =
        Eigen::Map<const book::Matrix<T>>(block.data() + entry.offset, rows, entry.shape.back());
  }
  return tensors;
}

template <class T>
void store_tensors(const book::Tensors<T>& tensors, const ParameterStore<T>& store,
                   std::span<T> block) {
  for (const ParameterEntry& entry : store.entries()) {
    const book::Matrix<T>& tensor = tensors.at(entry.name);
    std::copy_n(tensor.data(), entry.count, block.data() + entry.offset);
  }
}

template <class T>
book::Example<T> textbook_example(const ModelConfig& config, const Batch<T>& batch, int sequence) {
  const auto part = [](const SequenceLayout& layout, int s, const std::vector<int>& all) {
    return std::vector<int>(all.begin() + layout.begin(s), all.begin() + layout.end(s));
  };
  const SequenceLayout& source = batch.source_layout;
  book::Example<T> example;
  if (config.has_encoder() && config.input == InputKind::patches) {
    example.patches = Eigen::Map<const book::Matrix<T>>(
        batch.source_patches.data() + std::ptrdiff_t{source.begin(sequence)} * config.patch_size,
        source.length(sequence), config.patch_size);
  } else if (config.has_encoder()) {
    example.source = part(source, sequence, batch.source_ids);
  }
  if (config.has_decoder()) example.target = part(batch.target_layout, sequence, batch.target_ids);
  if (config.head == HeadKind::tokens) {
    example.labels = part(batch.head_layout(config), sequence, batch.labels);
  } else if (config.head == HeadKind::classification) {
    example.labels = {batch.labels[static_cast<std::size_t>(sequence)]};
  } else {
    example.values = Eigen::Map<const book::Matrix<T>>(
        batch.target_values.data() + std::ptrdiff_t{sequence} * config.outputs, 1, config.outputs);
  }
  return example;
}

template book::Tensors<float> textbook_tensors(const ParameterStore<float>&,
                                               std::span<const float>);
template book::Tensors<double> textbook_tensors(const ParameterStore<double>&,
                                                std::span<const double>);
template void store_tensors(const book::Tensors<float>&, const ParameterStore<float>&,
                            std::span<float>);
template void store_tensors(const book::Tensors<double>&, const ParameterStore<double>&,
                            std::span<double>);
template book::Example<float> textbook_example(const ModelConfig&, const Batch<float>&, int);
template book::Example<double> textbook_example(const ModelConfig&, const Batch<double>&, int);

}  // namespace tp::cli
