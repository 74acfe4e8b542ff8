#include <cstdio>
#include <string>
#include <utility>

#include "cli/command.h"
#include "engine/model/config_properties.h"
#include "engine/train/run_config.h"

namespace tp::cli {
namespace {

void print_row(const std::string& left, const std::string& right) {
  std::printf("  %-34s %s\n", left.c_str(), right.c_str());
}

std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", value);
  return text;
}

// What may be given, and what it is otherwise.
std::string range_text(const ConstProperty& property) {
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
      text = number_text(property.minimum) + " to " + number_text(property.maximum);
      break;
  }
  return text + " (" + property.text() + ")";
}

void print_settings(std::string_view title, const ConstProperties& properties) {
  if (properties.empty()) return;
  std::printf("\n%s\n", std::string(title).c_str());
  for (const ConstProperty& property : properties) {
    print_row("--" + dashed(property.name), range_text(property));
  }
}

}  // namespace

void print_help() {
  std::printf(
      "tp trains small Transformers on toy tasks, and shows what is inside them.\n\n"
      "  tp COMMAND [--flag VALUE ...]\n\nCommands\n");
  for (const Command* command : all_commands()) {
    print_row(std::string(command->name), std::string(command->summary));
  }
  std::printf(
      "\n  tp help COMMAND, or tp COMMAND --help, says more.\n"
      "  It exits with 0 when all went well, 1 when something failed, 2 when it was called "
      "wrongly.\n");
}

void print_help(const Command& command, std::string_view task) {
  std::printf("tp %s: %s\n\n  %s\n\nFlags\n", std::string(command.name).c_str(),
              std::string(command.summary).c_str(), std::string(command.example).c_str());
  for (const Flag& flag : command.flags) {
    print_row(
        "--" + std::string(flag.name) + (flag.value.empty() ? "" : " ") + std::string(flag.value),
        std::string(flag.help));
  }
  if (command.settings == Settings::none) return;
  const Result<RunConfig> run = default_run(task.empty() ? "reverse" : task);
  if (!run) return;
  const std::string name = run.value().task;
  print_settings("Settings of the task " + name + " (and what they are by default)",
                 std::as_const(*run.value().task_parameters).properties());
  if (command.settings != Settings::run) return;
  print_settings("Settings of the model", properties_of(run.value().model));
  print_settings("Settings of training", properties_of(run.value().train));
  std::printf("\nPresets\n");
  for (const Preset& preset : all_presets()) {
    print_row(std::string(preset.name), std::string(preset.summary));
  }
}

}  // namespace tp::cli
