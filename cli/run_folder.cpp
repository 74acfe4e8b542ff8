#include "cli/run_folder.h"

#include <filesystem>

#include "cli/run_settings.h"
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

bool RunFolder::holds_a_run() const {
  std::error_code error;
  for (const std::string& file : {config(), material(), metrics(), checkpoints(), model()}) {
    if (fs::exists(file, error)) return true;
  }
  return false;
}

Status RunFolder::begin(const RunConfig& run, const std::string& material_text) const {
  std::error_code ignored;
  const bool is_new = !fs::exists(path_, ignored);
  Status status = make_folder(path_);
  if (status && !material_text.empty()) status = write_text(material(), material_text);
  if (status) status = write_text(config(), json_of(run));
  if (status) status = make_folder(checkpoints());
  if (status) return status;
  for (const std::string& file : {material(), config()}) fs::remove(file, ignored);
  if (is_new) fs::remove(path_, ignored);  // only when it is empty
  return status;
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
  Result<std::shared_ptr<const Task>> task = task_of(run.config, run.material);
  if (!task) return Error{"'" + folder.path() + "': " + task.error().message};
  run.task = task.value();
  return run;
}

Result<TrainedRun> read_trained_run(const RunFolder& folder) {
  Result<SavedRun> run = read_run(folder);
  if (!run) return run.error();
  const TrainConfig& train = run.value().config.train;
  if (Status status = validate(train); !status) return status.error();
  auto model = Transformer<float>::create(fit_to_task(run.value().config.model, *run.value().task),
                                          fast_kernels<float>(train.arithmetic), kMemoryLimit);
  if (!model) return model.error();
  ParameterStore<float>& parameters = model.value()->parameters();

  std::error_code error;
  std::string path = folder.model();
  const std::vector<std::string> checkpoints = CheckpointFolder(folder.checkpoints(), 1).list();
  const bool finished = fs::exists(path, error) || checkpoints.empty();
  if (!finished) path = checkpoints.back();
  const Result<Safetensors> file = Safetensors::read(path);
  if (!file) return file.error();
  Status status = Done{};
  if (finished) {
    status = load_parameters(file.value(), parameters);
  } else if (Result<WeightsFit> fit = adopt_weights(file.value(), parameters); !fit) {
    status = fit.error();
  } else if (!fit.value().left_out.empty()) {
    status = Error{fit.value().left_out.front() + ": use the configuration of its run."};
  }
  if (!status) return Error{"'" + path + "': " + status.error().message};
  return TrainedRun{std::move(run.value()), std::move(model.value())};
}

}  // namespace tp::cli
