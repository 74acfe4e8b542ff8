#include "engine/train/recipes.h"

#include <string_view>

#include "engine/core/check.h"
#include "engine/io/property_json.h"
#include "engine/train/batch_maker.h"
#include "engine/train/run_config.h"

namespace tp {
namespace {

// Where a task departs from the recipe that TrainConfig and ModelConfig start with.
struct Recipe {
  std::string_view task;
  int steps;
  int batch;
  double learning_rate;
  int encoder_layers, decoder_layers;
  int heads;
};

constexpr Recipe kRecipes[] = {
    {"copy", 1500, 64, 2e-3, 2, 2, 4},     {"reverse", 1500, 64, 2e-3, 2, 2, 4},
    {"sort", 1500, 64, 2e-3, 2, 2, 4},     {"add", 4000, 64, 2e-3, 2, 2, 4},
    {"date", 4000, 64, 2e-3, 2, 2, 4},     {"translate", 1500, 64, 2e-3, 2, 2, 4},
    {"text", 2000, 32, 2e-3, 2, 2, 4},     {"balance", 1500, 64, 2e-3, 2, 2, 4},
    {"forecast", 1000, 64, 1e-3, 2, 2, 4}, {"shapes", 1000, 64, 1e-3, 2, 2, 4},
    {"pairs", 3000, 64, 2e-3, 2, 2, 4},
};

void set_length(RunConfig& run, const char* name, const char* value) {
  const Status status = set_by_name(run.task_parameters->properties(), name, value);
  TP_CHECK(status.ok(), "a preset sets what its task does not have");
}

// The first thing a visitor sees: short enough to be solved in half a minute, one layer and two
// heads, so that the diagonal is sharp.
void first_look(RunConfig& run) {
  set_length(run, "min_length", "10");
  set_length(run, "max_length", "10");
  run.model.d_model = 64;
  run.model.d_ff = 256;
  run.model.encoder_layers = run.model.decoder_layers = 1;
  run.model.heads = 2;
  run.train.batch = 64;
  run.train.steps = 400;
}

void small(RunConfig& run) {
  run.model.d_model = 128;
  run.model.d_ff = 512;
  run.model.heads = 4;
  run.model.encoder_layers = run.model.decoder_layers = 2;
  run.train.learning_rate = 1e-3;
}

void large(RunConfig& run) {
  run.model.d_model = 512;
  run.model.d_ff = 2048;
  run.model.heads = 16;
  run.model.encoder_layers = run.model.decoder_layers = 8;
  run.train.learning_rate = 2e-4;
  run.train.warmup = 400;
}

constexpr Preset kPresets[] = {
    {"default", "What the task learns with.", "", [](RunConfig&) {}},
    {"first-look", "Attention turns into a diagonal in 400 steps.", "reverse", first_look},
    {"small", "d_model 128, 2 + 2 layers, 4 heads.", "", small},
    {"large", "d_model 512, 8 + 8 layers, 16 heads.", "", large},
};

}  // namespace

void use_recipe_of(const TaskInfo& task, ModelConfig& model, TrainConfig& train) {
  model.architecture = architecture_of(task.kind);
  for (const Recipe& recipe : kRecipes) {
    if (recipe.task != task.name) continue;
    train.steps = recipe.steps;
    train.batch = recipe.batch;
    train.learning_rate = recipe.learning_rate;
    model.encoder_layers = recipe.encoder_layers;
    model.decoder_layers = recipe.decoder_layers;
    model.heads = recipe.heads;
  }
}

std::span<const Preset> all_presets() { return kPresets; }

Status apply_preset(std::string_view name, RunConfig& run) {
  std::string names;
  for (const Preset& preset : kPresets) {
    names += (names.empty() ? "" : ", ") + std::string(preset.name);
    if (preset.name != name) continue;
    if (!preset.task.empty() && preset.task != run.task) {
      return Error{"the preset " + std::string(name) + " is for the task " +
                   std::string(preset.task) + ": choose that task or another preset."};
    }
    preset.apply(run);
    return Done{};
  }
  return Error{"there is no preset '" + std::string(name) + "': choose one of " + names + "."};
}

}  // namespace tp
