#pragma once

#include <chrono>

#include "cli/run_folder.h"
#include "engine/train/metrics_table.h"

namespace tp::cli {

// metrics.csv and the event file of a run, while it goes on. The trainer must outlive it.
class TrainingLog {
 public:
  static Result<TrainingLog> open(const RunFolder& folder, const Trainer& trainer);

  // What was measured at the newest step.
  std::span<const SeriesValue> newest() const { return values_.list; }

  // `exam` is null at steps without one; `seconds` is what the step took.
  Status add(const StepMetrics& step, double seconds, const Evaluation* exam);

 private:
  TrainingLog(const Trainer& trainer, MetricsFile table, EventFile events)
      : trainer_(&trainer), table_(std::move(table)), events_(std::move(events)) {}

  const Trainer* trainer_;
  MetricsFile table_;
  EventFile events_;
  SeriesValues values_;
};

}  // namespace tp::cli
