#include "cli/reference.h"

#include <algorithm>
#include <utility>

#include "cli/setting_texts.h"
#include "engine/core/number_text.h"
#include "engine/model/config_properties.h"
#include "engine/train/run_config.h"

namespace tp::cli {
namespace {

std::vector<std::string> choices_of(std::string_view flag) {
  std::vector<std::string> names;
  if (flag == "task") {
    for (const TaskEntry& entry : all_tasks()) names.emplace_back(entry.info.name);
  } else if (flag == "preset") {
    for (const Preset& preset : all_presets()) names.emplace_back(preset.name);
  } else if (flag == "kernels") {
    names = {"reference", "fast", "both"};
  } else if (flag == "implementation") {
    names = {"engine", "textbook", "both"};
  } else if (flag == "stop-when") {
    names = {"solved", "stalled"};
  } else if (flag == "to") {
    names = {"pytorch"};
  }
  return names;
}

// What may be given, and what it is otherwise.
std::string value_text(const ConstProperty& property) {
  std::string text;
  switch (property.kind) {
    case Property::Kind::kToggle:
      text = "true or false";
      break;
    case Property::Kind::kChoice:
      for (std::string_view choice : property.choices) {
        text += (text.empty() ? "" : ", ") + std::string(choice);
      }
      break;
    case Property::Kind::kText:
      return "a text";
    case Property::Kind::kInteger:
    case Property::Kind::kReal:
      text = short_text(property.minimum) + " to " + short_text(property.maximum);
      if (const std::string_view unit = unit_of(property.name); !unit.empty()) {
        (text += ' ') += unit;
      }
      break;
  }
  return text + " (" + property.text() + ")";
}

void add_settings(std::vector<ReferenceLine>& lines, std::string heading,
                  const ConstProperties& properties) {
  for (const ConstProperty& property : properties) {
    const std::string name = dashed(property.name);
    if (std::ranges::find(lines, name, &ReferenceLine::name) != lines.end()) continue;
    ReferenceLine line{std::string(heading_before(property.name)),
                       name,
                       value_text(property),
                       std::string(meaning_of(property.name)),
                       {}};
    if (line.heading.empty()) line.heading = std::exchange(heading, {});
    line.choices.assign(property.choices.begin(), property.choices.end());
    if (property.kind == Property::Kind::kToggle) line.choices = {"true", "false"};
    lines.push_back(std::move(line));
  }
}

}  // namespace

std::vector<ReferenceLine> reference_of(const Command& command, std::string_view task) {
  std::vector<ReferenceLine> lines;
  for (const Flag& flag : command.flags) {
    lines.push_back({lines.empty() ? "Flags" : "", std::string(flag.name), std::string(flag.value),
                     std::string(flag.help), choices_of(flag.name)});
  }
  if (command.settings == Settings::none) return lines;
  for (const TaskEntry& entry : all_tasks()) {
    if (!task.empty() && entry.info.name != task) continue;
    add_settings(lines, "Task: " + std::string(entry.info.name),
                 std::as_const(*entry.recipe()).properties());
  }
  if (command.settings != Settings::run) return lines;
  const Result<RunConfig> run = default_run(task.empty() ? all_tasks().front().info.name : task);
  if (!run) return lines;
  add_settings(lines, {}, properties_of(run.value().model));
  add_settings(lines, {}, properties_of(run.value().train));
  return lines;
}

}  // namespace tp::cli
