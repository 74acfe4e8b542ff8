#include "bench/flops.h"

namespace tp::bench {

//   products with weights    2 * weights a row passes through
//   scores and context       2 * 2 * d * keys for each query of each attention
double step_flops(const ModelConfig& config, const Batch<float>& batch) {
  const double d = config.d_model, feed_forward = 2.0 * d * config.d_ff;
  const auto attention = [d](const SequenceLayout& queries, const SequenceLayout& keys) {
    double sum = 0;
    for (int s = 0; s < queries.sequences(); ++s) {
      sum += 4 * d * queries.length(s) * keys.length(s);
    }
    return sum;
  };
  const SequenceLayout &source = batch.source_layout, &target = batch.target_layout;
  double forward = 0;
  if (config.has_encoder()) {
    const double weights = 4 * d * d + feed_forward;
    forward += config.encoder_layers * (2 * weights * source.tokens() + attention(source, source));
  }
  if (config.has_decoder()) {
    const double weights = 4 * d * d + feed_forward;
    forward += config.decoder_layers * (2 * weights * target.tokens() + attention(target, target));
  }
  if (config.has_encoder() && config.has_decoder()) {
    // Queries and outputs for each target token, keys and values for each source token.
    const double products = 2 * 2 * d * d * (target.tokens() + source.tokens());
    forward += config.decoder_layers * (products + attention(target, source));
  }
  const bool by_token = config.head == HeadKind::tokens;
  const SequenceLayout& last = batch.head_layout(config);
  forward += 2 * d * config.head_outputs() * (by_token ? last.tokens() : last.sequences());
  return 3 * forward;
}

}  // namespace tp::bench
