#include "engine/session/work_size.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/layers/attention_mask.h"
#include "engine/train/parameter_layers.h"

namespace tp {
namespace {

// Cells of a score matrix [queries, keys] that are computed.
double cells(const AttentionMask& mask, int queries, int keys) {
  double sum = 0;
  for (int q = 0; q < queries; ++q) {
    const KeyRange range = mask.range(q, keys);
    sum += range.end - range.begin;
  }
  return sum;
}

// Operations of one sequence in the forward pass of each kind of part.
class Parts {
 public:
  Parts(const ModelConfig& config, const Lengths& lengths)
      : c_(config), d_(config.d_model), source_(lengths.source), target_(lengths.target) {}

  double input() const {
    return c_.input == InputKind::patches ? 2.0 * source_ * c_.patch_size * d_ : 0;
  }
  double encoder_layer() const { return self_attention(source_, false) + feed_forward(source_); }
  double decoder_layer() const {
    double sum = self_attention(target_, true) + feed_forward(target_);
    if (c_.has_encoder()) {
      const double query_and_out = 2.0 * 2 * target_ * d_ * d_;
      const double key_and_value = 2.0 * source_ * d_ * 2 * d_;
      sum += query_and_out + key_and_value + 2.0 * 2 * source_ * target_ * d_;
    }
    return sum;
  }
  double head() const {
    const int rows = c_.head != HeadKind::tokens ? 1 : c_.has_decoder() ? target_ : source_;
    return 2.0 * rows * d_ * c_.head_outputs();
  }

 private:
  double self_attention(int n, bool causal) const {
    const AttentionMask mask{c_.sparsity, c_.reach, causal};
    return 2.0 * n * d_ * 3 * d_ + 2.0 * 2 * cells(mask, n, n) * d_ + 2.0 * n * d_ * d_;
  }
  double feed_forward(int n) const { return 2.0 * 2 * n * d_ * c_.d_ff; }

  const ModelConfig& c_;
  double d_;
  int source_, target_;
};

}  // namespace

double forward_operations(const ModelConfig& config, const Lengths& lengths, double sequences) {
  const Parts parts(config, lengths);
  double sum = parts.head();
  if (config.has_encoder()) {
    sum += parts.input() + config.encoder_layers * parts.encoder_layer();
  }
  if (config.has_decoder()) sum += config.decoder_layers * parts.decoder_layer();
  return sum * sequences;
}

double training_operations(const ModelConfig& config, const TrainConfig& train,
                           const Lengths& lengths, double sequences) {
  // Each product has two more behind it, for the gradients of its two factors.
  double sum = 3 * forward_operations(config, lengths, 1);
  if (train.recompute_layers) {
    const Parts parts(config, lengths);
    // All but the last layer of a stack are computed once more.
    if (config.has_encoder()) sum += (config.encoder_layers - 1) * parts.encoder_layer();
    if (config.has_decoder()) sum += (config.decoder_layers - 1) * parts.decoder_layer();
  }
  return sum * sequences;
}

LargestPiece largest_piece(const ModelConfig& config, const TrainConfig& train) {
  const Parts parts(config, {config.max_source_length, config.max_target_length});
  LargestPiece largest;
  const auto consider = [&](double operations, const char* name, bool grows_with_batch) {
    if (operations > largest.operations) largest = {operations, name, grows_with_batch};
  };
  // Back through a layer are two products for each; a layer that is computed again, three.
  const auto layer = [&](double forward, int layers, const char* name) {
    const bool again = train.recompute_layers && layers > 1;
    consider((again ? 3 : 2) * forward * train.batch, name, true);
  };
  if (config.has_encoder()) layer(parts.encoder_layer(), config.encoder_layers, "encoder layer");
  if (config.has_decoder()) layer(parts.decoder_layer(), config.decoder_layers, "decoder layer");
  consider(2 * parts.head() * train.batch, "output layer", true);
  consider(2 * parts.input() * train.batch, "embedding of patches", true);

  if (config.has_decoder()) {
    // One token is written at a time, through all layers. Before the first one, every layer looks
    // at the whole source.
    const Parts token(config, {config.max_source_length, 1});
    consider(config.decoder_layers * token.decoder_layer() + token.head(), "written token", false);
  }
  // A pass of the optimiser over one layer's parameters, and of clipping over all of them.
  constexpr double kUpdate = 16, kClip = 4;
  const ParameterStore<float> store(list_parameters(config), false);
  for (const ParameterLayer& one : parameter_layers(config, store)) {
    consider(kUpdate * static_cast<double>(one.count), "update", false);
  }
  consider(kClip * static_cast<double>(store.count()), "update", false);
  return largest;
}

Status check_work(const ModelConfig& config, const TrainConfig& train) {
  const LargestPiece piece = largest_piece(config, train);
  if (piece.operations <= kLargestPiece) return Done{};
  const double per_sequence = piece.operations / train.batch;
  const int batch = static_cast<int>(std::floor(kLargestPiece / per_sequence));
  if (!piece.grows_with_batch || batch < 1) {
    return Error{"one piece of work would take too long to be interrupted (" +
                     std::string(piece.name) +
                     "): lower d_model, d_ff, the layers or the longest sequence.",
                 "한 번에 계산할 양이 너무 많아 중간에 멈출 수 없습니다. d_model, d_ff, 레이어 수, "
                 "최대 길이 "
                 "중 하나를 줄여 주십시오."};
  }
  const int accumulation = (train.batch * train.accumulation + batch - 1) / batch;
  return Error{"a batch of " + std::to_string(train.batch) + " through one " + piece.name +
                   " would take too long to be interrupted: lower batch to " +
                   std::to_string(batch) + " and set accumulation to " +
                   std::to_string(accumulation) + " for the same step, or lower d_model or d_ff.",
               "배치가 너무 커서 중간에 멈출 수 없습니다. 배치: " + std::to_string(batch) +
                   ", 기울기 누적: " + std::to_string(accumulation) +
                   ". 이렇게 바꾸면 같은 스텝이 됩니다. 또는 d_model, d_ff 값을 줄여 주십시오."};
}

}  // namespace tp
