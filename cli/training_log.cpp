#include "cli/training_log.h"

namespace tp::cli {
namespace {

double seconds_since_1970() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

}  // namespace

Result<TrainingLog> TrainingLog::open(const RunFolder& folder, const Trainer& trainer) {
  const ModelConfig& config = trainer.model().config();
  Result<MetricsFile> table = MetricsFile::open(
      folder.metrics(), series_columns(config, trainer.layers()), trainer.state().steps);
  if (!table) return table.error();
  Result<EventFile> events = EventFile::create(folder.path(), seconds_since_1970());
  if (!events) return events.error();
  return TrainingLog(trainer, std::move(table.value()), std::move(events.value()));
}

Status TrainingLog::add(const StepMetrics& step, double seconds, const Evaluation* exam) {
  values_.list.clear();
  step_values(*trainer_, seconds, values_);
  if (exam != nullptr) exam_values(*exam, trainer_->model().config(), values_);
  if (Status status = table_.add(step.step, values_.list); !status) return status;
  return add_to_events(events_, seconds_since_1970(), step.step, values_.list);
}

}  // namespace tp::cli
