#include "cli/run_tokenizers.h"

#include <filesystem>

#include "cli/run_folder.h"
#include "cli/run_settings.h"
#include "engine/tasks/task_tokenizers.h"

namespace tp::cli {
namespace {

namespace fs = std::filesystem;

std::string read_name(const std::string& folder) { return folder + "/tokenizer.json"; }
std::string written_name(const std::string& folder) { return folder + "/tokenizer_target.json"; }

Result<std::shared_ptr<const Tokenizer>> read_one(const std::string& path) {
  const Result<std::string> text = read_text(path);
  if (!text) return text.error();
  Result<Tokenizer> tokenizer = Tokenizer::parse(text.value());
  if (!tokenizer) return Error{"'" + path + "': " + tokenizer.error().message};
  return std::make_shared<const Tokenizer>(std::move(tokenizer.value()));
}

}  // namespace

Status write_tokenizers(const std::string& folder, const Task& task) {
  const TaskTokenizers tokenizers = tokenizers_of(task);
  if (!tokenizers.reads) return Done{};
  const std::string read = tokenizers.reads->json();
  if (Status status = write_text(read_name(folder), read); !status) return status;
  if (!tokenizers.writes || tokenizers.writes == tokenizers.reads) return Done{};
  return write_text(written_name(folder), tokenizers.writes->json());
}

void remove_tokenizers(const std::string& folder) {
  std::error_code ignored;
  for (const std::string& file : {read_name(folder), written_name(folder)}) {
    fs::remove(file, ignored);
  }
}

Result<TaskTokenizers> read_tokenizers(const std::string& folder) {
  std::error_code error;
  if (!fs::exists(read_name(folder), error)) return TaskTokenizers{};
  Result<TaskTokenizers> tokenizers = read_tokenizer(read_name(folder));
  if (!tokenizers || !fs::exists(written_name(folder), error)) return tokenizers;
  auto written = read_one(written_name(folder));
  if (!written) return written.error();
  tokenizers.value().writes = written.value();
  return tokenizers;
}

Result<TaskTokenizers> read_tokenizer(const std::string& path) {
  const auto tokenizer = read_one(path);
  if (!tokenizer) return tokenizer.error();
  return TaskTokenizers{tokenizer.value(), tokenizer.value()};
}

Status use_tokenizers(TaskTokenizers& tokenizers, RunConfig& run) {
  constexpr const char* kNames[] = {"characters", "words", "bpe", "sentencepiece"};
  const Properties settings = run.task_parameters->properties();
  const Property* tokens = find_property(settings, "tokens");
  if (tokens == nullptr) {
    return Error{"the task " + run.task + " has its own tokens: leave --tokenizer out."};
  }
  const char* kind = kNames[static_cast<int>(tokenizers.reads->kind())];
  if (set_property(*tokens, kind) != PropertyProblem::kNone) {
    return Error{"the task " + run.task + " has no tokens of the kind of this tokenizer, " + kind +
                 ": see tp help train --task " + run.task + "."};
  }
  const bool shared = tokenizers.writes == tokenizers.reads;
  for (std::shared_ptr<const Tokenizer>* side : {&tokenizers.reads, &tokenizers.writes}) {
    Result<Tokenizer> marked = with_marks(**side);
    if (!marked) return marked.error();
    *side = std::make_shared<const Tokenizer>(std::move(marked.value()));
  }
  if (shared) tokenizers.writes = tokenizers.reads;
  return Done{};
}

}  // namespace tp::cli
