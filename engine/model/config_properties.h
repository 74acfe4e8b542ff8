#pragma once

#include "engine/core/property.h"
#include "engine/model/config.h"

namespace tp {

// The settings of a model that a person chooses. What follows from the task (vocabularies, lengths,
// the head) and what belongs to training (dropout, label smoothing) is not among them.
Properties properties_of(ModelConfig& config);
ConstProperties properties_of(const ModelConfig& config);

}  // namespace tp
