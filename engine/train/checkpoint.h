#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/io/safetensors.h"
#include "engine/train/trainer.h"

// A run as one safetensors file: the parameters under PyTorch's names, both moments, and in the
// metadata `config` (the run's configuration) and `trainer` (steps, data cursor, loss scale), both
// JSON. Random numbers need no saving: they are functions of the seed and of these counts.

namespace tp {

// Replaces the file at once, when it is complete, or not at all.
Status save_checkpoint(const std::string& path, const Trainer& trainer, const std::string& config);

// The same bytes, where there are no files: with the user's text in the metadata `material`, if the
// task has one.
Result<std::vector<std::byte>> checkpoint_bytes(const Trainer& trainer, const std::string& config,
                                                const std::string& material = {});

// Continues where the file was saved, bit for bit. Refuses, and leaves the trainer as it was, when
// the file is damaged, is of another model, or when no run of `config` could be at this point (see
// continues()).
Status load_checkpoint(const Safetensors& file, const std::string& config, Trainer& trainer);

// The configuration inside a checkpoint or a saved model.
Result<std::string> config_of(const Safetensors& file);

// The user's text inside it; empty where there is none.
std::string material_of(const Safetensors& file);

// What became of each tensor when weights of another model are taken over.
struct WeightsFit {
  int loaded = 0;
  std::vector<std::string> left_out;  // of the model: 'name' is missing, or has another shape
  std::vector<std::string> unused;    // of the file
};

// Takes over the values of all tensors that have the same name and shape, from a checkpoint or from
// PyTorch's weights alone. An error when there is none.
Result<WeightsFit> adopt_weights(const Safetensors& file, ParameterStore<float>& parameters);

}  // namespace tp
