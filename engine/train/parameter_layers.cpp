#include "engine/train/parameter_layers.h"

namespace tp {

template <class T>
std::vector<ParameterLayer> parameter_layers(const ParameterStore<T>& parameters) {
  std::vector<ParameterLayer> layers;
  for (const ParameterEntry& entry : parameters.entries()) {
    if (layers.empty() || layers.back().name != entry.layer) {
      layers.push_back({entry.layer, entry.offset, 0, entry.depth, {}});
    }
    ParameterLayer& layer = layers.back();
    layer.count += entry.count;
    if (layer.runs.empty() || layer.runs.back().decays != entry.decays) {
      layer.runs.push_back({entry.offset, 0, entry.decays});
    }
    layer.runs.back().count += entry.count;
  }
  return layers;
}

template std::vector<ParameterLayer> parameter_layers(const ParameterStore<float>&);
template std::vector<ParameterLayer> parameter_layers(const ParameterStore<double>&);

}  // namespace tp
