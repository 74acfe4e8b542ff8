#include "engine/session/work_size.h"

#include "engine/layers/attention_mask.h"

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

}  // namespace tp
