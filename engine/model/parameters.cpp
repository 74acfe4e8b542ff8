#include "engine/model/parameters.h"

#include <algorithm>

#include "engine/core/maths.h"
#include "engine/core/rng.h"

namespace tp {
namespace {

class Lister {
 public:
  explicit Lister(const ModelConfig& config) : config_(config) {}

  void matrix(const std::string& name, int rows, int columns, Initialisation initialisation) {
    list.specs.push_back({name, {rows, columns}, initialisation});
  }
  void bias(const std::string& name, int size) {
    if (config_.biases) list.specs.push_back({name, {size}, Initialisation::zeros});
  }
  void linear(const std::string& name, int outputs, int inputs) {
    matrix(name + ".weight", outputs, inputs, Initialisation::xavier);
    bias(name + ".bias", outputs);
  }
  void norm(const std::string& name) {
    list.specs.push_back({name + ".weight", {config_.d_model}, Initialisation::ones});
    bias(name + ".bias", config_.d_model);
  }
  void attention(const std::string& name) {
    const int d = config_.d_model;
    matrix(name + ".in_proj_weight", 3 * d, d, Initialisation::xavier);
    bias(name + ".in_proj_bias", 3 * d);
    linear(name + ".out_proj", d, d);
  }
  void feed_forward(const std::string& name) {
    linear(name + ".linear1", config_.d_ff, config_.d_model);
    linear(name + ".linear2", config_.d_model, config_.d_ff);
  }
  // A block with cross-attention has a third norm.
  void block(const std::string& name, bool cross_attention) {
    attention(name + ".self_attn");
    if (cross_attention) attention(name + ".multihead_attn");
    feed_forward(name);
    norm(name + ".norm1");
    norm(name + ".norm2");
    if (cross_attention) norm(name + ".norm3");
  }
  void stack(const std::string& name, int layers, bool cross_attention) {
    for (int i = 0; i < layers; ++i) {
      block(name + ".layers." + std::to_string(i), cross_attention);
    }
    if (config_.final_norm) norm(name + ".norm");
  }

  ParameterList list;

 private:
  const ModelConfig& config_;
};

}  // namespace

ParameterList list_parameters(const ModelConfig& c) {
  Lister lister(c);
  ParameterList& list = lister.list;
  const bool learned = c.positions == PositionKind::learned;
  const int d = c.d_model;
  if (c.has_encoder()) {
    if (c.input == InputKind::patches) {
      lister.linear("src_embed", d, c.patch_size);
    } else if (c.tying == Tying::all) {
      list.aliases.push_back({"src_embed.weight", "tgt_embed.weight"});
    } else {
      lister.matrix("src_embed.weight", c.source_vocabulary, d, Initialisation::embedding);
    }
    if (learned) {
      lister.matrix("src_pos.weight", c.max_source_length, d, Initialisation::embedding);
    }
  }
  if (c.has_decoder()) {
    lister.matrix("tgt_embed.weight", c.target_vocabulary, d, Initialisation::embedding);
    if (learned) {
      lister.matrix("tgt_pos.weight", c.max_target_length, d, Initialisation::embedding);
    }
  }
  if (c.has_encoder()) lister.stack("encoder", c.encoder_layers, false);
  if (c.has_decoder()) lister.stack("decoder", c.decoder_layers, c.has_encoder());
  if (c.tying == Tying::none) {
    lister.matrix("generator.weight", c.head_outputs(), d, Initialisation::xavier);
  } else {
    list.aliases.push_back(
        {"generator.weight", c.has_decoder() ? "tgt_embed.weight" : "src_embed.weight"});
  }
  lister.bias("generator.bias", c.head_outputs());
  return list;
}

std::uint64_t count_parameters(const ModelConfig& config) {
  std::uint64_t total = 0;
  for (const ParameterSpec& spec : list_parameters(config).specs) {
    std::uint64_t count = 1;
    for (int size : spec.shape) count *= static_cast<std::uint64_t>(size);
    total += count;
  }
  return total;
}

template <class T>
ParameterStore<T>::ParameterStore(const ParameterList& list, bool with_numbers)
    : aliases_(list.aliases) {
  for (const ParameterSpec& spec : list.specs) {
    std::size_t count = 1;
    for (int size : spec.shape) count *= static_cast<std::size_t>(size);
    entries_.push_back({spec.name, spec.shape, spec.initialisation, count_, count});
    count_ += count;
  }
  const auto lay_out = [this] {
    for (std::span<T>& block : blocks_) block = memory_.array<T>(count_);
  };
  lay_out();
  if (!with_numbers) return;
  memory_ = Arena(memory_.used());
  lay_out();
  for (const std::span<T> block : blocks_) std::ranges::fill(block, T(0));
}

template <class T>
const ParameterEntry* ParameterStore<T>::find(std::string_view name) const {
  for (const ParameterAlias& alias : aliases_) {
    if (alias.name == name) name = alias.entry;
  }
  const auto at = std::find_if(entries_.begin(), entries_.end(),
                               [&](const ParameterEntry& entry) { return entry.name == name; });
  return at == entries_.end() ? nullptr : &*at;
}

template <class T>
Parameter<T> ParameterStore<T>::get(std::string_view name) {
  const ParameterEntry* entry = find(name);
  if (entry == nullptr) return {};
  const int rows = entry->shape.size() == 2 ? entry->shape[0] : 1;
  const int columns = entry->shape.back();
  if (memory_.measuring()) return {{nullptr, rows, columns}, {nullptr, rows, columns}};
  return {{values().data() + entry->offset, rows, columns},
          {gradients().data() + entry->offset, rows, columns}};
}

template <class T>
void ParameterStore<T>::initialise(std::uint64_t seed) {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const ParameterEntry& entry = entries_[i];
    const std::span<T> tensor = values().subspan(entry.offset, entry.count);
    Rng rng(seed, i);
    switch (entry.initialisation) {
      case Initialisation::xavier: {
        const double bound = maths::sqrt(6.0 / (entry.shape[0] + entry.shape[1]));
        for (T& value : tensor) value = static_cast<T>(rng.uniform(-bound, bound));
        break;
      }
      case Initialisation::embedding: {
        const double deviation = 1 / maths::sqrt(double(entry.shape[1]));
        for (T& value : tensor) value = static_cast<T>(deviation * rng.normal());
        break;
      }
      case Initialisation::zeros:
        std::fill(tensor.begin(), tensor.end(), T(0));
        break;
      case Initialisation::ones:
        std::fill(tensor.begin(), tensor.end(), T(1));
        break;
    }
  }
  for (const std::span<T> block : {gradients(), first_moments(), second_moments()}) {
    std::ranges::fill(block, T(0));
  }
}

template <class T>
void ParameterStore<T>::zero_gradients() {
  std::fill(gradients().begin(), gradients().end(), T(0));
}

template class ParameterStore<float>;
template class ParameterStore<double>;

}  // namespace tp
