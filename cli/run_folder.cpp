#include "cli/run_folder.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "cli/command.h"
#include "cli/run_settings.h"
#include "cli/run_tokenizers.h"
#include "engine/core/shown_name.h"
#include "engine/io/file.h"
#include "engine/io/parameters_file.h"
#include "engine/train/batch_maker.h"
#include "engine/train/checkpoint_folder.h"

namespace tp::cli {

namespace fs = std::filesystem;

Status write_text(const std::string& path, std::string_view text) {
  const std::span<const std::byte> parts[] = {std::as_bytes(std::span(text))};
  return write_file(path, parts);
}

Status make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (!error && fs::is_directory(path, error)) return Done{};
  return Error{"cannot make the folder '" + path + "': " +
               (error ? error.message() : "there is a file of that name") + "; choose another"};
}

Status RunFolder::check_free() const {
  std::error_code error;
  for (const std::string& file : {config(), material(), metrics(), checkpoints(), model()}) {
    if (fs::exists(file, error)) {
      return Error{"'" + path_ +
                   "' holds another run: choose another folder, or go on with it by --resume."};
    }
  }
  return Done{};
}

Result<FolderLock> RunFolder::begin(const RunConfig& run, const std::string& material_text,
                                    const Task& task) const {
  std::error_code ignored;
  const bool is_new = !fs::exists(path_, ignored);
  if (Status status = make_folder(path_); !status) return status.error();
  Result<FolderLock> lock = FolderLock::take(path_);
  if (!lock) return lock;
  // Of two that begin at the same time, the second finds the files of the first.
  if (Status status = check_free(); !status) return status.error();
  Status status = Done{};
  if (!material_text.empty()) status = write_text(material(), material_text);
  if (status) status = write_tokenizers(path_, task);
  if (status) status = write_text(config(), json_of(run));
  if (status) status = make_folder(checkpoints());
  if (status) return lock;
  for (const std::string& file : {material(), config()}) fs::remove(file, ignored);
  remove_tokenizers(path_);
  if (is_new) fs::remove(path_, ignored);  // only when it is empty
  return status.error();
}

Result<SavedRun> read_run(const RunFolder& folder) {
  const Result<std::string> text = read_text(folder.config());
  if (!text) return text.error();
  Result<RunConfig> config = run_from_json(text.value());
  if (!config) return Error{"'" + folder.config() + "': " + config.error().message};
  SavedRun run{std::move(config.value()), {}, nullptr};
  std::error_code error;
  if (fs::exists(folder.material(), error)) {
    Result<std::string> material = read_text(folder.material());
    if (!material) return material.error();
    run.material = std::move(material.value());
  }
  const Result<TaskTokenizers> tokenizers = read_tokenizers(folder.path());
  if (!tokenizers) return tokenizers.error();
  Result<std::shared_ptr<const Task>> task = task_of(run.config, run.material, tokenizers.value());
  if (!task) return Error{"'" + folder.path() + "': " + task.error().message};
  run.task = task.value();
  return run;
}

namespace {

// From a file of weights alone, or from a checkpoint.
Status load_weights(const std::string& path, bool checkpoint, ParameterStore<float>& parameters) {
  const Result<Safetensors> file = Safetensors::read(path);
  if (!file) return file.error();
  Status status = Done{};
  if (!checkpoint) {
    status = load_parameters(file.value(), parameters);
  } else if (Result<WeightsFit> fit = adopt_weights(file.value(), parameters); !fit) {
    status = fit.error();
  } else if (!fit.value().left_out.empty()) {
    status = Error{fit.value().left_out.front() + ": use the configuration of its run."};
  }
  if (!status) return Error{"'" + path + "': " + status.error().message};
  for (const ParameterEntry& entry : std::as_const(parameters).entries()) {
    const auto values = std::as_const(parameters).values().subspan(entry.offset, entry.count);
    if (std::ranges::all_of(values, [](float value) { return std::isfinite(value); })) continue;
    return Error{"'" + path + "': " + shown_name(entry.name) +
                 " holds a number that is not finite: use another checkpoint, or train again."};
  }
  return Done{};
}

}  // namespace

Result<TrainedRun> read_trained_run(const RunFolder& folder, bool best) {
  Result<SavedRun> run = read_run(folder);
  if (!run) return run.error();
  const TrainConfig& train = run.value().config.train;
  if (Status status = validate(train); !status) return status.error();
  auto model = Transformer<float>::create(fit_to_task(run.value().config.model, *run.value().task),
                                          fast_kernels<float>(train.arithmetic), kMemoryLimit);
  if (!model) return model.error();
  std::error_code error;
  const std::vector<std::string> checkpoints = CheckpointFolder(folder.checkpoints(), 1).list();
  if (best && !fs::exists(folder.best(), error)) {
    return Error{"'" + folder.path() +
                 "' has no best.safetensors: train with --best, or leave "
                 "--best out."};
  }
  const std::string alone = best ? folder.best() : folder.model();
  const bool finished = best || fs::exists(alone, error) || checkpoints.empty();
  const std::vector<std::string> files = finished ? std::vector{alone} : checkpoints;
  std::vector<Error> unreadable;
  for (auto path = files.rbegin(); path != files.rend(); ++path) {
    const Status status = load_weights(*path, !finished, model.value()->parameters());
    if (status) {
      for (const Error& newer : unreadable) warn_of_older(newer);
      return TrainedRun{std::move(run.value()), std::move(model.value())};
    }
    unreadable.push_back(status.error());
  }
  return unreadable.front();
}

void warn_of_older(const Error& error) {
  std::string what = error.message;
  if (what.ends_with('.')) what.pop_back();
  report({what + "; an older checkpoint is taken."}, kFine);
}

}  // namespace tp::cli
