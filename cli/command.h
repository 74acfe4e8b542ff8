#pragma once

#include <span>
#include <string_view>

#include "cli/arguments.h"

namespace tp::cli {

// Exit codes.
inline constexpr int kFine = 0, kFailed = 1, kWrongUsage = 2;

// One sentence on stderr; returns the code.
int report(const Error& error, int code);
inline int failed(const Error& error) { return report(error, kFailed); }
inline int wrong_usage(const Error& error) { return report(error, kWrongUsage); }

// Which settings of a run a command takes as flags beside its own.
enum class Settings { none, task, run };

struct Command {
  std::string_view name;
  std::string_view summary;
  std::string_view example;
  std::span<const Flag> flags;
  Settings settings;
  int (*run)(const Arguments& arguments);
};

// One file each.
extern const Command kTasksCommand, kTrainCommand, kEvalCommand, kDecodeCommand, kTraceCommand,
    kExplainCommand, kLensCommand, kExportCommand, kTokenizeCommand, kBenchCommand,
    kCompletionCommand;

std::span<const Command* const> all_commands();

// Is this a flag of the command's own, and not a setting?
inline bool command_has(const Command& command, std::string_view name) {
  for (const Flag& flag : command.flags) {
    if (flag.name == name) return true;
  }
  return false;
}

// To stdout.
void print_help();
// With the settings of `task` where the command takes some; empty: of all runs.
void print_help(const Command& command, std::string_view task);

}  // namespace tp::cli
