#pragma once

#include "cli/model_pass.h"

namespace tp::cli {

// The pass as a numbered walk: what was read, then each tensor on the way to the logits with its
// shape, mean and deviation, and in words what was done. Of several heads the first stands for all.
void print_story(const Transformer<float>& model, const Task& task, const ModelPass& pass,
                 bool json);

}  // namespace tp::cli
