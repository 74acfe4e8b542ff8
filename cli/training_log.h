#pragma once

#include <chrono>

#include "cli/run_folder.h"
#include "cli/tensor_watch.h"
#include "engine/train/metrics_table.h"

namespace tp::cli {

// metrics.csv and the event file of a run, while it goes on. The trainer must outlive it.
class TrainingLog {
 public:
  // `watch` may be null.
  static Result<TrainingLog> open(const RunFolder& folder, Trainer& trainer, TensorWatch* watch);

  // What was measured at the newest step.
  std::span<const SeriesValue> newest() const { return values_.list; }

  // `exam` is null at steps without one; `seconds` is what the step took.
  Status add(const StepMetrics& step, double seconds, const Evaluation* exam);

 private:
  TrainingLog(Trainer& trainer, TensorWatch* watch, MetricsFile table, EventFile events)
      : trainer_(&trainer), watch_(watch), table_(std::move(table)), events_(std::move(events)) {}

  Trainer* trainer_;
  TensorWatch* watch_;
  MetricsFile table_;
  EventFile events_;
  SeriesValues values_;
};

}  // namespace tp::cli
