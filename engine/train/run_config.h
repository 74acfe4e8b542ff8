#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "engine/model/config.h"
#include "engine/tasks/registry.h"
#include "engine/train/config.h"

// Everything that a run is made from: what a config file holds and a link promises.

namespace tp {

struct RunConfig {
  std::string task;
  std::unique_ptr<TaskRecipe> task_parameters;
  ModelConfig model;
  TrainConfig train;
};

// A task with the recipe that it is known to learn with. The error lists the tasks there are.
Result<RunConfig> default_run(std::string_view task);

struct Preset {
  std::string_view name;
  std::string_view summary;
  std::string_view task;  // the one it is for; empty: any
  void (*apply)(RunConfig& run);
};
std::span<const Preset> all_presets();

// A preset on top of a run. The error lists the presets there are.
Status apply_preset(std::string_view name, RunConfig& run);

// {"task": ..., "seed": ..., "task_parameters": {...}, "model": {...}, "train": {...}}
std::string json_of(const RunConfig& run);
// What the text leaves out is as in the task's default run.
Result<RunConfig> run_from_json(std::string_view json);

// Refuses an architecture that the task cannot be learned with.
Status check_architecture(const RunConfig& run);

// Would a run of the configuration `asked` have come by the same steps to where one of `saved` is?
// Only the end may differ, and that where the schedule does not look ahead to it. Both as JSON.
bool continues(const std::string& saved, const std::string& asked);

// The task that the parameters describe, where the model's architecture can learn it.
TaskResult make_task(const RunConfig& run, const TaskData& data);
// `material` is the user's text, if the task takes one.
TaskResult make_task(const RunConfig& run, std::string_view material = {});

}  // namespace tp
