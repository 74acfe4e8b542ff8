#pragma once

#include <string>

#include "cli/run_folder.h"

namespace tp::cli {

// Into `folder`:
//
//   model.safetensors     the weights under PyTorch's names, a tied matrix under each of its names
//   config.json           the run's configuration, and of the model what follows from the task
//   example.safetensors   one held-out example and its logits
//   model.py              rebuilds the model and compares
Status export_pytorch(const TrainedRun& trained, const std::string& folder);

}  // namespace tp::cli
