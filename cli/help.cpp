#include <cstdio>
#include <string>

#include "cli/command.h"
#include "cli/reference.h"
#include "engine/train/run_config.h"

namespace tp::cli {
namespace {

void print_row(const std::string& left, const std::string& right) {
  std::printf("  %-34s %s\n", left.c_str(), right.c_str());
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
      "\nA beginning\n"
      "  tp train --task reverse --preset first-look --out run\n"
      "  tp decode --model run --input \"k d a m u b e r t i\"\n"
      "\n  tp help COMMAND, or tp COMMAND --help, says more; tp --version says which one this is.\n"
      "  It exits with 0 when all went well, 1 when something failed, 2 when it was called "
      "wrongly,\n  and with 128 and the number of the signal when it was told to stop.\n");
}

void print_help(const Command& command, std::string_view task) {
  std::printf("tp %s: %s\n\n  %s\n", std::string(command.name).c_str(),
              std::string(command.summary).c_str(), std::string(command.example).c_str());
  const bool own = command.settings == Settings::none;
  const std::string_view shown = task.empty() || find_task(task) == nullptr ? "reverse" : task;
  for (const ReferenceLine& line : reference_of(command, shown)) {
    if (!line.heading.empty()) std::printf("\n%s\n", line.heading.c_str());
    const bool is_flag = command_has(command, line.name);
    const std::string flag = "--" + line.name;
    if (is_flag) {
      print_row(flag + (line.value.empty() ? "" : " ") + line.value, line.meaning);
    } else {
      print_row(flag, line.value);
      std::printf("      %s\n", line.meaning.c_str());
    }
  }
  if (own) return;
  std::printf(
      "\nWhat stands in brackets holds otherwise. Other tasks have other settings:\n"
      "tp help %s --task T shows those of T.\n",
      std::string(command.name).c_str());
  if (command.settings != Settings::run) return;
  std::printf("\nPresets\n");
  for (const Preset& preset : all_presets()) {
    print_row(std::string(preset.name), std::string(preset.summary));
  }
}

}  // namespace tp::cli
