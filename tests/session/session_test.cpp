#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "engine/train/trainer.h"
#include "tests/session/session_driver.h"

namespace tp::test {
namespace {

TEST(Session, SaysNothingBeforeItIsAsked) {
  Driver driver;
  EXPECT_TRUE(driver.session().take_snapshot().empty());
  EXPECT_LT(driver.session().work(8), 0);
  driver.play();
  EXPECT_EQ(driver.take().state, RunState::empty);
  EXPECT_FALSE(driver.last().error.empty());
}

// One number for every compiler, every browser and the command line.
TEST(Session, TrainsAsTheTrainerDoes) {
  const auto trainer = make_trainer(first_look());
  train(*trainer, 300);
  Driver driver;
  driver.start(first_look());
  driver.step(300);
  const Snapshot end = driver.settle();
  EXPECT_EQ(end.moment.step, 300u);
  EXPECT_EQ(end.state, RunState::paused);
  EXPECT_EQ(end.weights_hash, trainer->weights_hash());
  const std::vector<std::uint64_t> steps = steps_of(end, "loss");
  ASSERT_EQ(steps.size(), 300u);
  for (std::size_t i = 0; i < 300; ++i) EXPECT_EQ(steps[i], i + 1);
  std::ifstream file(TP_SOURCE_DIR "/tests/session/first_look_300.txt");
  std::uint64_t committed = 0;
  ASSERT_TRUE(file >> std::hex >> committed);
  EXPECT_EQ(end.weights_hash, committed) << std::hex << end.weights_hash;
}

// Without a clock that goes on, it is not known how long a step took.
TEST(Session, TellsHowManyTokensAreReadInASecond) {
  Driver driver;
  driver.start(small_run());
  driver.step(2);
  EXPECT_TRUE(values_of(driver.settle(), "tokens_per_second").empty());
  driver.step(3);
  while (driver.session().work(0) == 0) driver.now += 2;
  const Snapshot& s = driver.take();
  EXPECT_EQ(steps_of(s, "tokens_per_second"), (std::vector<std::uint64_t>{3, 4, 5}));
  for (const double speed : values_of(s, "tokens_per_second")) {
    EXPECT_GT(speed, 10);
    EXPECT_LT(speed, 1e6);
  }
}

TEST(Session, TheFirstSnapshotSaysWhatTheRunIs) {
  Driver driver;
  driver.watch(kAttention | kSamples);
  driver.start(small_run());
  const Snapshot s = driver.settle();
  EXPECT_EQ(s.state, RunState::paused);
  EXPECT_EQ(s.run, 1u);
  EXPECT_EQ(s.task, "reverse");
  EXPECT_EQ(s.vocabulary, 12);
  EXPECT_EQ(s.known_words.size(), 9u);
  EXPECT_GT(s.parameters, 1000u);
  EXPECT_GT(s.bytes, 16 * s.parameters);
  EXPECT_GT(s.flops, 1e4);
  EXPECT_EQ(s.total_steps, 40u);
  EXPECT_EQ(steps_of(s, "heldout_loss"), std::vector<std::uint64_t>{0});
  ASSERT_EQ(s.samples.size(), 6u);
  ASSERT_TRUE(s.example.has_value());
  const std::size_t length = s.example->source.size();
  EXPECT_EQ(s.example->written.size(), length + 1);
  EXPECT_EQ(s.example->read.size(), length + 1);
  EXPECT_EQ(s.example->written.back(), "<eos>");
  EXPECT_EQ(s.example->written.front(), s.example->source.back());
  ASSERT_EQ(s.tensors.size(), 12u);  // 2 heads of 2 encoder, 2 decoder and 2 cross layers
  const WatchedTensor& map = s.tensors.back();
  EXPECT_EQ(map.path, "decoder.1.cross_attn.head.1.weights");
  EXPECT_EQ(map.row_axis, AxisKind::target_token);
  EXPECT_EQ(map.column_axis, AxisKind::source_token);
  EXPECT_EQ(map.rows, static_cast<int>(length) + 1);
  EXPECT_EQ(map.columns, static_cast<int>(length));
  ASSERT_TRUE(map.reading.has_value());
  EXPECT_FALSE(std::isnan(map.reading->on_target));
  EXPECT_TRUE(std::isnan(s.tensors.front().reading->on_target));
  for (int row = 0; row < map.rows; ++row) {
    double sum = 0;
    for (int c = 0; c < map.columns; ++c) sum += double{map.values[row * map.columns + c]};
    EXPECT_NEAR(sum, 1, 1e-5);
  }
  ASSERT_EQ(s.stills.size(), 1u);
}

TEST(Session, StepsOncePausesAndPlays) {
  Driver driver;
  driver.start(small_run());
  driver.settle();
  driver.step();
  Snapshot s = driver.settle();
  EXPECT_EQ(s.moment.step, 1u);
  EXPECT_EQ(s.state, RunState::paused);
  driver.play();
  EXPECT_EQ(driver.take().state, RunState::running);
  driver.run_to(4);
  driver.pause();
  const std::uint64_t there = driver.settle().moment.step;
  EXPECT_LT(driver.session().work(8), 0);
  EXPECT_EQ(driver.take().moment.step, there);
  EXPECT_EQ(driver.last().state, RunState::paused);
}

TEST(Session, KeepsThePace) {
  Driver driver;
  driver.start(small_run(), false);
  driver.settle();
  driver.pace(10);
  driver.play();
  EXPECT_EQ(driver.settle().moment.step, 1u);
  EXPECT_NEAR(driver.session().work(8), 100, 1e-6);
  driver.now += 99;
  EXPECT_EQ(driver.settle().moment.step, 1u);
  driver.now += 1;
  EXPECT_EQ(driver.settle().moment.step, 2u);
  // Late once, and not in a hurry afterwards.
  driver.now += 1000;
  EXPECT_LE(driver.settle().moment.step, 4u);
  for (int i = 0; i < 10; ++i) {
    driver.now += 100;
    driver.settle();
  }
  EXPECT_NEAR(driver.last().steps_per_second, 10, 2);
  driver.pace(0);
  driver.run_to(40);
  EXPECT_EQ(driver.settle().state, RunState::finished);
}

TEST(Session, OnlyWhatIsWatchedIsCopied) {
  Driver driver;
  driver.start(small_run());
  Snapshot s = driver.settle();
  EXPECT_TRUE(s.tensors.empty());
  EXPECT_TRUE(s.stills.empty());
  EXPECT_TRUE(s.samples.empty());
  driver.watch(kAttention);
  s = driver.settle();
  EXPECT_FALSE(s.tensors.empty());
  EXPECT_TRUE(s.samples.empty());
  driver.watch(kSamples);
  EXPECT_FALSE(driver.settle().samples.empty());
}

TEST(Session, StopsWhenItIsSolved) {
  Driver driver;
  driver.start(quick_run(), true);
  Snapshot s = driver.run_to(1000);
  ASSERT_EQ(s.state, RunState::solved);
  EXPECT_LT(s.moment.step, 600u);
  const std::vector<double> exact = values_of(s, "heldout_exact");
  for (std::size_t i = exact.size() - 3; i < exact.size(); ++i) EXPECT_GE(exact[i], 0.99);
  EXPECT_LT(exact[exact.size() - 4], 0.99);
  EXPECT_GT(values_of(s, "heldout_alignment").back(), 0.8);
  EXPECT_EQ(s.events.back().name, "solved");
  driver.play();  // it stops for that once
  s = driver.run_to(1000);
  EXPECT_EQ(s.state, RunState::finished);
  EXPECT_EQ(s.moment.step, 600u);
  driver.play();
  s = driver.settle();
  EXPECT_EQ(s.state, RunState::finished);
  EXPECT_FALSE(s.error.korean.empty());
}

}  // namespace
}  // namespace tp::test
