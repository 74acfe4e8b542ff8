#include "engine/train/run_config.h"

#include <vector>

#include "engine/core/json.h"
#include "engine/core/nearest.h"
#include "engine/core/shown_name.h"
#include "engine/io/property_json.h"
#include "engine/model/config_properties.h"
#include "engine/train/batch_maker.h"
#include "engine/train/recipes.h"

namespace tp {
namespace {

// The seed stands at the top, where people look for it.
ConstProperties without_seed(ConstProperties properties) {
  std::erase_if(properties, [](const ConstProperty& property) { return property.name == "seed"; });
  return properties;
}

}  // namespace

Result<RunConfig> default_run(std::string_view task) {
  const TaskEntry* entry = find_task(task);
  if (entry == nullptr) {
    std::vector<std::string_view> names;
    for (const TaskEntry& known : all_tasks()) names.push_back(known.info.name);
    return unknown_name({"task", "과제"}, task, names);
  }
  RunConfig run;
  run.task = task;
  run.task_parameters = entry->recipe();
  use_recipe_of(entry->info, run.model, run.train);
  return run;
}

std::string json_of(const RunConfig& run) {
  const TaskRecipe& recipe = *run.task_parameters;
  return "{\n  \"task\": " + Json(run.task).dump() +
         ",\n  \"seed\": " + std::to_string(run.train.seed) +
         ",\n  \"task_parameters\": " + json_of(recipe.properties(), 2) +
         ",\n  \"model\": " + json_of(properties_of(run.model), 2) +
         ",\n  \"train\": " + json_of(without_seed(properties_of(run.train)), 2) + "\n}\n";
}

Result<RunConfig> run_from_json(std::string_view text) {
  TextPlace wrong;
  const Json json = parse_json(text, &wrong);
  if (json.is_discarded()) {
    const std::string line = std::to_string(wrong.line), column = std::to_string(wrong.column);
    return Error{"the configuration is not a JSON object: correct it at line " + line +
                     ", column " + column + ".",
                 "설정이 JSON 객체가 아닙니다. " + line + "행 " + column + "열을 고쳐 주십시오."};
  }
  if (!json.is_object()) {
    return Error{"the configuration is not a JSON object: correct the file.",
                 "설정이 JSON 객체가 아닙니다. 내용을 고쳐 주십시오."};
  }
  const auto task = json.find("task");
  if (task == json.end() || !task->is_string()) {
    return Error{"the configuration names no task: add \"task\".",
                 "설정에 과제가 없습니다. \"task\" 항목을 넣어 주십시오."};
  }
  Result<RunConfig> made = default_run(*task->get_ptr<const std::string*>());
  if (!made) return made;
  RunConfig& run = made.value();
  for (const auto& [key, value] : json.items()) {
    Status status = Done{};
    if (key == "seed") {
      status = set_by_name(properties_of(run.train), "seed", value.dump());
    } else if (key == "task_parameters") {
      status = set_from_json(value.dump(), run.task_parameters->properties());
    } else if (key == "model") {
      status = set_from_json(value.dump(), properties_of(run.model));
    } else if (key == "train") {
      status = set_from_json(value.dump(), properties_of(run.train));
    } else if (key != "task") {
      status = Error{"the configuration has no part called " + shown_name(key) + ": remove it.",
                     "설정에 없는 항목입니다: " + shown_text(key) + ". 지워 주십시오."};
    }
    if (!status) return status.error();
  }
  if (Status status = check_architecture(run); !status) return status.error();
  return made;
}

bool continues(const std::string& saved, const std::string& asked) {
  if (saved == asked) return true;
  Result<RunConfig> from = run_from_json(saved), to = run_from_json(asked);
  if (!from || !to) return false;
  // A run of an earlier version does not name settings that are newer.
  if (json_of(from.value()) == json_of(to.value())) return true;
  if (to.value().train.schedule == ScheduleKind::cosine) return false;
  from.value().train.steps = to.value().train.steps;
  return json_of(from.value()) == json_of(to.value());
}

Status check_architecture(const RunConfig& run) {
  const auto name = [](Architecture architecture) {
    ModelConfig config;
    config.architecture = architecture;
    return find_property(properties_of(config), "architecture")->text();
  };
  const Architecture needed = architecture_of(find_task(run.task)->info.kind);
  if (run.model.architecture == needed) return Done{};
  return Error{"the task " + run.task + " is learned by an " + name(needed) +
               " model: change the architecture from " + name(run.model.architecture) +
               ", or leave it out."};
}

TaskResult make_task(const RunConfig& run, const TaskData& data) {
  if (Status status = check_architecture(run); !status) return status.error();
  return make_task(run.task, *run.task_parameters, data);
}

TaskResult make_task(const RunConfig& run, std::string_view material) {
  return make_task(run, TaskData{.material = material});
}

}  // namespace tp
