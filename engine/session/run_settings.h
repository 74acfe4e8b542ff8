#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/property.h"
#include "engine/core/result.h"
#include "engine/train/run_config.h"

// A run's configuration as a user interface edits it: which tasks and presets there are, the tables
// of settings, and which of them may change while the run goes on.

namespace tp {

std::vector<std::string_view> task_names();
std::vector<std::string_view> preset_names();
// Some presets are for one task alone; then that task comes with it.
std::string_view task_of_preset(std::string_view preset, std::string_view task);
// Whether an answer of this task is one of a few classes, which can be guessed.
bool answers_with_a_class(std::string_view task);

class RunSettings {
 public:
  // A task as a preset has it. Both must exist.
  RunSettings(std::string_view task, std::string_view preset);
  RunSettings(const RunSettings& other);
  RunSettings& operator=(const RunSettings& other);

  static Result<RunSettings> from_json(std::string_view json);
  std::string json() const;
  // Of the training settings alone: what a running run can be told to go on with.
  std::string training_json() const;

  const std::string& task() const { return run_.task; }
  Material material() const;
  int seed() const { return run_.train.seed; }
  const ModelConfig& model() const { return run_.model; }
  const TrainConfig& training() const { return run_.train; }

  // Whether a setting does anything, with the task and the other settings as they are.
  bool matters(std::string_view name) const;

  // A setting's value as text; empty when there is none of this name.
  std::string text_of(std::string_view name) const;

  // Bound to this object.
  Properties task_properties() { return run_.task_parameters->properties(); }
  Properties model_properties();
  Properties training_properties();
  Properties all_properties();
  ConstProperties all_properties() const;

 private:
  explicit RunSettings(RunConfig run) : run_(std::move(run)) {}
  RunConfig run_;
};

// Whether a setting may change while a run goes on.
bool changes_live(std::string_view name);

}  // namespace tp
