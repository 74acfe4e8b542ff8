#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/layers/attention.h"
#include "engine/layers/feed_forward.h"
#include "engine/layers/linear.h"
#include "engine/layers/norm.h"
#include "engine/layers/residual.h"
#include "engine/model/config.h"
#include "engine/model/parameters.h"

namespace tp {

// Makes layers, which declare their parameters here as they are made, and numbers the places where
// dropout happens. A model is made twice: the first builder has no store and lists what is
// declared, the second finds the same in the store that was made from the list.
template <class T>
class LayerBuilder {
 public:
  LayerBuilder(const ModelConfig& model_config, const Kernels<T>& kernel_set,
               ParameterStore<T>* store = nullptr)
      : config(model_config), kernels(kernel_set), store_(store) {}

  const ModelConfig& config;
  const Kernels<T>& kernels;

  // What was declared. The inputs of both sides stand before the stacks.
  ParameterList list() const {
    ParameterList list{specs_[0], aliases_};
    list.specs.insert(list.specs.end(), specs_[1].begin(), specs_[1].end());
    return list;
  }
  // Numbers in tables that are no parameters.
  std::uint64_t table_numbers() const { return table_numbers_; }

  // What follows belongs to this layer, whose name stands before the names of its parameters. It is
  // so far from the output (see ParameterSpec).
  enum class Part { input = 0, rest = 1 };
  void enter(std::string layer, int depth, Part part = Part::rest) {
    layer_ = std::move(layer);
    depth_ = depth;
    part_ = part;
  }

  Parameter<T> parameter(const std::string& name, const std::vector<int>& shape,
                         Initialisation initialisation, bool decays) {
    const std::string full = layer_ + "." + name;
    if (store_ != nullptr) return store_->get(full);
    specs_[static_cast<std::size_t>(part_)].push_back(
        {full, shape, initialisation, layer_, depth_, decays});
    return shape_of(shape);
  }
  Parameter<T> matrix(const std::string& name, int rows, int columns,
                      Initialisation initialisation) {
    return parameter(name, {rows, columns}, initialisation, true);
  }
  // Another name for a matrix of another layer.
  Parameter<T> tied(const std::string& name, int rows, int columns, const std::string& entry) {
    if (store_ != nullptr) return store_->get(entry);
    aliases_.push_back({layer_ + "." + name, entry});
    return shape_of({rows, columns});
  }
  Parameter<T> bias(const std::string& name, int size) {
    if (!config.biases) return {};
    return parameter(name, {size}, Initialisation::zeros, false);
  }

  // Room for a table, which is there only if the model has numbers.
  std::vector<T> table(int rows, int columns) {
    const std::uint64_t count = count_table(rows, columns);
    return std::vector<T>(has_numbers() ? static_cast<std::size_t>(count) : 0);
  }

  Dropout<T> dropout() { return Dropout<T>(kernels, dropouts_++); }
  // Under "<name>.", or under no name of its own.
  Linear<T> linear(const std::string& name, int outputs, int inputs) {
    const std::string prefix = name.empty() ? name : name + ".";
    const auto weight = matrix(prefix + "weight", outputs, inputs, Initialisation::xavier);
    return Linear<T>(kernels, weight, bias(prefix + "bias", outputs));
  }
  Norm<T> norm(const std::string& name) {
    const std::string prefix = name.empty() ? name : name + ".";
    const auto gamma = parameter(prefix + "weight", {config.d_model}, Initialisation::ones, false);
    const T eps = static_cast<T>(config.norm_eps);
    if (config.norm_kind == NormKind::rms) return RmsNorm<T>(kernels, gamma, eps);
    return LayerNorm<T>(kernels, gamma, bias(prefix + "bias", config.d_model), eps);
  }
  Residual<T> residual(const std::string& norm_name) {
    const auto its_norm = norm(norm_name);
    return Residual<T>(kernels, config.norm, its_norm, dropout());
  }
  FeedForward<T> feed_forward() {
    const Linear<T> linear1 = linear("linear1", config.d_ff, config.d_model);
    const Linear<T> linear2 = linear("linear2", config.d_model, config.d_ff);
    return FeedForward<T>(kernels, linear1, linear2, config.activation, dropout());
  }
  Attention<T> self_attention(const std::string& name, bool causal) {
    const AttentionMask mask{config.sparsity, config.reach, causal};
    return Attention<T>(kernels, attention_parameters(name), config.heads, mask, positions(),
                        dropout());
  }
  // Positions inside attention say how far a key of the same sequence is; across sequences there is
  // no such distance, and every key may be seen.
  Attention<T> cross_attention(const std::string& name) {
    return Attention<T>(kernels, attention_parameters(name), config.heads, {}, {}, dropout());
  }

 private:
  bool has_numbers() const { return store_ != nullptr && store_->has_numbers(); }
  static Parameter<T> shape_of(const std::vector<int>& shape) {
    const Matrix<T> nothing(nullptr, shape.size() == 2 ? shape[0] : 1, shape.back());
    return {nothing, nothing};
  }

  AttentionParameters<T> attention_parameters(const std::string& name) {
    const int d = config.d_model;
    AttentionParameters<T> parameters;
    parameters.in_proj_weight = matrix(name + ".in_proj_weight", 3 * d, d, Initialisation::xavier);
    parameters.in_proj_bias = bias(name + ".in_proj_bias", 3 * d);
    parameters.out_proj_weight = matrix(name + ".out_proj.weight", d, d, Initialisation::xavier);
    parameters.out_proj_bias = bias(name + ".out_proj.bias", d);
    return parameters;
  }

  // One table for all layers.
  const AttentionPositions<T>& positions() {
    const int longest = config.longest();
    if (std::exchange(has_positions_, true)) return positions_;
    if (config.positions == PositionKind::rotary) {
      count_table(longest, config.d_head());
      if (has_numbers()) {
        positions_.rotary =
            std::make_shared<Rotary<T>>(kernels, longest, config.d_head(), config.position_base);
      }
    } else if (config.positions == PositionKind::alibi) {
      count_table(config.heads, Alibi<T>::distances(longest));
      if (has_numbers()) {
        positions_.alibi = std::make_shared<Alibi<T>>(kernels, longest, config.heads);
      }
    }
    return positions_;
  }
  std::uint64_t count_table(int rows, int columns) {
    const auto count = static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(columns);
    table_numbers_ += count;
    return count;
  }

  ParameterStore<T>* store_;
  std::string layer_;
  int depth_ = 0;
  Part part_ = Part::rest;
  std::array<std::vector<ParameterSpec>, 2> specs_;
  std::vector<ParameterAlias> aliases_;
  std::uint64_t table_numbers_ = 0;
  bool has_positions_ = false;
  AttentionPositions<T> positions_;
  int dropouts_ = 0;
};

}  // namespace tp
