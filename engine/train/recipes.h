#pragma once

#include "engine/model/config.h"
#include "engine/tasks/task.h"
#include "engine/train/config.h"

namespace tp {

// The model and the training that a task learns with by default.
void use_recipe_of(const TaskInfo& task, ModelConfig& model, TrainConfig& train);

}  // namespace tp
