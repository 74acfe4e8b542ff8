#include "engine/session/run_settings.h"

#include <algorithm>

#include "engine/core/check.h"
#include "engine/io/property_json.h"
#include "engine/model/config_properties.h"

namespace tp {
namespace {

RunConfig made(std::string_view task, std::string_view preset) {
  Result<RunConfig> run = default_run(task);
  TP_CHECK(run.ok(), "a task that does not exist");
  const Status status = apply_preset(preset, run.value());
  TP_CHECK(status.ok(), "a preset that does not exist, or is for another task");
  return std::move(run.value());
}

RunConfig copy_of(const RunConfig& run) {
  Result<RunConfig> copy = run_from_json(json_of(run));
  TP_CHECK(copy.ok(), "a configuration that cannot be read back");
  return std::move(copy.value());
}

}  // namespace

std::vector<std::string_view> task_names() {
  std::vector<std::string_view> names;
  for (const TaskEntry& entry : all_tasks()) names.push_back(entry.info.name);
  return names;
}

std::vector<std::string_view> preset_names() {
  std::vector<std::string_view> names;
  for (const Preset& preset : all_presets()) names.push_back(preset.name);
  return names;
}

bool answers_with_a_class(std::string_view task) {
  const TaskEntry* entry = find_task(task);
  return entry != nullptr && (entry->info.kind == TaskKind::token_classifier ||
                              entry->info.kind == TaskKind::patch_classifier);
}

std::string_view task_of_preset(std::string_view name, std::string_view task) {
  for (const Preset& preset : all_presets()) {
    if (preset.name == name && !preset.task.empty()) return preset.task;
  }
  return task;
}

RunSettings::RunSettings(std::string_view task, std::string_view preset)
    : run_(made(task, preset)) {}
RunSettings::RunSettings(const RunSettings& other) : run_(copy_of(other.run_)) {}
RunSettings& RunSettings::operator=(const RunSettings& other) {
  if (this != &other) run_ = copy_of(other.run_);
  return *this;
}

Result<RunSettings> RunSettings::from_json(std::string_view json) {
  Result<RunConfig> run = run_from_json(json);
  if (!run) return run.error();
  return RunSettings(std::move(run.value()));
}

std::string RunSettings::json() const { return json_of(run_); }
std::string RunSettings::training_json() const { return json_of(properties_of(run_.train)); }

Material RunSettings::material() const { return find_task(run_.task)->info.material; }

bool RunSettings::matters(std::string_view name) const {
  const TaskKind kind = find_task(run_.task)->info.kind;
  const ModelConfig& model = run_.model;
  const TrainConfig& train = run_.train;
  const bool writes = kind == TaskKind::encoder_decoder || kind == TaskKind::decoder_only;
  const bool patches = kind == TaskKind::patch_classifier || kind == TaskKind::patch_regressor;
  const bool in_epochs = train.train_size > 0 && train.epochs > 0;
  if (name == "architecture") return false;  // follows from the task
  if (name == "encoder_layers") return kind != TaskKind::decoder_only;
  if (name == "decoder_layers" || name == "tying") return writes;
  if (name == "pooling") return !writes;
  if (name == "scale_embedding") return !patches;
  if (name == "position_base") {
    return model.positions == PositionKind::sinusoidal || model.positions == PositionKind::rotary;
  }
  if (name == "reach") return model.sparsity != Sparsity::full;
  if (name == "label_smoothing") return kind != TaskKind::patch_regressor;
  if (name == "beta2" || name == "epsilon") return train.optimiser != OptimiserKind::sgd;
  if (name == "warmup") return train.schedule != ScheduleKind::constant;
  if (name == "loss_scaling") return train.precision == Precision::fp16;
  if (name == "epochs") return train.train_size > 0;
  if (name == "steps") return !in_epochs;
  if (name == "vocabulary") return text_of("tokens") == "bpe";
  return true;
}

Properties RunSettings::model_properties() { return properties_of(run_.model); }
Properties RunSettings::training_properties() { return properties_of(run_.train); }
std::string RunSettings::text_of(std::string_view name) const {
  const ConstProperties table = all_properties();
  const ConstProperty* property = find_property(table, name);
  return property ? property->text() : std::string();
}

Properties RunSettings::all_properties() {
  Properties all = task_properties();
  std::ranges::move(model_properties(), std::back_inserter(all));
  std::ranges::move(training_properties(), std::back_inserter(all));
  return all;
}
ConstProperties RunSettings::all_properties() const {
  return read_only(*this, [](RunSettings& settings) { return settings.all_properties(); });
}

bool changes_live(std::string_view name) {
  // Asked of the engine, so that there is one list: a setting is fixed when a run refuses it
  // changed.
  TrainConfig before, after;
  const Properties table = properties_of(after);
  const Property* property = find_property(table, name);
  if (property == nullptr) return false;  // of the task or the model
  for (const double other : {property->minimum, property->maximum}) {
    if (set_property(*property, other) != PropertyProblem::kNone || before == after) continue;
    return fixed_difference(before, after) == nullptr;
  }
  return true;
}

}  // namespace tp
