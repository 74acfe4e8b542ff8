#include "cli/textbook_step.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/subjects/small_run.h"

// The textbook in the place of the trainer's own step.

namespace tp::test {
namespace {

// Takes `steps` steps on both sides and compares what a run reports and what it learned.
void expect_same_training(const RunConfig& run, int steps) {
  const auto engine = make_trainer(run), book = make_trainer(run);
  for (int t = 0; t < steps; ++t) {
    const Result<StepMetrics> a = engine->step(), b = cli::textbook_step(*book);
    ASSERT_TRUE(a.ok() && b.ok());
    EXPECT_NEAR(a.value().loss, b.value().loss, 1e-4 * a.value().loss);
    EXPECT_NEAR(a.value().gradient_norm, b.value().gradient_norm, 1e-3 * a.value().gradient_norm);
    EXPECT_NEAR(a.value().learning_rate, b.value().learning_rate, 1e-12);
    EXPECT_EQ(a.value().step, b.value().step);
    EXPECT_EQ(a.value().tokens, b.value().tokens);
    EXPECT_EQ(a.value().token_accuracy.has_value(), b.value().token_accuracy.has_value());
    EXPECT_NEAR(a.value().token_accuracy.value_or(0), b.value().token_accuracy.value_or(0), 0.02);
    ASSERT_EQ(a.value().update_ratios.size(), b.value().update_ratios.size());
  }
  EXPECT_EQ(engine->state(), book->state());
  const auto ratios = [](const Trainer& trainer) { return trainer.metrics().update_ratios; };
  for (std::size_t l = 0; l < ratios(*engine).size(); ++l) {
    EXPECT_NEAR(ratios(*engine)[l], ratios(*book)[l], 1e-2 * ratios(*engine)[l]) << l;
  }
  // Parameters without a gradient, such as the keys' biases, drift with the rounding in Adam.
  const auto a = engine->values(), b = book->values();
  double apart = 0, all = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    apart += std::abs(double{a[i]} - double{b[i]});
    all += std::abs(double{a[i]});
  }
  EXPECT_LE(apart, 1e-3 * all);
}

TEST(TextbookStep, TasksOfEveryKind) {
  for (const char* task : {"reverse", "text", "balance", "shapes", "forecast"}) {
    SCOPED_TRACE(task);
    RunConfig run = small_run(task);
    run.train.batch = 3;
    run.train.dropout = 0;
    expect_same_training(run, 3);
  }
}

TEST(TextbookStep, RecipesOfEveryKind) {
  RunConfig run = small_run();
  run.train.batch = 4;
  run.train.weight_decay = 0.1;
  run.train.layer_rate_decay = 0.7;
  for (const auto optimiser : {OptimiserKind::adam, OptimiserKind::adamw, OptimiserKind::sgd}) {
    for (const auto schedule :
         {ScheduleKind::constant, ScheduleKind::inverse_square_root, ScheduleKind::cosine}) {
      run.train.optimiser = optimiser;
      run.train.schedule = schedule;
      run.train.warmup = 3;
      run.train.label_smoothing = 0.1;
      expect_same_training(run, 8);
    }
  }
}

TEST(TextbookStep, ThePapersRateAccumulationAndAFiniteSet) {
  RunConfig run = small_run();
  run.train.batch = 3;
  run.train.accumulation = 2;
  run.train.train_size = 10;
  run.train.schedule = ScheduleKind::inverse_square_root;
  run.train.learning_rate = 0;
  run.train.warmup = 1000;
  run.train.clip = 0;
  expect_same_training(run, 5);
}

TEST(TextbookStep, WhatItDoesNotHaveIsSaid) {
  TrainConfig config;
  EXPECT_TRUE(cli::textbook_can_train(config).ok());
  config.dropout = 0.1;
  EXPECT_FALSE(cli::textbook_can_train(config).ok());
  config.dropout = 0;
  config.precision = Precision::bf16;
  EXPECT_FALSE(cli::textbook_can_train(config).ok());
}

}  // namespace
}  // namespace tp::test
