#include "cli/run_settings.h"

#include <algorithm>
#include <iterator>

#include "cli/reading_progress.h"
#include "cli/reference.h"
#include "engine/core/utf8.h"
#include "engine/io/file.h"
#include "engine/io/property_json.h"
#include "engine/model/config_properties.h"

namespace tp::cli {
namespace {

// Places in a text are counted with int.
constexpr std::size_t kLargestText = (std::size_t{1} << 31) - 1;

Status set_all(const std::vector<Arguments::Setting>& settings, const Properties& properties) {
  for (const auto& [name, value] : settings) {
    const Property* property = find_property(properties, name);
    if (property == nullptr) {
      std::vector<std::string_view> names;
      for (const Property& known : properties) names.push_back(known.name);
      return unknown_flag(name, names);
    }
    if (Status status = set_by_name(properties, name, value); !status) return status;
  }
  return Done{};
}

void append(Properties& all, Properties more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

Status check_names(const Command& command, const Arguments& arguments) {
  if (command.settings == Settings::none) return Done{};
  const auto task = arguments.find("task");
  if (task && find_task(*task) == nullptr) return default_run(*task).error();
  if (const auto preset = arguments.find("preset")) {
    const auto known = all_presets();
    if (std::ranges::find(known, *preset, &Preset::name) == known.end()) {
      RunConfig any;
      return apply_preset(*preset, any);
    }
  }
  std::vector<std::string_view> names;
  const std::vector<ReferenceLine> lines = reference_of(command, task.value_or(""));
  for (const ReferenceLine& line : lines) names.push_back(line.name);
  for (const auto& [name, value] : arguments.settings()) {
    if (std::ranges::find(names, name) == names.end()) return unknown_flag(name, names);
  }
  return Done{};
}

Result<RunConfig> run_from_arguments(const Arguments& arguments) {
  Result<RunConfig> run = Error{"--task is missing: tp tasks lists what there is."};
  if (const auto path = arguments.find("config")) {
    const Result<std::string> text = read_text(*path);
    if (!text) return text.error();
    run = run_from_json(text.value());
    if (!run) return Error{"'" + *path + "': " + run.error().message};
  } else if (const auto task = arguments.find("task")) {
    run = default_run(*task);
  }
  if (!run) return run;
  if (Status status = apply_arguments(arguments, run.value()); !status) return status.error();
  if (Status status = check_architecture(run.value()); !status) return status.error();
  return run;
}

Status apply_arguments(const Arguments& arguments, RunConfig& run) {
  if (const auto task = arguments.find("task"); task && *task != run.task) {
    if (Result<RunConfig> known = default_run(*task); !known) return known.error();
    return Error{"--task is " + *task + " but the configuration is of " + run.task +
                 ": leave one of them out."};
  }
  if (const auto preset = arguments.find("preset")) {
    if (Status status = apply_preset(*preset, run); !status) return status;
  }
  Properties all = run.task_parameters->properties();
  append(all, properties_of(run.model));
  append(all, properties_of(run.train));
  return set_all(arguments.settings(), all);
}

Status apply_task_settings(const Arguments& arguments, RunConfig& run) {
  return set_all(arguments.settings(), run.task_parameters->properties());
}

Result<std::string> read_text(const std::string& path) {
  const Result<FileBytes> file = read_file(path, kLargestText);
  if (!file) return file.error();
  const auto bytes = file.value().bytes();
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

Result<std::string> material_of(const Arguments& arguments, const RunConfig& run) {
  const auto path = arguments.find("data");
  const TaskInfo& info = find_task(run.task)->info;
  if (!path) {
    if (info.material != Material::required) return std::string();
    return Error{"the task " + run.task + " learns from your own lines: give a file with --data."};
  }
  if (info.material == Material::none) {
    return Error{"the task " + run.task + " makes its own examples: leave --data out."};
  }
  const Result<std::string> content = read_text(*path);
  if (!content) return content.error();
  std::string text = text_of_file(content.value());
  if (text.empty()) return Error{"'" + *path + "' is empty: give a file with text."};
  return text;
}

Result<std::shared_ptr<const Task>> task_of(const RunConfig& run, const std::string& material,
                                            const TaskTokenizers& tokenizers) {
  ReadingProgress progress;
  TaskResult task = make_task(run, TaskData{.material = material,
                                            .tokenizers = tokenizers,
                                            .progress = [&](std::string_view stage, double share) {
                                              progress.show(stage, share);
                                            }});
  if (!task) return task.error();
  return std::shared_ptr<const Task>(std::move(task.value()));
}

void print_notes(const Task& task, std::FILE* to) {
  for (const Error& note : task.notes()) std::fprintf(to, "%s\n", note.message.c_str());
  if (task.warning()) std::fprintf(to, "%s\n", task.warning()->message.c_str());
}

}  // namespace tp::cli
