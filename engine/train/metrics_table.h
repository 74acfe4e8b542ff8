#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/io/append_file.h"
#include "engine/io/event_file.h"
#include "engine/train/trainer.h"

// What a run measures, as a table with one row a step. People script against the first nine names:
//
//   step,loss,perplexity,token_accuracy,learning_rate,gradient_norm,tokens_per_second,
//   heldout_loss,heldout_exact
//
// Behind them follow what else was measured and the size of updates by layer.

namespace tp {

// One row. Where nothing was measured, `value` is empty.
struct MetricCell {
  std::string_view name;
  std::optional<double> value;
};
// `exam` is null at steps without one. Views into the arguments.
std::vector<MetricCell> metric_row(const StepMetrics& step, double tokens_per_second,
                                   const Evaluation* exam);

class MetricsFile {
 public:
  // A new table, or (`after_step` > 0) the one that is there, without the rows of later steps,
  // which a run that was killed leaves behind its last checkpoint.
  static Result<MetricsFile> open(const std::string& path,
                                  const std::vector<ParameterLayer>& layers,
                                  std::uint64_t after_step);

  Status add(const StepMetrics& step, const std::vector<MetricCell>& row);

 private:
  explicit MetricsFile(AppendFile file) : file_(std::move(file)) {}

  AppendFile file_;
};

// The same numbers as scalars.
Status add_to_events(EventFile& events, double wall_time, std::uint64_t step,
                     const std::vector<MetricCell>& row);

}  // namespace tp
