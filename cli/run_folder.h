#pragma once

#include <memory>
#include <string>

#include "cli/folder_lock.h"
#include "engine/model/transformer.h"
#include "engine/train/run_config.h"

// The files of a run:
//
//   config.json                 everything the run was made from
//   data.txt                    the user's text, where there was one
//   tokenizer.json              the vocabulary, see run_tokenizers.h
//   metrics.csv                 one row a step
//   events.out.tfevents.*       the same for TensorBoard
//   checkpoints/                the last few states, to go on from
//   model.safetensors           the weights alone, under PyTorch's names
//   best.safetensors            the same after the best exam, with --best

namespace tp::cli {

class RunFolder {
 public:
  explicit RunFolder(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  std::string config() const { return path_ + "/config.json"; }
  std::string material() const { return path_ + "/data.txt"; }
  std::string metrics() const { return path_ + "/metrics.csv"; }
  std::string checkpoints() const { return path_ + "/checkpoints"; }
  std::string best() const { return path_ + "/best.safetensors"; }
  std::string model() const { return path_ + "/model.safetensors"; }

  // Refuses a folder in which anything of a run lies.
  Status check_free() const;
  // Makes the folder, unless it is there, and writes config.json, data.txt and tokenizer.json. On
  // an error nothing of it remains. No other program trains there while the lock lives.
  Result<FolderLock> begin(const RunConfig& run, const std::string& material,
                           const Task& task) const;

 private:
  std::string path_;
};

Status write_text(const std::string& path, std::string_view text);
Status make_folder(const std::string& path);

// A run read back.
struct SavedRun {
  RunConfig config;
  std::string material;
  std::shared_ptr<const Task> task;
};
Result<SavedRun> read_run(const RunFolder& folder);

// With the weights, all of which are finite: those of model.safetensors, or of the newest
// checkpoint that can be read, where the run was killed; or those of best.safetensors.
struct TrainedRun {
  SavedRun run;
  std::unique_ptr<Transformer<float>> model;
};
Result<TrainedRun> read_trained_run(const RunFolder& folder, bool best = false);

// Says on stderr what is wrong with a checkpoint when an older one is taken.
void warn_of_older(const Error& error);

}  // namespace tp::cli
