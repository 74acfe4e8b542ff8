// Trains a small Transformer to write letters backwards, and lets it try.
#include <cinttypes>
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

#include "engine/train/evaluation.h"
#include "engine/train/run_config.h"
#include "engine/train/trainer.h"

constexpr char kSettings[] =
    R"({"task": "reverse", "task_parameters": {"max_length": 6}, "train": {"steps": 400}})";

int main() {
  const tp::Result<tp::RunConfig> read = tp::run_from_json(kSettings);
  if (!read) return std::fprintf(stderr, "%s\n", read.error().message.c_str()), 1;
  const tp::RunConfig& run = read.value();
  const std::shared_ptr<const tp::Task> task = std::move(tp::make_task(run).value());
  const auto trainer = std::move(tp::Trainer::create(task, run.model, run.train).value());
  while (!trainer->finished()) {
    const tp::StepMetrics step = trainer->step().value();
    if (step.step % 100 == 0) std::printf("step %" PRIu64 ": loss %.3f\n", step.step, step.loss);
  }
  const tp::Example example = task->parse("k d a m").example.value();
  const std::vector<int> answer = tp::write_answer(trainer->model(), *task, example);
  std::printf("k d a m -> %s\n", task->answer_text({.tokens = answer}).c_str());
  std::printf("weights %016" PRIx64 "\n", trainer->weights_hash());
}
