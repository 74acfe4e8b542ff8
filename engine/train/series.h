#pragma once

#include <string>
#include <vector>

#include "engine/model/config.h"
#include "engine/train/series_list.h"
#include "engine/train/trainer.h"

// What a step and an exam measure, under the names of the list.

namespace tp {

struct SeriesValue {
  std::string name;
  double value;
};
// What was measured; what a task or a step does not have is left out.
std::vector<SeriesValue> step_values(const StepMetrics& step,
                                     const std::vector<ParameterLayer>& layers);
std::vector<SeriesValue> exam_values(const Evaluation& exam, const ModelConfig& config);

// The columns of a run's table, behind the step: every series that may come, in the list's order.
std::vector<std::string> series_columns(const ModelConfig& config,
                                        const std::vector<ParameterLayer>& layers);

}  // namespace tp
