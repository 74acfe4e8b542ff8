#include <cstdio>
#include <iostream>
#include <string>

#include "cli/command.h"
#include "cli/run_folder.h"
#include "cli/run_tokenizers.h"
#include "engine/core/utf8.h"
#include "engine/tasks/task_tokenizers.h"

namespace tp::cli {
namespace {

constexpr Flag kFlags[] = {
    {"model", "DIR", "the folder of a run, whose tokens are shown"},
    {"tokenizer", "FILE", "a tokenizer.json, instead of a run"},
    {"input", "TEXT", "what to cut; without it, each line of standard input"},
    {"target", "", "as what the model writes, instead of what it reads"},
};

Result<TaskTokenizers> tokenizers_of_run(const std::string& path) {
  Result<TaskTokenizers> tokenizers = read_tokenizers(path);
  if (!tokenizers || tokenizers.value().reads) return tokenizers;
  const Result<SavedRun> run = read_run(RunFolder(path));
  if (!run) return run.error();
  return tokenizers_of(*run.value().task);
}

// One token a line: its id and how it is spelled in the vocabulary.
void print_tokens(const Tokenizer& tokenizer, std::string_view text) {
  for (const int id : tokenizer.encode(text, Tokenizer::Spelled::kText)) {
    std::printf("%d\t%s\n", id, tokenizer.spelling(id).c_str());
  }
}

int run(const Arguments& arguments) {
  const auto model = arguments.find("model"), file = arguments.find("tokenizer");
  if (model.has_value() == file.has_value()) {
    return wrong_usage({"tokens are those of a run or of a file: give --model or --tokenizer."});
  }
  const Result<TaskTokenizers> tokenizers =
      file ? read_tokenizer(*file) : tokenizers_of_run(*model);
  if (!tokenizers) return failed(tokenizers.error());
  const std::shared_ptr<const Tokenizer> tokenizer =
      arguments.has("target") ? tokenizers.value().writes : tokenizers.value().reads;
  if (!tokenizer) return failed({"there are no tokens on this side of '" + *model + "'."});
  if (const auto input = arguments.find("input")) {
    print_tokens(*tokenizer, *input);
    return kFine;
  }
  bool first = true;
  for (std::string line; std::getline(std::cin, line); first = false) {
    if (!first) std::printf("\n");
    print_tokens(*tokenizer, text_of_line(line, first));
  }
  return kFine;
}

}  // namespace

const Command kTokenizeCommand = {"tokenize",
                                  "shows the tokens that a text is cut into",
                                  "tp tokenize --model runs/reverse --input \"k d a m\"",
                                  kFlags,
                                  Settings::none,
                                  run};

}  // namespace tp::cli
