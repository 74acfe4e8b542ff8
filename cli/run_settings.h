#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "cli/arguments.h"
#include "cli/command.h"
#include "engine/train/run_config.h"

// From flags to a run.

namespace tp::cli {

// A desk has more memory than a browser's tab.
inline constexpr std::size_t kMemoryLimit = std::size_t{8} << 30;

// Are there a task, a preset and settings of these names? Asked before anything is done, and of the
// settings of every task where none is named.
Status check_names(const Command& command, const Arguments& arguments);

// --config, else --task with its defaults; then --preset; then settings. Errors are the caller's
// usage.
Result<RunConfig> run_from_arguments(const Arguments& arguments);
// --preset and settings on top of a run, which must be of --task where that is given.
Status apply_arguments(const Arguments& arguments, RunConfig& run);
// The settings of the task alone.
Status apply_task_settings(const Arguments& arguments, RunConfig& run);

// The user's text of --data; empty when there is none.
Result<std::string> material_of(const Arguments& arguments, const RunConfig& run);
Result<std::string> read_text(const std::string& path);

// The task, when the model can learn it. Without tokenizers, those that a task needs are made.
Result<std::shared_ptr<const Task>> task_of(const RunConfig& run, const std::string& material,
                                            const TaskTokenizers& tokenizers = {});

// How the user's text was read.
void print_notes(const Task& task, std::FILE* to);

}  // namespace tp::cli
