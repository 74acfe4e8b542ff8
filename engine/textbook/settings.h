#pragma once

// What kind of Transformer it is. The words are those of the engine's configuration.

namespace tp::textbook {

enum class Architecture { encoder_decoder, encoder_only, decoder_only };
enum class NormPlacement { pre, post };
enum class NormKind { layer, rms };
enum class Activation { relu, gelu };
enum class PositionKind { sinusoidal, learned, rotary, alibi, none };
enum class Tying { none, output, all };
enum class Sparsity { full, local, strided };
enum class HeadKind { tokens, classification, regression };
enum class PoolingKind { mean, first };

struct Settings {
  Architecture architecture = Architecture::encoder_decoder;
  int heads = 8;
  int encoder_layers = 6;
  int decoder_layers = 6;

  NormPlacement norm = NormPlacement::post;
  NormKind norm_kind = NormKind::layer;
  bool final_norm = false;  // after the last block
  double norm_eps = 1e-5;
  Activation activation = Activation::relu;

  PositionKind positions = PositionKind::sinusoidal;
  double position_base = 10000;
  bool scale_embedding = true;
  Tying tying = Tying::all;

  Sparsity sparsity = Sparsity::full;  // of self-attention
  int reach = 0;

  double label_smoothing = 0.1;
  HeadKind head = HeadKind::tokens;
  PoolingKind pooling = PoolingKind::mean;

  bool has_encoder() const { return architecture != Architecture::decoder_only; }
  bool has_decoder() const { return architecture != Architecture::encoder_only; }
};

}  // namespace tp::textbook
