#include <gtest/gtest.h>

#include "tests/subjects/small_run.h"

// The recipes learn: not that the loss falls, but that what is written for sources that were never
// seen is right.

namespace tp::test {
namespace {

// The preset that a visitor sees first: some head looks where it should, and the answers are right.
TEST(Recipe, FirstLookFindsTheDiagonalWithin400Steps) {
  RunConfig run = std::move(default_run("reverse").value());
  ASSERT_TRUE(apply_preset("first-look", run).ok());
  const auto trainer = make_trainer(run);
  ASSERT_EQ(trainer->total_steps(), 400);
  EXPECT_LT(trainer->evaluate().best_head_alignment(), 0.3);
  while (!trainer->finished()) ASSERT_TRUE(trainer->step().ok());
  const Evaluation exam = trainer->evaluate();
  EXPECT_GE(exam.best_head_alignment(), 0.95);
  EXPECT_GE(*exam.exact, 0.99);
}

// The default recipe on a smaller task of the same kind, so that it takes seconds.
void expect_learns(std::string_view task) {
  RunConfig run = std::move(default_run(task).value());
  ASSERT_TRUE(set_by_name(run.task_parameters->properties(), "max_length", "6").ok());
  ASSERT_TRUE(set_by_name(run.task_parameters->properties(), "symbols", "12").ok());
  run.model.d_model = 32;
  run.model.d_ff = 64;
  run.model.encoder_layers = run.model.decoder_layers = 1;
  run.train.batch = 32;
  run.train.steps = 1000;
  run.train.learning_rate = 4e-3;
  const auto trainer = make_trainer(run);
  while (!trainer->finished()) ASSERT_TRUE(trainer->step().ok());
  EXPECT_GE(*trainer->evaluate().exact, 0.99);
}

TEST(Recipe, LearnsToCopy) { expect_learns("copy"); }
TEST(Recipe, LearnsToReverse) { expect_learns("reverse"); }

}  // namespace
}  // namespace tp::test
