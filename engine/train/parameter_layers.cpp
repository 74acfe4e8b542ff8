#include "engine/train/parameter_layers.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace tp {
namespace {

// "encoder.layers.0.norm1.weight" belongs to "encoder.layers.0", "decoder.norm.bias" to
// "decoder.norm", "src_embed.weight" to "src_embed".
std::string_view layer_name(std::string_view parameter) {
  const std::size_t first = parameter.find('.');
  const std::string_view top = parameter.substr(0, first);
  if (top != "encoder" && top != "decoder") return top;
  std::size_t end = parameter.find('.', first + 1);
  if (parameter.substr(first + 1, end - first - 1) == "layers") end = parameter.find('.', end + 1);
  return parameter.substr(0, end);
}

bool decays(const ParameterEntry& entry) {
  return entry.shape.size() == 2 && !entry.name.ends_with("_pos.weight");
}

int depth_of(std::string_view layer, const ModelConfig& config) {
  const int decoder = config.has_decoder() ? config.decoder_layers : 0;
  const int encoder = config.has_encoder() ? config.encoder_layers : 0;
  const auto block = [&](std::string_view prefix, int layers) {
    int index = 0;
    const std::string_view digits = layer.substr(prefix.size());
    std::from_chars(digits.data(), digits.data() + digits.size(), index);
    return layers - index;
  };
  if (layer.starts_with("decoder.layers.")) return block("decoder.layers.", decoder);
  if (layer.starts_with("encoder.layers.")) return decoder + block("encoder.layers.", encoder);
  if (layer.starts_with("tgt_")) return decoder + 1;
  if (layer.starts_with("src_")) return decoder + encoder + 1;
  // A stack's own norm goes with what reads it.
  return layer == "encoder.norm" ? decoder : 0;
}

}  // namespace

template <class T>
std::vector<ParameterLayer> parameter_layers(const ModelConfig& config,
                                             const ParameterStore<T>& parameters) {
  std::vector<ParameterLayer> layers;
  for (const ParameterEntry& entry : parameters.entries()) {
    const std::string_view name = layer_name(entry.name);
    if (layers.empty() || layers.back().name != name) {
      layers.push_back({std::string(name), entry.offset, 0, depth_of(name, config), {}});
    }
    ParameterLayer& layer = layers.back();
    layer.count += entry.count;
    if (layer.runs.empty() || layer.runs.back().decays != decays(entry)) {
      layer.runs.push_back({entry.offset, 0, decays(entry)});
    }
    layer.runs.back().count += entry.count;
  }
  return layers;
}

template std::vector<ParameterLayer> parameter_layers(const ModelConfig&,
                                                      const ParameterStore<float>&);
template std::vector<ParameterLayer> parameter_layers(const ModelConfig&,
                                                      const ParameterStore<double>&);

}  // namespace tp
