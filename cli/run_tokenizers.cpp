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
  const auto named = [&](const Error& error) { return Error{"'" + path + "': " + error.message}; };
  const Result<Tokenizer> parsed = Tokenizer::parse(text.value());
  if (!parsed) return named(parsed.error());
  Result<Tokenizer> tokenizer = with_marks(parsed.value());
  if (!tokenizer) return named(tokenizer.error());
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

Status use_tokenizers(const TaskTokenizers& tokenizers, RunConfig& run) {
  constexpr const char* kNames[] = {"characters", "words", "bpe", "sentencepiece"};
  const Properties settings = run.task_parameters->properties();
  const Property* tokens = find_property(settings, "tokens");
  if (tokens == nullptr) {
    return Error{"the task " + run.task + " has its own tokens: leave --tokenizer out."};
  }
  const char* kind = kNames[static_cast<int>(tokenizers.reads->kind())];
  if (set_property(*tokens, kind) == PropertyProblem::kNone) return Done{};
  return Error{"the task " + run.task + " has no tokens of the kind of this tokenizer, " + kind +
               ": see tp help train --task " + run.task + "."};
}

}  // namespace tp::cli
