#include "engine/train/schedule.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/train/config.h"

namespace tp {
namespace {

TEST(Schedule, ThePapersFormulaHasTheLessonsFigures) {
  const Schedule schedule{
      .kind = ScheduleKind::inverse_square_root, .peak = paper_peak(512, 4000), .warmup = 4000};
  EXPECT_NEAR(schedule.rate(1000), 1.74693e-4, 5e-10);
  EXPECT_NEAR(schedule.rate(4000), 6.98771e-4, 5e-10);
  EXPECT_NEAR(schedule.rate(8000), 4.94106e-4, 5e-10);
  for (int step : {1, 2, 999, 4000, 4001, 100'000}) {
    const double paper =
        std::pow(512, -0.5) * std::min(std::pow(step, -0.5), step * std::pow(4000, -1.5));
    EXPECT_NEAR(schedule.rate(static_cast<std::uint64_t>(step)), paper, 1e-12 * paper);
  }
}

TEST(Schedule, ARateOfZeroAsksForThePapers) {
  TrainConfig config;
  config.schedule = ScheduleKind::inverse_square_root;
  config.learning_rate = 0;
  config.warmup = 4000;
  EXPECT_NEAR(config.schedule_for(512).rate(4000), 6.98771e-4, 5e-10);
  config.schedule = ScheduleKind::cosine;
  EXPECT_FALSE(validate(config).ok());
}

TEST(Schedule, TheCosineRisesForTheWarmupAndEndsAtFivePercent) {
  const Schedule schedule{.peak = 2e-3, .warmup = 100, .steps = 400};
  EXPECT_DOUBLE_EQ(schedule.rate(1), 2e-5);
  EXPECT_DOUBLE_EQ(schedule.rate(50), 1e-3);
  EXPECT_DOUBLE_EQ(schedule.rate(100), 2e-3);
  EXPECT_NEAR(schedule.rate(250), 2e-3 * (0.05 + 0.95 / 2), 1e-15);  // half way down
  EXPECT_NEAR(schedule.rate(400), 1e-4, 1e-15);
  EXPECT_NEAR(schedule.rate(5000), 1e-4, 1e-15);
  for (std::uint64_t step = 101; step < 400; ++step) {
    EXPECT_LT(schedule.rate(step + 1), schedule.rate(step));
  }
}

TEST(Schedule, AConstantIsConstantAndAWarmupMayBeLeftOut) {
  EXPECT_EQ((Schedule{.kind = ScheduleKind::constant, .peak = 0.5}.rate(1)), 0.5);
  EXPECT_EQ((Schedule{.kind = ScheduleKind::constant, .peak = 0.5}.rate(12345)), 0.5);
  EXPECT_EQ((Schedule{.peak = 0.5, .warmup = 0, .steps = 10}.rate(1)), 0.5);
  EXPECT_NEAR((Schedule{.peak = 0.5, .warmup = 100, .steps = 10}.rate(10)), 0.05, 1e-15);
}

TEST(TrainConfig, EpochsOfAFiniteSetDecideTheSteps) {
  TrainConfig config;
  config.steps = 7;
  EXPECT_EQ(config.total_steps(), 7);
  config.train_size = 100;
  EXPECT_EQ(config.total_steps(), 7);
  config.epochs = 3;
  config.batch = 16;
  config.accumulation = 2;
  EXPECT_EQ(config.total_steps(), 10);  // 300 examples by 32, the last batch runs over
  config.train_size = 0;
  EXPECT_FALSE(validate(config).ok());
}

}  // namespace
}  // namespace tp
