#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "engine/model/config.h"

namespace tp::test {

// A model that is a subject, by what it is.
struct ModelEntry {
  std::string name;
  ModelConfig config;
};
inline void PrintTo(const ModelEntry& model, std::ostream* out) { *out << model.name; }

const std::vector<ModelEntry>& models();

}  // namespace tp::test
