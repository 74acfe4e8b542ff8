// How much arithmetic a piece is: the formulas against a count of what the kernels are given.

#include "engine/session/work_size.h"

#include <gtest/gtest.h>

#include "engine/session/run_sizes.h"
#include "tests/session/session_driver.h"

namespace tp::test {
namespace {

double counted = 0;

double band(KeyRanges ranges, int width) {
  double cells = 0;
  for (const KeyRange& range : ranges) cells += range.end - range.begin;
  return 2 * cells * width;
}

// The reference set, with products that count. What they compute does not matter here.
const Kernels<float>& counting_kernels() {
  static const Kernels<float> kernels = [] {
    Kernels<float> k = reference_kernels<float>();
    k.matmul_nn = [](ConstMatrix<float> a, ConstMatrix<float> b, Matrix<float>, Update) {
      counted += 2.0 * a.rows * a.columns * b.columns;
    };
    k.affine = [](ConstMatrix<float> x, ConstMatrix<float> weight, std::span<const float>,
                  Matrix<float>) { counted += 2.0 * x.rows * x.columns * weight.rows; };
    k.matmul_tn = [](ConstMatrix<float> a, ConstMatrix<float> b, Matrix<float>, Update) {
      counted += 2.0 * a.rows * a.columns * b.columns;
    };
    k.banded_nt = [](ConstMatrix<float> a, ConstMatrix<float>, float, KeyRanges ranges,
                     Matrix<float>) { counted += band(ranges, a.columns); };
    k.banded_nn = [](ConstMatrix<float>, ConstMatrix<float> b, float, KeyRanges ranges,
                     Matrix<float>) { counted += band(ranges, b.columns); };
    k.banded_tn = [](ConstMatrix<float>, ConstMatrix<float> b, float, KeyRanges ranges,
                     Matrix<float>) { counted += band(ranges, b.columns); };
    return k;
  }();
  return kernels;
}

// A batch whose sequences are all as long as they may be.
Batch<float> longest_batch(const ModelConfig& config, int sequences) {
  Batch<float> batch;
  batch.source_layout.assign_equal(sequences, config.max_source_length);
  batch.target_layout.assign_equal(sequences, config.max_target_length);
  const auto source = static_cast<std::size_t>(sequences * config.max_source_length);
  const auto target = static_cast<std::size_t>(sequences * config.max_target_length);
  batch.source_ids.assign(source, 3);
  batch.target_ids.assign(target, 3);
  batch.source_patches.assign(source * static_cast<std::size_t>(std::max(config.patch_size, 1)),
                              0.5f);
  const bool tokens = config.head == HeadKind::tokens;
  batch.labels.assign(!tokens                ? static_cast<std::size_t>(sequences)
                      : config.has_decoder() ? target
                                             : source,
                      1);
  batch.target_values.assign(static_cast<std::size_t>(sequences * std::max(config.outputs, 1)),
                             0.5f);
  return batch;
}

struct Counts {
  double forward = 0, all = 0, largest = 0;
};

Counts count(const ModelConfig& config, const TrainConfig& train) {
  auto model = std::move(Transformer<float>::create(config, counting_kernels()).value());
  auto activations = std::move(
      model
          ->make_activations(
              {train.batch, config.max_source_length, config.max_target_length},
              train.recompute_layers ? GradientMemory::recomputed : GradientMemory::shared)
          .value());
  const Batch<float> batch = longest_batch(config, train.batch);
  Counts counts;
  const auto piece = [&](const auto& work) {
    counted = 0;
    work();
    counts.all += counted;
    counts.largest = std::max(counts.largest, counted);
  };
  for (int i = 0; i < model->stages(); ++i) {
    piece([&] { model->forward_stage(i, batch, {}, *activations); });
  }
  counts.forward = counts.all;
  model->loss(batch, *activations);
  for (int i = 0; i < model->stages(); ++i) {
    piece([&] { model->backward_stage(i, *activations, 1); });
  }
  return counts;
}

TEST(WorkSize, IsWhatTheKernelsAreGiven) {
  for (const TaskEntry& entry : all_tasks()) {
    if (entry.info.material == Material::required) continue;
    for (const bool recompute : {false, true}) {
      for (const Sparsity sparsity : {Sparsity::full, Sparsity::local}) {
        RunConfig run = small_run(entry.info.name);
        run.model.sparsity = sparsity;
        run.model.reach = 2;
        run.train.recompute_layers = recompute;
        run.train.batch = 40;  // so that a batch's layer is more than a token or an update
        const auto task = std::move(make_task(run).value());
        const ModelConfig config = fit_to_task(run.model, *task);
        const Counts counts = count(config, run.train);
        const Lengths longest{config.max_source_length, config.max_target_length};
        EXPECT_DOUBLE_EQ(forward_operations(config, longest, run.train.batch), counts.forward)
            << entry.info.name;
        EXPECT_DOUBLE_EQ(training_operations(config, run.train, longest, run.train.batch),
                         counts.all)
            << entry.info.name;
        EXPECT_DOUBLE_EQ(largest_piece(config, run.train).operations, counts.largest)
            << entry.info.name << ", " << largest_piece(config, run.train).name;
      }
    }
  }
}

TEST(WorkSize, WhatCannotBeInterruptedIsRefusedWithWhatToDo) {
  RunConfig run = std::move(default_run("copy").value());
  run.model.d_model = 512;
  run.model.d_ff = 2048;
  run.train.batch = 256;
  const auto task = std::move(make_task(run).value());
  const auto refused = size_up(run, *task, std::size_t{3} << 30);
  ASSERT_FALSE(refused.ok());
  // What it says to do is enough, and no less.
  const std::string& message = refused.error().message;
  const std::size_t at = message.find("lower batch to ");
  ASSERT_NE(at, std::string::npos) << message;
  run.train.batch = std::stoi(message.substr(at + 15));
  const ModelConfig config = fit_to_task(run.model, *task);
  EXPECT_TRUE(check_work(config, run.train).ok());
  EXPECT_LE(largest_piece(config, run.train).operations, kLargestPiece);
  ++run.train.batch;
  EXPECT_FALSE(check_work(config, run.train).ok());
}

TEST(WorkSize, EveryPresetStartsOnEveryTask) {
  for (const Preset& preset : all_presets()) {
    for (const TaskEntry& entry : all_tasks()) {
      if (!preset.task.empty() && preset.task != entry.info.name) continue;
      RunConfig run = std::move(default_run(entry.info.name).value());
      const int sequences = run.train.batch * run.train.accumulation;
      ASSERT_TRUE(apply_preset(preset.name, run).ok());
      EXPECT_EQ(run.train.batch * run.train.accumulation, sequences);
      // One task has no data of its own.
      std::string pairs;
      for (int i = 0; i < 60; ++i) pairs += std::to_string(i) + " cats\tthe cat\n";
      const auto task =
          std::move(make_task(run, entry.info.name == "pairs" ? pairs : std::string()).value());
      const Result<RunSizes> sizes = size_up(run, *task, std::size_t{1} << 30);
      EXPECT_TRUE(sizes.ok()) << preset.name << " " << entry.info.name << ": "
                              << (sizes.ok() ? "" : sizes.error().message);
    }
  }
}

// A pause in the middle of a step forgets that step, and it is done again later, to the same bits.
TEST(WorkSize, APauseNeedNotWaitForTheStep) {
  const RunConfig run = small_run();
  const auto trainer = make_trainer(run);
  train(*trainer, 6);
  for (const int pieces : {1, 3, 7, 12, 20}) {
    Driver driver;
    driver.start(small_run());
    driver.step(3);
    driver.settle();
    driver.play();
    for (int i = 0; i < pieces; ++i) driver.session().work(0);
    driver.pause();
    const Snapshot s = driver.settle();
    EXPECT_EQ(s.state, RunState::paused);
    ASSERT_LE(s.moment.step, 5u);
    driver.step(6 - static_cast<int>(s.moment.step));
    EXPECT_EQ(driver.settle().weights_hash, trainer->weights_hash()) << pieces;
  }
}

// In between two pieces everything can be asked for, and nothing of it changes the training.
TEST(WorkSize, LookingInBetweenChangesNothing) {
  for (const Precision precision : {Precision::fp32, Precision::bf16}) {
    RunConfig run = small_run();
    run.train.precision = precision;
    run.train.eval_every = 4;
    run.train.accumulation = 2;
    const auto trainer = make_trainer(run);
    train(*trainer, 10);
    Driver driver;
    driver.watch(kAttention | kSamples | kPositions);
    driver.start(std::move(run), true);
    for (int i = 0; driver.last().moment.step < 10; ++i) {
      driver.session().work(0);
      if (i % 40 == 0) driver.send(TryInput{"abc"});
      driver.take();
    }
    EXPECT_EQ(driver.last().weights_hash, trainer->weights_hash());
  }
}

}  // namespace
}  // namespace tp::test
