#include "engine/train/recipes.h"

#include <string_view>
#include <vector>

#include "engine/core/check.h"
#include "engine/core/nearest.h"
#include "engine/io/property_json.h"
#include "engine/train/batch_maker.h"
#include "engine/train/run_config.h"

namespace tp {
namespace {

// Where a task departs from the recipe that most of them learn with.
// tests/integration/learn_all.cpp says what each reaches.
struct Recipe {
  std::string_view task;
  int steps = 1500;
  int batch = 64;
  double learning_rate = 2e-3;
  int layers = 2;  // of the encoder and of the decoder
  int heads = 4;
  double dropout = 0;
  double weight_decay = 0;  // where there is any, of AdamW
};

constexpr Recipe kRecipes[] = {
    {.task = "copy"},
    {.task = "reverse"},
    {.task = "sort"},
    {.task = "add", .steps = 3500},
    {.task = "date", .steps = 2500},
    {.task = "translate"},
    // A text has an end: what is read again and again must not be learned by heart.
    {.task = "text", .steps = 1000, .batch = 32, .dropout = 0.1, .weight_decay = 0.1},
    {.task = "balance", .steps = 3000, .learning_rate = 1e-3},
    {.task = "forecast", .steps = 1000, .learning_rate = 1e-3},
    {.task = "shapes", .steps = 2000},
    {.task = "pairs", .steps = 3000},
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
  run.train.eval_every = 10;
  run.train.eval_size = 100;
}

// The same step in parts, so that none of them is long: what a session does between two looks at
// its inbox is bounded (engine/session/work_size.h).
void in_batches_of(int sequences, RunConfig& run) {
  run.train.accumulation = run.train.batch * run.train.accumulation / sequences;
  run.train.batch = sequences;
}

void small(RunConfig& run) {
  run.model.d_model = 128;
  run.model.d_ff = 512;
  run.model.heads = 4;
  run.model.encoder_layers = run.model.decoder_layers = 2;
  run.train.learning_rate = 1e-3;
  in_batches_of(16, run);
}

// As large as a browser can train while a person watches.
void large(RunConfig& run) {
  run.model.d_model = 256;
  run.model.d_ff = 1024;
  run.model.heads = 8;
  run.model.encoder_layers = run.model.decoder_layers = 4;
  run.train.learning_rate = 5e-4;
  run.train.warmup = 400;
  in_batches_of(4, run);
}

constexpr Preset kPresets[] = {
    {"default", "What the task learns with.", "", [](RunConfig&) {}},
    {"first-look", "Attention turns into a diagonal in 400 steps.", "reverse", first_look},
    {"small", "d_model 128, 2 + 2 layers, 4 heads.", "", small},
    {"large", "d_model 256, 4 + 4 layers, 8 heads.", "", large},
};

}  // namespace

void use_recipe_of(const TaskInfo& task, ModelConfig& model, TrainConfig& train) {
  model.architecture = architecture_of(task.kind);
  for (const Recipe& recipe : kRecipes) {
    if (recipe.task != task.name) continue;
    train.steps = recipe.steps;
    train.batch = recipe.batch;
    train.learning_rate = recipe.learning_rate;
    train.dropout = recipe.dropout;
    train.weight_decay = recipe.weight_decay;
    if (recipe.weight_decay > 0) train.optimiser = OptimiserKind::adamw;
    model.encoder_layers = model.decoder_layers = recipe.layers;
    model.heads = recipe.heads;
  }
}

std::span<const Preset> all_presets() { return kPresets; }

Status apply_preset(std::string_view name, RunConfig& run) {
  std::vector<std::string_view> names;
  for (const Preset& preset : kPresets) {
    names.push_back(preset.name);
    if (preset.name != name) continue;
    if (!preset.task.empty() && preset.task != run.task) {
      const std::string task(preset.task);
      return Error{"the preset " + std::string(name) + " is for the task " + task +
                       ": choose that task or another preset.",
                   "다른 과제의 프리셋입니다. 프리셋: " + std::string(name) + ", 과제: " + task +
                       ". 이 과제나 다른 프리셋을 골라 주십시오."};
    }
    preset.apply(run);
    return Done{};
  }
  return unknown_name({"preset", "프리셋"}, name, names);
}

}  // namespace tp
