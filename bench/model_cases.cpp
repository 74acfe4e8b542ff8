#include <numeric>

#include "bench/case.h"
#include "bench/fixed_reverse.h"
#include "bench/flops.h"
#include "engine/io/property_json.h"
#include "engine/model/decode.h"
#include "engine/train/run_config.h"
#include "engine/train/trainer.h"

// Whole training steps, and decoding.

namespace tp::bench {
namespace {

constexpr std::size_t kMemory = std::size_t{1} << 30;

struct Model {
  int d_model, heads, d_ff, layers, length;
  int batch = 32;
};

// The two that the peers run as well.
constexpr Model kTiny = {64, 4, 256, 2, 16};
constexpr Model kSmall = {128, 8, 512, 4, 32};

ModelConfig config_of(const Model& model) {
  ModelConfig config;
  config.d_model = model.d_model;
  config.heads = model.heads;
  config.d_ff = model.d_ff;
  config.encoder_layers = config.decoder_layers = model.layers;
  return config;
}

Result<Work> step_of(std::shared_ptr<const Task> task, const ModelConfig& model, TrainConfig train,
                     Arithmetic arithmetic) {
  train.arithmetic = arithmetic;
  auto made = Trainer::create(std::move(task), model, train, fast_kernels_for, kMemory);
  if (!made) return made.error();
  std::shared_ptr<Trainer> trainer = std::move(made.value());
  if (const auto first = trainer->step(); !first) return first.error();  // there is a batch now
  Work work;
  work.unit = "step";
  work.flop = step_flops(trainer->model(), trainer->batch());
  work.bytes = trainer->activations().arena.capacity();
  work.parameters = trainer->model().parameters().count();
  work.run = [trainer] { TP_CHECK(trainer->step().ok(), "a step of a benchmark fails"); };
  return work;
}

Result<Work> fixed_step(const Model& model, Arithmetic arithmetic) {
  TrainConfig train;
  train.batch = model.batch;
  train.learning_rate = 1e-3;
  train.label_smoothing = 0.1;
  train.schedule = ScheduleKind::constant;
  train.warmup = 0;
  return step_of(fixed_reverse(model.length), config_of(model), train, arithmetic);
}

// The default run of a task, with examples of at least the length `shortest` where that is given.
Result<Work> default_step(std::string_view task, const char* shortest, Arithmetic arithmetic) {
  Result<RunConfig> run = default_run(task);
  if (!run) return run.error();
  if (shortest != nullptr) {
    const Status set =
        set_by_name(run.value().task_parameters->properties(), "min_length", shortest);
    if (!set) return set.error();
  }
  TaskResult made = make_task(run.value());
  if (!made) return made.error();
  return step_of(std::move(made.value()), run.value().model, run.value().train, arithmetic);
}

// One token after the other by the Tiny model, with the cache, from the begin mark on.
Result<Work> decoding(Arithmetic arithmetic) {
  const auto task = fixed_reverse(kTiny.length);
  auto made = Transformer<float>::create(fit_to_task(config_of(kTiny), *task),
                                         fast_kernels<float>(arithmetic), kMemory);
  if (!made) return made.error();
  std::shared_ptr<Transformer<float>> model = std::move(made.value());
  Work work;
  work.unit = "token";
  work.units = kTiny.length;
  work.parameters = model->parameters().count();
  work.run = [model] {
    std::vector<int> source(static_cast<std::size_t>(kTiny.length));
    std::iota(source.begin(), source.end(), kUnknown);
    const auto scorer = cached_scorer<float>(*model, {source, {}}, 1);
    const int begin[] = {kBegin};
    const auto answer = decode_greedy(*scorer.value(), begin, {.max_new_tokens = kTiny.length});
    TP_CHECK(answer.ok() && std::ssize(answer.value().tokens) == kTiny.length, "decoding fails");
  };
  return work;
}

}  // namespace

void add_model_cases(std::vector<Case>& cases) {
  const auto add = [&cases](std::string name, const Model& model) {
    cases.push_back({std::move(name),
                     [model](Arithmetic arithmetic) { return fixed_step(model, arithmetic); }});
  };
  add("tiny", kTiny);
  add("small", kSmall);
  cases.push_back({"decode", decoding});

  // The default batch of reverse, and what it would cost if each sequence were padded to the
  // longest.
  cases.push_back({"lengths-1-16", [](Arithmetic arithmetic) {
                     return default_step("reverse", nullptr, arithmetic);
                   }});
  cases.push_back({"padded-16", [](Arithmetic arithmetic) {
                     return default_step("reverse", "16", arithmetic);
                   }});
  for (const TaskEntry& task : all_tasks()) {
    if (task.info.material == Material::required) continue;
    cases.push_back(
        {"default-" + std::string(task.info.name), [name = task.info.name](Arithmetic arithmetic) {
           return default_step(name, nullptr, arithmetic);
         }});
  }

  // Sweeps around Tiny.
  for (const int batch : {8, 16, 32, 64, 128}) {
    Model model = kTiny;
    model.batch = batch;
    add("batch-" + std::to_string(batch), model);
  }
  for (const int length : {8, 16, 32, 64}) {
    Model model = kTiny;
    model.length = length;
    add("length-" + std::to_string(length), model);
  }
  for (const int width : {32, 64, 128, 256}) {
    Model model = kTiny;
    model.d_model = width;
    model.d_ff = 4 * width;
    add("width-" + std::to_string(width), model);
  }
  for (const int depth : {1, 2, 4, 8}) {
    Model model = kTiny;
    model.layers = depth;
    add("depth-" + std::to_string(depth), model);
  }
}

}  // namespace tp::bench
