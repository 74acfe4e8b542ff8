#include "engine/train/checkpoint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "engine/core/rng.h"
#include "engine/io/parameters_file.h"
#include "engine/train/checkpoint_folder.h"
#include "tests/subjects/small_run.h"
#include "tests/subjects/temporary_folder.h"

namespace tp::test {
namespace {

namespace fs = std::filesystem;

using Checkpoint = TemporaryFolder;

// Everything that has state: dropout, a finite training set, accumulation.
RunConfig run_with_state() {
  RunConfig run = small_run();
  run.train.dropout = 0.1;
  run.train.train_size = 50;
  run.train.accumulation = 2;
  run.train.batch = 4;
  return run;
}

TEST_F(Checkpoint, KStepsAndTheRestGiveTheHashOfAllSteps) {
  constexpr int kSteps = 24;
  for (const Precision precision : {Precision::fp32, Precision::fp16}) {
    RunConfig run = run_with_state();
    run.train.precision = precision;
    const std::string config = json_of(run);
    const auto straight = make_trainer(run);
    train(*straight, kSteps);
    Rng rng(5);
    for (int i = 0; i < 20; ++i) {
      const int k = static_cast<int>(rng.below(kSteps + 1));
      const auto first = make_trainer(run), second = make_trainer(run);
      train(*first, k);
      ASSERT_TRUE(save_checkpoint(path("c"), *first, config).ok());
      const auto file = Safetensors::read(path("c"));
      ASSERT_TRUE(file.ok());
      const Status loaded = load_checkpoint(file.value(), config, *second);
      ASSERT_TRUE(loaded.ok()) << loaded.error().message;
      EXPECT_EQ(second->state(), first->state());
      train(*second, kSteps - k);
      EXPECT_EQ(second->weights_hash(), straight->weights_hash()) << "after " << k;
    }
  }
}

TEST_F(Checkpoint, WithoutMomentsOrCursorTheHashWouldDiffer) {
  const RunConfig run = run_with_state();
  const auto straight = make_trainer(run), forgetful = make_trainer(run), lost = make_trainer(run);
  train(*straight, 10);
  for (Trainer* t : {forgetful.get(), lost.get()}) train(*t, 5);
  std::ranges::fill(forgetful->model().parameters().first_moments(), 0.0f);
  TrainerState state = lost->state();
  state.examples = 0;
  lost->restore(state);
  train(*forgetful, 5);
  train(*lost, 5);
  EXPECT_NE(forgetful->weights_hash(), straight->weights_hash());
  EXPECT_NE(lost->weights_hash(), straight->weights_hash());
}

TEST_F(Checkpoint, AnotherConfigurationIsRefusedAndNothingIsTouched) {
  RunConfig run = small_run();
  const auto trainer = make_trainer(run);
  train(*trainer, 2);
  ASSERT_TRUE(save_checkpoint(path("c"), *trainer, json_of(run)).ok());
  run.train.learning_rate = 0.5;
  const auto other = make_trainer(run);
  const std::uint64_t hash = other->weights_hash();
  const auto file = Safetensors::read(path("c"));
  ASSERT_TRUE(file.ok());
  const Status refused = load_checkpoint(file.value(), json_of(run), *other);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("\"learning_rate\": 0.002 there"), std::string::npos)
      << refused.error().message;
  EXPECT_EQ(other->weights_hash(), hash);
  EXPECT_EQ(other->state().steps, 0u);
  EXPECT_FALSE(load_checkpoint(file.value(), "", *other).ok());
}

TEST_F(Checkpoint, ALongerRunGoesOnWhereTheScheduleAllowsIt) {
  for (const bool looks_ahead : {false, true}) {
    RunConfig run = small_run();
    run.train.schedule = looks_ahead ? ScheduleKind::cosine : ScheduleKind::inverse_square_root;
    const auto trainer = make_trainer(run);
    train(*trainer, 2);
    ASSERT_TRUE(save_checkpoint(path("c"), *trainer, json_of(run)).ok());
    const auto file = Safetensors::read(path("c"));
    run.train.steps += 10;
    const auto longer = make_trainer(run);
    EXPECT_EQ(load_checkpoint(file.value(), json_of(run), *longer).ok(), !looks_ahead);
    run.train.learning_rate = 0.5;
    EXPECT_FALSE(load_checkpoint(file.value(), json_of(run), *longer).ok());
  }
}

TEST_F(Checkpoint, TheLastFewAreKeptAndADamagedOneIsPassedOver) {
  RunConfig run = small_run();
  const std::string config = json_of(run);
  const CheckpointFolder checkpoints(folder(), 3);
  const auto trainer = make_trainer(run);
  EXPECT_FALSE(checkpoints.resume(config, *trainer).ok());
  std::ofstream(path("checkpoint-notes.txt")) << "mine";
  std::uint64_t hash_before_last = 0;
  for (int i = 0; i < 5; ++i) {
    hash_before_last = trainer->weights_hash();
    train(*trainer, 1);
    ASSERT_TRUE(checkpoints.save(*trainer, config).ok());
  }
  ASSERT_EQ(checkpoints.list().size(), 3u);
  EXPECT_TRUE(checkpoints.list().back().ends_with("checkpoint-00000005.safetensors"));
  EXPECT_TRUE(fs::exists(path("checkpoint-notes.txt")));

  const auto resumed = make_trainer(run);
  ASSERT_TRUE(checkpoints.resume(config, *resumed).ok());
  EXPECT_EQ(resumed->weights_hash(), trainer->weights_hash());
  EXPECT_EQ(resumed->state().steps, 5u);

  fs::resize_file(checkpoints.list().back(), 1000);
  const auto unreadable = checkpoints.resume(config, *resumed);
  ASSERT_TRUE(unreadable.ok());
  ASSERT_EQ(unreadable.value().size(), 1u);
  EXPECT_NE(unreadable.value()[0].message.find("checkpoint-00000005"), std::string::npos);
  EXPECT_EQ(resumed->weights_hash(), hash_before_last);
  EXPECT_EQ(resumed->state().steps, 4u);
}

TEST_F(Checkpoint, WeightsAloneAreAdoptedAndWhatDoesNotFitIsNamed) {
  RunConfig run = small_run();
  const auto trainer = make_trainer(run);
  train(*trainer, 2);
  ASSERT_TRUE(save_parameters(path("w"), trainer->model().parameters()).ok());
  const auto file = Safetensors::read(path("w"));
  ASSERT_TRUE(file.ok());

  const auto same = make_trainer(run);
  const auto all = adopt_weights(file.value(), same->model().parameters());
  ASSERT_TRUE(all.ok());
  EXPECT_TRUE(all.value().left_out.empty());
  EXPECT_TRUE(all.value().unused.empty());
  EXPECT_EQ(same->weights_hash(), trainer->weights_hash());
  EXPECT_FALSE(load_checkpoint(file.value(), json_of(run), *same).ok());

  run.model.decoder_layers = 1;
  run.model.d_ff = 48;
  const auto other = make_trainer(run);
  const auto some = adopt_weights(file.value(), other->model().parameters());
  ASSERT_TRUE(some.ok());
  EXPECT_EQ(some.value().left_out.size(), 3u * 3u);  // linear1 with its bias, linear2's weight
  EXPECT_EQ(some.value().left_out.front(),
            "'encoder.layers.0.linear1.weight' is [32, 16] there, [48, 16] here");
  EXPECT_EQ(some.value().unused.size(), 18u);  // the second decoder layer

  run.model.d_model = 20;
  ASSERT_TRUE(set_by_name(run.task_parameters->properties(), "symbols", "10").ok());
  const auto stranger = make_trainer(run);
  EXPECT_FALSE(adopt_weights(file.value(), stranger->model().parameters()).ok());
}

}  // namespace
}  // namespace tp::test
