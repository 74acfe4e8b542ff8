#pragma once

#include <string>
#include <vector>

#include "engine/train/checkpoint.h"

// The checkpoints of one run in one folder, checkpoint-00001500.safetensors for step 1500, of which
// the last few are kept.

namespace tp {

class CheckpointFolder {
 public:
  CheckpointFolder(std::string folder, int keep) : folder_(std::move(folder)), keep_(keep) {}

  // Saves, and when that is done removes what is older than the last `keep`.
  Status save(const Trainer& trainer, const std::string& config) const;

  // Paths of those there are, oldest first.
  std::vector<std::string> list() const;

  // Continues from the newest that can be read. The result is what is wrong with those that are
  // newer; the error, where none can be read, is that of the newest.
  Result<std::vector<Error>> resume(const std::string& config, Trainer& trainer) const;

 private:
  std::string folder_;
  int keep_;
};

}  // namespace tp
