#pragma once

#include <memory>

#include "engine/tasks/task.h"

namespace tp::bench {

// The work of the peers: sequences of equal length, `length` tokens for the encoder and as many for
// the decoder (the begin mark and all letters but one), from a vocabulary of 32.
std::shared_ptr<const Task> fixed_reverse(int length);

}  // namespace tp::bench
