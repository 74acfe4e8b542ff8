#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "engine/io/property_json.h"
#include "engine/train/run_config.h"
#include "engine/train/trainer.h"

namespace tp::test {

// A run that takes milliseconds a step: short sequences of few symbols, a narrow model.
inline RunConfig small_run(std::string_view task = "reverse") {
  RunConfig run = std::move(default_run(task).value());
  for (const auto& [name, value] :
       {std::pair("min_length", "1"), std::pair("max_length", "5"), std::pair("symbols", "9")}) {
    // Other tasks than those of symbols stay as they are.
    (void)set_by_name(run.task_parameters->properties(), name, value);
  }
  run.model.d_model = 16;
  run.model.heads = 2;
  run.model.d_ff = 32;
  run.model.encoder_layers = run.model.decoder_layers = 2;
  run.train.batch = 6;
  run.train.warmup = 5;
  run.train.steps = 40;
  run.train.eval_size = 20;
  return run;
}

inline std::unique_ptr<Trainer> make_trainer(const RunConfig& run,
                                             Trainer::KernelSet kernels = fast_kernels_for) {
  TaskResult task = make_task(run);
  TP_CHECK(task.ok(), task.ok() ? "" : task.error().message.c_str());
  auto trainer = Trainer::create(std::shared_ptr<const Task>(std::move(task.value())), run.model,
                                 run.train, kernels);
  TP_CHECK(trainer.ok(), trainer.ok() ? "" : trainer.error().message.c_str());
  return std::move(trainer.value());
}

inline void train(Trainer& trainer, int steps) {
  for (int i = 0; i < steps; ++i) {
    const auto metrics = trainer.step();
    ASSERT_TRUE(metrics.ok()) << metrics.error().message;
  }
}

}  // namespace tp::test
