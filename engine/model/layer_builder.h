#pragma once

#include <string>

#include "engine/layers/attention.h"
#include "engine/layers/feed_forward.h"
#include "engine/layers/layer_norm.h"
#include "engine/layers/linear.h"
#include "engine/layers/residual.h"
#include "engine/model/config.h"
#include "engine/model/parameters.h"

namespace tp {

// Makes layers from the names of their parameters, and numbers the places where dropout happens.
template <class T>
class LayerBuilder {
 public:
  LayerBuilder(const ModelConfig& model_config, const Kernels<T>& kernel_set,
               ParameterStore<T>& store, const Rotary<T>* rotary)
      : config(model_config), kernels(kernel_set), rotary_(rotary), store_(store) {}

  const ModelConfig& config;
  const Kernels<T>& kernels;

  Parameter<T> parameter(const std::string& name) { return store_.get(name); }
  Dropout<T> dropout() { return Dropout<T>(kernels, dropouts_++); }
  Linear<T> linear(const std::string& name) {
    return Linear<T>(kernels, parameter(name + ".weight"), parameter(name + ".bias"));
  }
  LayerNorm<T> norm(const std::string& name) {
    return LayerNorm<T>(kernels, parameter(name + ".weight"), parameter(name + ".bias"),
                        static_cast<T>(config.norm_eps));
  }
  Residual<T> residual(const std::string& norm_name) {
    return Residual<T>(kernels, config.norm, norm(norm_name), dropout());
  }
  FeedForward<T> feed_forward(const std::string& name) {
    return FeedForward<T>(kernels, linear(name + ".linear1"), linear(name + ".linear2"),
                          config.activation, dropout());
  }
  Attention<T> self_attention(const std::string& name, bool causal) {
    return Attention<T>(kernels, attention_parameters(name), config.heads,
                        {config.sparsity, config.reach, causal}, rotary_, dropout());
  }
  // Rotary positions say how far a key of the same sequence is; across sequences there is no such
  // distance, and every key may be seen.
  Attention<T> cross_attention(const std::string& name) {
    return Attention<T>(kernels, attention_parameters(name), config.heads, {}, nullptr, dropout());
  }

 private:
  AttentionParameters<T> attention_parameters(const std::string& name) {
    return {parameter(name + ".in_proj_weight"), parameter(name + ".in_proj_bias"),
            parameter(name + ".out_proj.weight"), parameter(name + ".out_proj.bias")};
  }

  const Rotary<T>* rotary_;
  ParameterStore<T>& store_;
  int dropouts_ = 0;
};

}  // namespace tp
