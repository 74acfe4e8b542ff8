#include <gtest/gtest.h>

#include <functional>

#include "tests/subjects/small_run.h"

// The quickest learners, as shipped: a visitor who chooses the task and nothing else sees this.
// Each stops when its goal is reached; learn_all has all tasks at five seeds, to their ends. Too
// slow for sanitizers and node, so a program of its own.

namespace tp::test {
namespace {

using Goal = std::function<bool(const Evaluation&)>;

// The first exam that reaches the goal, or the last one.
Evaluation learn(RunConfig run, int exam_every, const Goal& goal) {
  run.train.eval_size = 300;
  const auto trainer = make_trainer(run);
  Evaluation exam;
  while (!trainer->finished()) {
    train(*trainer, exam_every);
    exam = trainer->evaluate();
    if (goal(exam)) break;
  }
  std::printf("%s: %d steps of %d\n", run.task.c_str(), static_cast<int>(trainer->state().steps),
              trainer->total_steps());
  return exam;
}

RunConfig shipped(std::string_view task) { return std::move(default_run(task).value()); }

TEST(Defaults, ForecastBeatsTomorrowIsLikeToday) {
  const auto goal = [](const Evaluation& exam) { return exam.metric < 0.8 * *exam.baseline; };
  EXPECT_TRUE(goal(learn(shipped("forecast"), 50, goal)));
}

TEST(Defaults, TranslateLearnsItsSentences) {
  const auto goal = [](const Evaluation& exam) { return *exam.exact >= 0.99; };
  EXPECT_TRUE(goal(learn(shipped("translate"), 50, goal)));
}

TEST(Defaults, ShapesAreTold) {
  const auto goal = [](const Evaluation& exam) { return *exam.exact >= 0.97; };
  EXPECT_TRUE(goal(learn(shipped("shapes"), 50, goal)));
}

}  // namespace
}  // namespace tp::test
