// The time machine: going back, growing branches, and how the memory is kept small.

#include <gtest/gtest.h>

#include "engine/session/history.h"
#include "tests/session/session_driver.h"

namespace tp::test {
namespace {

std::uint64_t straight_hash(const RunConfig& run, int steps) {
  const auto trainer = make_trainer(run);
  train(*trainer, steps);
  return trainer->weights_hash();
}

void rewind(Driver& driver, int branch, std::uint64_t step) { driver.send(Rewind{branch, step}); }

TEST(Past, GoingBackAndOnGivesTheSameBits) {
  for (const Precision precision : {Precision::fp32, Precision::bf16}) {
    RunConfig run = small_run();
    run.train.precision = precision;
    run.train.dropout = 0.1;
    run.train.eval_every = 7;
    const std::uint64_t at_10 = straight_hash(run, 10), at_30 = straight_hash(run, 30);
    Driver driver;
    driver.watch(kAttention | kSamples);
    driver.start(std::move(run));
    driver.step(30);
    EXPECT_EQ(driver.settle().weights_hash, at_30);
    rewind(driver, 0, 11);
    Snapshot s = driver.settle();
    EXPECT_EQ(s.moment, (Moment{0, 10}));
    EXPECT_EQ(s.weights_hash, at_10);
    EXPECT_EQ(s.branches.size(), 1u);
    EXPECT_EQ(s.samples.size(), 6u);
    driver.step(20);
    s = driver.settle();
    EXPECT_EQ(s.weights_hash, at_30);
    EXPECT_EQ(s.moment, (Moment{1, 30}));
    ASSERT_EQ(s.branches.size(), 2u);
    EXPECT_EQ(s.branches[1].parent, 0);
    EXPECT_EQ(s.branches[1].first_step, 10u);
    EXPECT_EQ(s.branches[1].last_step, 30u);
  }
}

TEST(Past, WhatWasLeftIsStillThere) {
  Driver driver;
  driver.start(small_run());
  driver.step(23);
  const std::uint64_t newest = driver.settle().weights_hash;
  rewind(driver, 0, 0);
  EXPECT_EQ(driver.settle().moment, (Moment{0, 0}));
  rewind(driver, 0, 1000);
  Snapshot s = driver.settle();
  EXPECT_EQ(s.moment, (Moment{0, 23}));
  EXPECT_EQ(s.weights_hash, newest);
  driver.step();  // from the newest moment of a branch it goes on growing
  s = driver.settle();
  EXPECT_EQ(s.moment, (Moment{0, 24}));
  EXPECT_EQ(s.branches.size(), 1u);
}

TEST(Past, BranchesGrowFromBranches) {
  Driver driver;
  driver.watch(kAttention);
  RunConfig run = small_run();
  run.train.steps = 400;
  driver.start(std::move(run));
  driver.step(110);
  driver.settle();
  rewind(driver, 0, 50);
  driver.send(Retune{R"({"learning_rate": 0.001})"});
  driver.step(40);
  Snapshot s = driver.settle();
  EXPECT_EQ(s.moment, (Moment{1, 90}));
  // The stills of the line that is shown: those before the fork, and its own.
  std::vector<Moment> stills;
  for (const Still& still : s.stills) stills.push_back(still.moment);
  EXPECT_EQ(stills, (std::vector<Moment>{{0, 0}, {0, 25}, {0, 50}, {1, 75}}));
  // The change belongs to the branch that it was made for.
  ASSERT_EQ(s.events.size(), 2u);
  EXPECT_EQ(s.events[0].kind, EventKind::rewound);
  EXPECT_EQ(s.events[1].name, "learning_rate");
  EXPECT_EQ(s.events[1].step, 50u);
  EXPECT_EQ(s.events[1].before, "0.002");
  // Of branch 1 and before it began, what it grew from.
  rewind(driver, 1, 26);
  EXPECT_EQ(driver.settle().moment, (Moment{0, 25}));
  rewind(driver, 1, 76);
  EXPECT_EQ(driver.settle().moment, (Moment{1, 75}));
  driver.step();
  s = driver.settle();
  EXPECT_EQ(s.moment, (Moment{2, 76}));
  EXPECT_EQ(s.branches[2].parent, 1);
  rewind(driver, 7, 0);
  s = driver.settle();
  EXPECT_FALSE(s.error.korean.empty());
  EXPECT_EQ(s.moment, (Moment{2, 76}));
}

// Points that nobody has taken when a branch is left come before it is left.
TEST(Past, PointsGoWithTheirBranch) {
  Driver driver;
  driver.start(small_run());
  driver.settle();
  driver.step(20);
  while (driver.session().work(0) == 0) {
  }
  rewind(driver, 0, 5);
  driver.step(3);
  while (driver.session().work(0) == 0) {
  }
  const Snapshot first = decode_snapshot(driver.session().take_snapshot()).value();
  EXPECT_EQ(first.moment, (Moment{0, 20}));
  EXPECT_EQ(steps_of(first, "loss").size(), 20u);
  Snapshot second = decode_snapshot(driver.session().take_snapshot()).value();
  EXPECT_EQ(second.moment, (Moment{1, 8}));
  EXPECT_TRUE(second.series_names.empty());  // told before
  second.series_names = first.series_names;
  ASSERT_EQ(steps_of(second, "loss").size(), 3u);
  EXPECT_EQ(steps_of(second, "loss")[0], 6u);
  EXPECT_TRUE(driver.session().take_snapshot().empty());
}

// With the weights that the passes of the run work with, whatever its precision.
TEST(Past, AnotherExampleChangesTheStillsToo) {
  for (const Precision precision : {Precision::fp32, Precision::bf16, Precision::fp16}) {
    Driver driver;
    driver.watch(kAttention);
    RunConfig run = small_run();
    run.train.precision = precision;
    driver.start(std::move(run));
    driver.step(30);
    const Snapshot before = driver.settle();
    driver.send(ChooseExample{3});
    const Snapshot after = driver.settle();
    EXPECT_EQ(after.weights_hash, before.weights_hash);
    EXPECT_EQ(after.example->index, 3);
    ASSERT_EQ(after.stills.size(), before.stills.size());
    EXPECT_NE(after.stills[0].weights, before.stills[0].weights);
    driver.send(ChooseExample{0});
    const Snapshot again = driver.settle();
    ASSERT_EQ(again.stills.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(again.stills[i].moment, before.stills[i].moment);
      EXPECT_EQ(again.stills[i].weights, before.stills[i].weights) << static_cast<int>(precision);
    }
    EXPECT_EQ(again.tensors.back().values, before.tensors.back().values);
  }
}

// Each still is work of its own: commands are heard in between.
TEST(Past, StillsAreRetakenOneAfterAnother) {
  Driver driver;
  driver.watch(kAttention);
  driver.start(small_run());
  driver.step(30);
  driver.settle();
  driver.send(ChooseExample{3});
  EXPECT_TRUE(driver.session().take_snapshot().empty()) << "the work was done at once";
  int pieces = 0;
  for (std::vector<std::byte> bytes; bytes.empty() && pieces < 100; ++pieces) {
    driver.session().work(0);
    bytes = driver.session().take_snapshot();
  }
  EXPECT_GE(pieces, 2);
}

// ----------------------------------------------------------------------------- the memory of it

class Memory : public ::testing::Test {
 protected:
  std::unique_ptr<Trainer> trainer = make_trainer(small_run());
  std::size_t size = 3 * sizeof(float) * trainer->model().parameters().count();
};

TEST_F(Memory, IsNeverMoreThanItsLimit) {
  History history(10 * size);
  EXPECT_TRUE(history.keep({0, 0}, History::Reason::beginning, *trainer));
  EXPECT_TRUE(history.keep({0, 25}, History::Reason::still, *trainer));
  for (std::uint64_t step = 1; step <= 2000; ++step) {
    if (step != 25) history.keep({0, step}, History::Reason::ordinary, *trainer);
    ASSERT_LE(history.bytes(), 10 * size);
  }
  EXPECT_TRUE(history.has({0, 0}));
  EXPECT_TRUE(history.has({0, 25}));
  std::vector<Moment> moments = history.moments();
  EXPECT_GE(moments.size(), 6u);
  // Evenly: no two neighbours are further apart than twice the others.
  std::ranges::sort(moments, {}, &Moment::step);
  for (std::size_t i = 3; i < moments.size(); ++i) {
    EXPECT_LE(moments[i].step - moments[i - 1].step, 640u);
    EXPECT_GE(moments[i].step - moments[i - 1].step, 160u);
  }
  EXPECT_GT(moments.back().step, 1200u);
}

TEST_F(Memory, MakesRoomForTheNewestAndNotForWhatIsGoneBackTo) {
  History history(3 * size);
  history.keep({0, 0}, History::Reason::beginning, *trainer);
  history.keep({0, 25}, History::Reason::still, *trainer);
  history.keep({0, 50}, History::Reason::still, *trainer);
  EXPECT_FALSE(history.keep({0, 75}, History::Reason::still, *trainer));
  history.protect({0, 25});
  EXPECT_TRUE(history.keep({0, 99}, History::Reason::head, *trainer));
  EXPECT_TRUE(history.has({0, 0}));
  EXPECT_TRUE(history.has({0, 25}));
  EXPECT_FALSE(history.has({0, 50}));
}

TEST_F(Memory, TooSmallForTwoKeepsNothing) {
  History history(2 * size - 1);
  EXPECT_FALSE(history.keep({0, 0}, History::Reason::beginning, *trainer));
  EXPECT_EQ(history.bytes(), 0u);
  // And a session says so.
  Driver driver({.now = {}, .history_limit = 1000});
  driver.start(small_run());
  driver.step(3);
  driver.settle();
  driver.send(Rewind{0, 0});
  const Snapshot s = driver.settle();
  EXPECT_EQ(s.moment.step, 3u);  // the nearest there is
  EXPECT_TRUE(s.kept.empty());
  EXPECT_EQ(s.history_limit, 1000u);
}

TEST_F(Memory, GivesBackEveryBit) {
  History history(10 * size);
  train(*trainer, 5);
  const TrainerState state = trainer->state();
  const std::uint64_t hash = trainer->weights_hash();
  ASSERT_TRUE(history.keep({0, 5}, History::Reason::ordinary, *trainer));
  train(*trainer, 5);
  EXPECT_NE(trainer->weights_hash(), hash);
  history.restore({0, 5}, *trainer);
  EXPECT_EQ(trainer->weights_hash(), hash);
  EXPECT_EQ(trainer->state(), state);
}

}  // namespace
}  // namespace tp::test
