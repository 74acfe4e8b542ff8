#pragma once

#include <string>

#include "engine/tasks/task.h"
#include "engine/train/run_config.h"

// Tokenizers in files, as Hugging Face's tokenizer.json:
//
//   tokenizer.json          what a run reads, and writes where there is no other
//   tokenizer_target.json   what it writes, where that has a vocabulary of its own

namespace tp::cli {

// In a folder that exists. A task that has no tokens leaves no files.
Status write_tokenizers(const std::string& folder, const Task& task);
void remove_tokenizers(const std::string& folder);

// Those of a folder, with the ids of the file; null where there are none, as in runs of earlier
// versions.
Result<TaskTokenizers> read_tokenizers(const std::string& folder);

// One file, for both sides.
Result<TaskTokenizers> read_tokenizer(const std::string& path);

// For a new run: puts the marks first and makes the settings say what the tokenizer is. Refuses one
// that the task cannot use.
Status use_tokenizers(TaskTokenizers& tokenizers, RunConfig& run);

}  // namespace tp::cli
