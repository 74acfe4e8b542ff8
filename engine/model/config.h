#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/core/result.h"
#include "engine/layers/attention_mask.h"
#include "engine/layers/feed_forward.h"
#include "engine/layers/norm.h"
#include "engine/layers/pooling.h"
#include "engine/layers/residual.h"

// Everything that decides what a model is. Two models with equal configurations have the same
// parameters under the same names.

namespace tp {

enum class Architecture { encoder_decoder, encoder_only, decoder_only };
enum class PositionKind { sinusoidal, learned, rotary, alibi, none };
enum class InputKind { tokens, patches };
enum class HeadKind { tokens, classification, regression };

// Which of src_embed, tgt_embed and generator are one matrix. `output`: the generator reuses the
// embedding of the tokens it predicts; `all`: the source embedding is that matrix too.
enum class Tying { none, output, all };

struct ModelConfig {
  Architecture architecture = Architecture::encoder_decoder;
  int d_model = 64;
  int heads = 4;
  int d_ff = 256;
  int encoder_layers = 2;
  int decoder_layers = 2;

  NormPlacement norm = NormPlacement::pre;
  NormKind norm_kind = NormKind::layer;
  bool final_norm = true;  // encoder.norm and decoder.norm, as in PyTorch's nn.Transformer
  double norm_eps = 1e-5;
  Activation activation = Activation::relu;
  bool biases = true;  // of linear layers, of attention and of norms

  PositionKind positions = PositionKind::sinusoidal;
  double position_base = 10000;
  bool scale_embedding = true;
  Tying tying = Tying::none;

  Sparsity sparsity = Sparsity::full;  // of self-attention
  int reach = 0;

  double dropout = 0;
  double label_smoothing = 0;

  // The side that an architecture does not have is ignored.
  int source_vocabulary = 32;
  int target_vocabulary = 32;
  int max_source_length = 64;
  int max_target_length = 64;

  InputKind input = InputKind::tokens;  // of the encoder
  int patch_size = 0;                   // numbers in one patch

  HeadKind head = HeadKind::tokens;  // the others need an encoder alone
  int outputs = 0;                   // classes, or numbers to predict
  PoolingKind pooling = PoolingKind::mean;

  bool operator==(const ModelConfig&) const = default;

  bool has_encoder() const { return architecture != Architecture::decoder_only; }
  bool has_decoder() const { return architecture != Architecture::encoder_only; }
  int d_head() const { return d_model / heads; }
  // Of the sequences of both sides.
  int longest() const {
    return std::max(has_encoder() ? max_source_length : 0, has_decoder() ? max_target_length : 0);
  }
  // Width of the logits.
  int head_outputs() const {
    if (head != HeadKind::tokens) return outputs;
    return has_decoder() ? target_vocabulary : source_vocabulary;
  }
};

// Says what to change when the configuration cannot work.
Status validate(const ModelConfig& config);

// The largest batch that buffers are made for.
struct BatchLimits {
  int sequences = 1;
  int source_length = 1;
  int target_length = 1;
};

Status validate(const ModelConfig& config, const BatchLimits& limits);

// Where the engine stops by default: what a browser tab can be expected to give.
constexpr std::size_t kDefaultMemoryLimit = std::size_t{1} << 30;

}  // namespace tp
