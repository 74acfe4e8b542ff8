#include "engine/model/config_properties.h"

namespace tp {

Properties properties_of(ModelConfig& c) {
  return {
      choice("architecture", c.architecture, {"encoder-decoder", "encoder-only", "decoder-only"}),
      by_ratio(integer("d_model", c.d_model, 1, 4096), 8, 512),
      by_ratio(integer("heads", c.heads, 1, 64), 1, 16),
      by_ratio(integer("d_ff", c.d_ff, 1, 16384), 8, 2048),
      by_ratio(integer("encoder_layers", c.encoder_layers, 1, 64), 1, 8),
      by_ratio(integer("decoder_layers", c.decoder_layers, 1, 64), 1, 8),
      choice("norm", c.norm, {"pre", "post"}),
      choice("norm_kind", c.norm_kind, {"layer", "rms"}),
      toggle("final_norm", c.final_norm),
      real("norm_eps", c.norm_eps, 1e-12, 0.1, true),
      choice("activation", c.activation, {"relu", "gelu"}),
      toggle("biases", c.biases),
      choice("positions", c.positions, {"sinusoidal", "learned", "rotary", "alibi", "none"}),
      real("position_base", c.position_base, 2, 1e6, true),
      toggle("scale_embedding", c.scale_embedding),
      choice("tying", c.tying, {"none", "output", "all"}),
      choice("sparsity", c.sparsity, {"full", "local", "strided"}),
      integer("reach", c.reach, 0, 4096),
      choice("pooling", c.pooling, {"mean", "first"}),
  };
}

ConstProperties properties_of(const ModelConfig& c) { return read_only(c, properties_of); }

}  // namespace tp
