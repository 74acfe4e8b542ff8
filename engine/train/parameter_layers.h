#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/model/parameters.h"

// The flat store seen as layers: "src_embed", "encoder.layers.0", ..., "decoder.norm", "generator".
// What a recipe treats by layer (learning rates, the size of updates) goes through this list.

namespace tp {

// Neighbours in the store that are treated alike.
struct ParameterRun {
  std::size_t offset, count;
  bool decays;
};

struct ParameterLayer {
  std::string name;
  std::size_t offset, count;
  int depth;  // see ParameterSpec
  std::vector<ParameterRun> runs;
};

template <class T>
std::vector<ParameterLayer> parameter_layers(const ParameterStore<T>& parameters);

}  // namespace tp
