#include "engine/train/batch_maker.h"

#include <algorithm>

namespace tp {

Architecture architecture_of(TaskKind kind) {
  if (kind == TaskKind::encoder_decoder) return Architecture::encoder_decoder;
  return kind == TaskKind::decoder_only ? Architecture::decoder_only : Architecture::encoder_only;
}

ModelConfig fit_to_task(ModelConfig config, const Task& task) {
  const TaskKind kind = task.info().kind;
  const TaskSizes& sizes = task.sizes();
  config.source_vocabulary = std::max(task.source_vocabulary().size(), 1);
  config.target_vocabulary = std::max(task.target_vocabulary().size(), 1);
  config.max_source_length = std::max(sizes.source, 1);
  config.max_target_length = 1;
  config.patch_size = sizes.patch_size;
  config.outputs = sizes.outputs;
  config.input = InputKind::tokens;
  config.head = HeadKind::tokens;
  config.architecture = architecture_of(kind);
  switch (kind) {
    case TaskKind::encoder_decoder:
      config.max_target_length = sizes.target + 1;
      break;
    case TaskKind::decoder_only:
      config.max_target_length = std::max(sizes.target - 1, 1);
      break;
    case TaskKind::token_classifier:
      config.head = HeadKind::classification;
      break;
    case TaskKind::patch_classifier:
      config.input = InputKind::patches;
      config.head = HeadKind::classification;
      break;
    case TaskKind::patch_regressor:
      config.input = InputKind::patches;
      config.head = HeadKind::regression;
      break;
  }
  return config;
}

BatchLimits batch_limits(const ModelConfig& config, int sequences) {
  return {sequences, config.has_encoder() ? config.max_source_length : 1,
          config.has_decoder() ? config.max_target_length : 1};
}

BatchMaker::BatchMaker(const Task& task, const ModelConfig& config, int sequences)
    : config_(fit_to_task(config, task)) {
  const auto count = static_cast<std::size_t>(sequences);
  const auto reserve = [&](Tokens& tokens, int width) {
    tokens.width = width;
    tokens.ids.reserve(count * static_cast<std::size_t>(width));
    tokens.lengths.reserve(count);
  };
  reserve(source_, config_.max_source_length);
  reserve(target_, config_.max_target_length);
  const auto target_tokens = count * static_cast<std::size_t>(config_.max_target_length);
  labels_.reserve(std::max(target_tokens, count));
  patch_width_ = config_.max_source_length;
  patch_lengths_.reserve(count);
  patches_.reserve(count * static_cast<std::size_t>(patch_width_) *
                   static_cast<std::size_t>(config_.patch_size));
  values_.reserve(count * static_cast<std::size_t>(config_.outputs));
  batch_.reserve(config_, batch_limits(config_, sequences));
}

void BatchMaker::clear() {
  sequences_ = 0;
  for (Tokens* tokens : {&source_, &target_}) {
    tokens->ids.clear();
    tokens->lengths.clear();
  }
  patch_lengths_.clear();
  labels_.clear();
  patches_.clear();
  values_.clear();
}

std::span<int> BatchMaker::new_row(Tokens& tokens, std::size_t length) {
  TP_CHECK(length <= static_cast<std::size_t>(tokens.width),
           "an example longer than its task says");
  const std::size_t first = tokens.ids.size();
  tokens.ids.resize(first + static_cast<std::size_t>(tokens.width), kPad);
  tokens.lengths.push_back(static_cast<int>(length));
  return std::span(tokens.ids).subspan(first, length);
}

void BatchMaker::add(const Example& example) {
  ++sequences_;
  if (config_.input == InputKind::patches) {
    const auto row = static_cast<std::size_t>(patch_width_ * config_.patch_size);
    patch_lengths_.push_back(static_cast<int>(example.patches.size()) / config_.patch_size);
    patches_.insert(patches_.end(), example.patches.begin(), example.patches.end());
    patches_.resize(static_cast<std::size_t>(sequences_) * row);
  } else if (config_.has_encoder()) {
    std::ranges::copy(example.source, new_row(source_, example.source.size()).begin());
  }
  if (config_.has_decoder()) {
    const std::vector<int>& tokens = example.target;
    const std::size_t first = labels_.size();
    labels_.resize(first + static_cast<std::size_t>(target_.width), kIgnoredLabel);
    const auto labels = labels_.begin() + static_cast<std::ptrdiff_t>(first);
    if (config_.has_encoder()) {
      const std::span<int> row = new_row(target_, tokens.size() + 1);
      row[0] = kBegin;
      std::ranges::copy(tokens, row.begin() + 1);
      *std::ranges::copy(tokens, labels).out = kEnd;
    } else {
      std::copy(tokens.begin(), tokens.end() - 1, new_row(target_, tokens.size() - 1).begin());
      std::copy(tokens.begin() + 1, tokens.end(), labels);
    }
  } else if (config_.head == HeadKind::classification) {
    labels_.push_back(example.label);
  } else {
    values_.insert(values_.end(), example.values.begin(), example.values.end());
  }
}

const Batch<float>& BatchMaker::pack() {
  PaddedBatch<float> padded;
  padded.source = source_.padded();
  padded.source_patches = {patches_, patch_width_, patch_lengths_};
  padded.target = target_.padded();
  padded.labels = labels_;
  padded.target_values = values_;
  const Status status = tp::pack(config_, padded, batch_);
  TP_CHECK(status.ok(), status.ok() ? "" : status.error().message.c_str());
  return batch_;
}

}  // namespace tp
