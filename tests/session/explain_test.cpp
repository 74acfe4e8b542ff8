// Where a number of the example shown came from, asked of a session.

#include <gtest/gtest.h>

#include "tests/session/session_driver.h"

namespace tp::test {
namespace {

constexpr const char* kWeights = "decoder.0.cross_attn.head.1.weights";

Explained explained(Driver& driver, Explain what) {
  const std::uint32_t id = driver.send(std::move(what));
  const Snapshot s = driver.settle();
  TP_CHECK(s.explained.has_value(), "an answer");
  EXPECT_EQ(s.explained->id, id);
  return *s.explained;
}

TEST(Explained, IsOfTheMomentAndOfTheTensorShown) {
  Driver driver;
  driver.start(small_run());
  driver.send(Watch{.paths = {{kWeights}, {"decoder.0.cross_attn.head.1.d_weights"}}});
  for (int steps = 0; steps < 2; ++steps) {
    driver.step(3);
    const Snapshot before = driver.settle();
    const Explained answer = explained(driver, {kWeights, 1, 2});
    const Snapshot& s = driver.last();
    EXPECT_TRUE(answer.problem.empty());
    EXPECT_EQ(answer.moment, s.moment);
    EXPECT_EQ(answer.example, s.example->index);
    const Explanation& e = answer.explanation;
    EXPECT_EQ(e.path, kWeights);
    const WatchedTensor& shown = *find_tensor(s, kWeights);
    EXPECT_EQ(e.value, shown.values[static_cast<std::size_t>(shown.columns) + 2]);
    EXPECT_EQ(evaluate(e), e.value);
    const WatchedTensor& d_shown = *find_tensor(s, "decoder.0.cross_attn.head.1.d_weights");
    EXPECT_EQ(e.gradient, d_shown.values[static_cast<std::size_t>(shown.columns) + 2]);
    // What is watched stays as it was.
    EXPECT_EQ(shown.values, find_tensor(before, kWeights)->values);
  }
}

TEST(Explained, ParametersHaveGradients) {
  Driver driver;
  driver.start(small_run());
  const Explained answer = explained(driver, {"decoder.layers.0.linear1.weight", 3, 4});
  EXPECT_EQ(answer.explanation.operation, "parameter");
  ASSERT_TRUE(answer.explanation.gradient.has_value());
  EXPECT_NE(*answer.explanation.gradient, 0);
}

TEST(Explained, SaysWhatIsThereInstead) {
  Driver driver;
  driver.start(small_run());
  const Explained path = explained(driver, {"decoder.0.cross_attn.head.1.weight"});
  EXPECT_NE(path.problem.english.find(kWeights), std::string::npos) << path.problem.english;
  EXPECT_NE(path.problem.korean.find(kWeights), std::string::npos);
  EXPECT_TRUE(path.explanation.path.empty());
  const Explained cell = explained(driver, {kWeights, 0, 1000});
  EXPECT_NE(cell.problem.english.find("columns 0 to "), std::string::npos) << cell.problem.english;
}

// A snapshot that is taken before the question is answered looks at the example, too.
TEST(Explained, ASnapshotInBetweenDoesNotHurt) {
  Driver driver;
  driver.start(small_run());
  driver.watch(kAttention);
  driver.settle();
  driver.step(1);
  const std::uint32_t id = driver.send(Explain{kWeights, 1, 2, true});
  driver.take();
  const Snapshot s = driver.settle();
  ASSERT_TRUE(s.explained.has_value());
  EXPECT_EQ(s.explained->id, id);
  const Explanation& e = s.explained->explanation;
  EXPECT_NEAR(*e.finite_difference, *e.gradient, 1e-4);
}

TEST(Explained, WithoutARunThereIsNothing) {
  Driver driver;
  driver.send(Explain{kWeights});
  const Snapshot s = driver.settle();
  EXPECT_FALSE(s.explained.has_value());
  EXPECT_FALSE(s.error.empty());
}

// A question in the middle of a step, and of stages of a look, changes no bit of the training.
TEST(Explained, TrainingKeepsItsBits) {
  Driver asked, plain;
  for (Driver* driver : {&asked, &plain}) {
    driver->start(small_run());
    driver->watch(kAttention);
    driver->step(8);
  }
  for (int i = 0; i < 200; ++i) {
    if (i % 7 == 0) asked.send(Explain{kWeights, 0, i % 3, i % 2 == 0});
    asked.session().work(0);
  }
  EXPECT_EQ(asked.settle().weights_hash, plain.settle().weights_hash);
  EXPECT_TRUE(asked.last().explained.has_value());
}

}  // namespace
}  // namespace tp::test
