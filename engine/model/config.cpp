#include "engine/model/config.h"

#include <string>

namespace tp {
namespace {

// Large enough for anything this engine is for, small enough that products of two stay far from
// overflow.
constexpr int kLargestSize = 1 << 20;
constexpr int kMostLayers = 512;

Error must_lie(const char* what, int value, int low, int high) {
  return {std::string(what) + " is " + std::to_string(value) + ": choose a value from " +
          std::to_string(low) + " to " + std::to_string(high) + "."};
}

struct Range {
  const char* name;
  int value, low, high;
};

}  // namespace

Status validate(const ModelConfig& c) {
  const Range sizes[] = {
      {"d_model", c.d_model, 1, kLargestSize},
      {"heads", c.heads, 1, kLargestSize},
      {"d_ff", c.d_ff, 1, kLargestSize},
      {"encoder_layers", c.has_encoder() ? c.encoder_layers : 1, 1, kMostLayers},
      {"decoder_layers", c.has_decoder() ? c.decoder_layers : 1, 1, kMostLayers},
      {"source_vocabulary",
       c.has_encoder() && c.input == InputKind::tokens ? c.source_vocabulary : 1, 1, kLargestSize},
      {"target_vocabulary", c.has_decoder() ? c.target_vocabulary : 1, 1, kLargestSize},
      {"max_source_length", c.has_encoder() ? c.max_source_length : 1, 1, kLargestSize},
      {"max_target_length", c.has_decoder() ? c.max_target_length : 1, 1, kLargestSize},
      {"patch_size", c.input == InputKind::patches ? c.patch_size : 1, 1, kLargestSize},
      {"outputs", c.head != HeadKind::tokens ? c.outputs : 1, 1, kLargestSize},
      {"reach", c.sparsity != Sparsity::full ? c.reach : 1, 1, kLargestSize},
  };
  for (const Range& size : sizes) {
    if (size.value < size.low || size.value > size.high) {
      return must_lie(size.name, size.value, size.low, size.high);
    }
  }
  if (c.d_model % c.heads != 0) {
    return Error{"d_model " + std::to_string(c.d_model) + " cannot be split into " +
                 std::to_string(c.heads) +
                 " equal heads: make d_model a multiple of heads, for example " +
                 std::to_string((c.d_model / c.heads + 1) * c.heads) + "."};
  }
  if (c.positions == PositionKind::rotary && c.d_head() % 2 != 0) {
    return Error{"rotary positions turn pairs, but d_model / heads is " +
                 std::to_string(c.d_head()) + ": choose d_model and heads so that it is even."};
  }
  if (!(c.dropout >= 0 && c.dropout < 1)) {
    return Error{"dropout must be at least 0 and below 1: lower it."};
  }
  if (!(c.label_smoothing >= 0 && c.label_smoothing < 1)) {
    return Error{"label smoothing must be at least 0 and below 1: lower it."};
  }
  if (!(c.norm_eps > 0 && c.norm_eps < 1)) {
    return Error{"norm_eps must lie between 0 and 1: 1e-5 is usual."};
  }
  if (!(c.position_base > 1 && c.position_base < 1e9)) {
    return Error{"position_base must lie between 1 and 1e9: 10000 is usual."};
  }
  if (c.head != HeadKind::tokens && c.architecture != Architecture::encoder_only) {
    return Error{
        "classification and regression read an encoder: choose encoder-only, or a head for "
        "tokens."};
  }
  if (c.input == InputKind::patches && !c.has_encoder()) {
    return Error{"patches enter through an encoder: choose an architecture that has one."};
  }
  if (c.input == InputKind::patches && c.architecture == Architecture::encoder_only &&
      c.head == HeadKind::tokens) {
    return Error{"patches have no vocabulary to predict: choose classification or regression."};
  }
  if (c.tying != Tying::none && c.head != HeadKind::tokens) {
    return Error{"tied embeddings need a head that predicts tokens: turn tying off."};
  }
  if (c.tying == Tying::all && c.architecture != Architecture::encoder_decoder) {
    return Error{"there is one embedding only: tie the output, not all."};
  }
  if (c.tying == Tying::all &&
      (c.input == InputKind::patches || c.source_vocabulary != c.target_vocabulary)) {
    return Error{
        "tying all embeddings needs one vocabulary: make source_vocabulary equal to "
        "target_vocabulary."};
  }
  return Done{};
}

Status validate(const ModelConfig& c, const BatchLimits& limits) {
  if (Status status = validate(c); !status) return status;
  if (limits.sequences < 1 || limits.sequences > kLargestSize) {
    return must_lie("the number of sequences in a batch", limits.sequences, 1, kLargestSize);
  }
  if (c.has_encoder() && (limits.source_length < 1 || limits.source_length > c.max_source_length)) {
    return must_lie("the longest source sequence", limits.source_length, 1, c.max_source_length);
  }
  if (c.has_decoder() && (limits.target_length < 1 || limits.target_length > c.max_target_length)) {
    return must_lie("the longest target sequence", limits.target_length, 1, c.max_target_length);
  }
  return Done{};
}

}  // namespace tp
