#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/core/result.h"
#include "engine/tasks/task.h"
#include "engine/train/run_config.h"

namespace tp {

// How large a run is and how much work, before anything of it is made.
struct RunSizes {
  std::uint64_t parameters = 0;
  std::uint64_t bytes = 0;  // the model with gradients and moments, and a batch's activations
  double operations = 0;    // products of one step, on average over the task's examples
};

// Or why it cannot be run: a contradiction, too much memory, or a layer that would take so long
// that nobody could interrupt it.
Result<RunSizes> size_up(const RunConfig& config, const Task& task, std::size_t memory_limit);

}  // namespace tp
