#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/config.h"
#include "engine/train/trainer.h"

// Everything of a run that has one number a step, by name. metrics.csv, event files, curves and
// scripts read this list; what is new is one line here and one where it is measured.

namespace tp {

enum class SeriesSource { step, exam, watch };
enum class Better { lower, higher, neither };

struct SeriesInfo {
  // With a dot at the end it is a family: one series for each layer, head or tensor, whose path
  // follows.
  std::string_view name;
  std::string_view unit;  // empty: a plain number
  Better better;
  SeriesSource source;
  std::string_view english, korean;  // what it means
};

// In the order of metrics.csv. People script against the first eight names.
std::span<const SeriesInfo> all_series();
// Of a name, or of the family that it belongs to; null when it is neither.
const SeriesInfo* series_info(std::string_view name);

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
