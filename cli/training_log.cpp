#include "cli/training_log.h"

namespace tp::cli {
namespace {

double seconds_since_1970() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

}  // namespace

Result<TrainingLog> TrainingLog::open(const RunFolder& folder, Trainer& trainer,
                                      TensorWatch* watch) {
  const ModelConfig& config = trainer.model().config();
  std::vector<std::string> columns = series_columns(config, trainer.layers());
  if (watch != nullptr) {
    const std::vector<std::string> watched = watch->names(trainer);
    columns.insert(columns.end(), watched.begin(), watched.end());
  }
  Result<MetricsFile> table =
      MetricsFile::open(folder.metrics(), std::move(columns), trainer.state().steps);
  if (!table) return table.error();
  Result<EventFile> events = EventFile::create(folder.path(), seconds_since_1970());
  if (!events) return events.error();
  return TrainingLog(trainer, watch, std::move(table.value()), std::move(events.value()));
}

Status TrainingLog::add(const StepMetrics& step, double seconds, const Evaluation* exam) {
  values_.list.clear();
  step_values(*trainer_, seconds, values_);
  if (exam != nullptr) exam_values(*exam, trainer_->model().config(), values_);
  if (watch_ != nullptr) watch_->measure(*trainer_, values_);
  if (Status status = table_.add(step.step, values_.list); !status) return status;
  return add_to_events(events_, seconds_since_1970(), step.step, values_.list);
}

}  // namespace tp::cli
