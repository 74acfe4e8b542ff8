#include "imgui_app/model/diagnosis.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/subjects/series_points.h"

namespace tp::ui {
namespace {

using Course = std::function<double(int step)>;

// A run of first-look up to `steps`, with these courses.
struct Told {
  int steps;
  Course loss, heldout, exact;
  RunState state = RunState::running;
  const char* task = "reverse";
};

RunView run_of(const Told& told) {
  Snapshot s;
  s.run = 1;
  s.task = told.task;
  s.vocabulary = 32;  // ln 32 = 3.47
  s.state = told.state;
  s.total_steps = 400;
  s.moment = {0, static_cast<std::uint64_t>(told.steps)};
  for (int step = 1; step <= told.steps; ++step) {
    const auto at = static_cast<std::uint64_t>(step);
    // Batches differ: a loss is never smooth.
    const double noise = 0.05 * std::sin(7.0 * step);
    test::add_row(s, at, {{"loss", told.loss(step) * (1 + noise)}});
    if (step % 10 == 0) {
      test::add_row(s, at,
                    {{"heldout_loss", told.heldout(step)}, {"heldout_exact", told.exact(step)}});
    }
  }
  RunView view;
  view.take(std::move(s));
  return view;
}

RunSettings settings_with(const SettingValues& changes, const char* task = "reverse",
                          const char* preset = "first-look") {
  RunSettings settings(task, preset);
  const Properties table = settings.all_properties();
  for (const auto& [name, value] : changes) {
    EXPECT_EQ(set_property(*find_property(table, name), value), PropertyProblem::kNone) << name;
  }
  return settings;
}

Diagnosis diagnosed(const Told& told, const SettingValues& changes = {}) {
  return diagnose(run_of(told), settings_with(changes), RunSettings("reverse", "first-look"));
}

Course flat(double value) {
  return [=](int) { return value; };
}
Course falling(double from, double to, double over) {
  return [=](int step) { return to + (from - to) * std::exp(-step / over); };
}

TEST(Diagnosis, ARunThatLearnsHasNothingTheMatter) {
  const Told good = {0, falling(3.5, 0.02, 60), falling(3.5, 0.02, 60),
                     [](int step) { return std::min(0.98, step / 300.0); }};
  for (int steps = 1; steps < 400; steps += 7) {
    Told told = good;
    told.steps = steps;
    EXPECT_EQ(diagnosed(told).matter, Matter::nothing) << steps;
  }
  EXPECT_EQ(diagnose(RunView(), RunSettings("reverse", "first-look"),
                     RunSettings("reverse", "first-look"))
                .matter,
            Matter::nothing);
}

TEST(Diagnosis, ALossThatRoseAndStayedIsARateTooHigh) {
  const Course rose = [](int step) { return step < 60 ? 3.5 - 0.02 * step : 3.6; };
  const Told told = {400, rose, rose, flat(0), RunState::finished};
  const Diagnosis diagnosis = diagnosed(told, {{"learning_rate", "0.02"}});
  EXPECT_EQ(diagnosis.matter, Matter::rate_too_high);
  ASSERT_TRUE(diagnosis.remedy.has_value());
  EXPECT_EQ(diagnosis.remedy->changes, (SettingValues{{"learning_rate", "0.002"}}));
  EXPECT_TRUE(diagnosis.remedy->restart);
  // With the preset's own rate, a third of it.
  EXPECT_EQ(diagnosed(told).remedy->value, "0.00067");
}

TEST(Diagnosis, GuessingForeverAtAHighRateIsARateTooHigh) {
  const Told told = {150, flat(3.4), flat(3.4), flat(0)};
  EXPECT_EQ(diagnosed(told, {{"learning_rate", "0.1"}}).matter, Matter::rate_too_high);
  EXPECT_NE(diagnosed(told).matter, Matter::rate_too_high);
  EXPECT_EQ(diagnosed({5, flat(3.4), flat(3.4), flat(0), RunState::failed}).matter,
            Matter::rate_too_high);
}

// As first-look goes at 0.2: down to 2.93 in 40 steps, up to 3.38, and stuck just below a guess.
TEST(Diagnosis, AtAHighRateASmallRiseIsEnough) {
  const Course course = [](int step) {
    return step < 40 ? 3.8 - 0.022 * step : step < 150 ? 2.93 + 0.004 * (step - 40) : 3.3;
  };
  for (const int steps : {150, 200, 300, 400}) {
    const Told told = {steps, course, course, flat(0)};
    EXPECT_EQ(diagnosed(told, {{"learning_rate", "0.2"}}).matter, Matter::rate_too_high) << steps;
    EXPECT_NE(diagnosed(told).matter, Matter::rate_too_high) << steps;
  }
}

// As first-look goes with 64 examples: nothing is left to learn from them.
TEST(Diagnosis, WhatIsLearnedByHeartIsOverfittingThoughHeldOutDoesNotRise) {
  const Told told = {200, falling(3.8, 0.001, 15), falling(3.8, 2, 30), flat(0)};
  EXPECT_EQ(diagnosed(told, {{"train_size", "64"}}).matter, Matter::overfitting);
  const RunSettings text("text", "default");
  const Diagnosis best = diagnose(
      run_of({200, told.loss, told.heldout, flat(0), RunState::running, "text"}), text, text);
  EXPECT_EQ(best.matter, Matter::overfitting);
  EXPECT_FALSE(best.remedy.has_value());  // it is at its best
}

TEST(Diagnosis, HeldOutThatRisesIsOverfitting) {
  const Course heldout = [](int step) {
    return step < 80 ? 3.5 - 0.015 * step : 2.3 + 0.006 * (step - 80);
  };
  const Told told = {300, falling(3.5, 0.001, 30), heldout, flat(0.02)};
  const Diagnosis few = diagnosed(told, {{"train_size", "64"}});
  EXPECT_EQ(few.matter, Matter::overfitting);
  EXPECT_EQ(few.remedy->changes, (SettingValues{{"train_size", "0"}}));
  // A text of its own has an end: back to where it was best.
  const Diagnosis text =
      diagnose(run_of({300, told.loss, heldout, flat(0.02), RunState::running, "text"}),
               RunSettings("text", "default"), RunSettings("text", "default"));
  EXPECT_EQ(text.matter, Matter::overfitting);
  EXPECT_EQ(text.remedy->rewind, 80u);
}

TEST(Diagnosis, APlanThatIsUsedUpIsSaidAndGoesOn) {
  const Told told = {400, falling(3.5, 0.3, 150), falling(3.5, 0.3, 150),
                     [](int step) { return step / 500.0; }, RunState::finished};
  const Diagnosis diagnosis = diagnosed(told);
  EXPECT_EQ(diagnosis.matter, Matter::plan_used_up);
  EXPECT_EQ(diagnosis.values[0], "400");
  EXPECT_EQ(diagnosis.remedy->changes, (SettingValues{{"steps", "800"}}));
  EXPECT_FALSE(diagnosis.remedy->restart);
  EXPECT_EQ(diagnosed(told, {{"train_size", "64"}, {"epochs", "3"}}).remedy->changes,
            (SettingValues{{"epochs", "6"}}));
}

TEST(Diagnosis, WhatGetsNoBetterIsStuckForAReason) {
  const Told told = {300, falling(3.5, 2.2, 30), falling(3.5, 2.2, 30), flat(0)};
  const auto remedy = [&](const SettingValues& changes) {
    const Diagnosis diagnosis = diagnosed(told, changes);
    EXPECT_EQ(diagnosis.matter, Matter::stuck);
    return diagnosis.remedy->changes;
  };
  EXPECT_EQ(remedy({{"positions", "none"}}), (SettingValues{{"positions", "sinusoidal"}}));
  EXPECT_EQ(remedy({{"learning_rate", "0.0001"}}), (SettingValues{{"learning_rate", "0.002"}}));
  EXPECT_EQ(remedy({{"heads", "1"}}), (SettingValues{{"heads", "2"}}));
  EXPECT_EQ(remedy({}), (SettingValues{{"seed", "2"}}));
  // One that gets its answers right more often is not, and neither is one that has hardly begun.
  EXPECT_EQ(diagnosed({300, told.loss, told.heldout, [](int step) { return step / 600.0; }}).matter,
            Matter::nothing);
  EXPECT_EQ(diagnosed({120, told.loss, told.heldout, flat(0)}).matter, Matter::nothing);
}

TEST(Diagnosis, ASolvedRunIsSolved) {
  EXPECT_EQ(diagnosed({300, flat(0.01), flat(0.01), flat(1), RunState::solved}).matter,
            Matter::solved);
}

TEST(Diagnosis, AnInputOutsideTheTrainedLengthsIsSaid) {
  RunView view = run_of({300, flat(0.01), flat(0.01), flat(1), RunState::solved});
  Snapshot s = view.now();
  s.tried.emplace();
  s.tried->input = "hello";
  s.tried->remedy = {{"min_length", "5"}};
  view.take(std::move(s));
  const RunSettings settings("reverse", "first-look");
  const Diagnosis hello = diagnose(view, settings, settings);
  EXPECT_EQ(hello.matter, Matter::outside_lengths);
  EXPECT_EQ(hello.remedy->changes, (SettingValues{{"min_length", "5"}}));
  EXPECT_TRUE(hello.remedy->restart);
}

// What is offered is a setting that there is, with a value that it takes.
TEST(Diagnosis, EveryRemedyFitsTheRun) {
  const Told bad[] = {{300, flat(3.4), flat(3.4), flat(0)},
                      {300, falling(3.5, 2.2, 30), flat(2.2), flat(0), RunState::finished},
                      {50, flat(3.4), flat(3.4), flat(0), RunState::finished}};
  for (const std::string_view task : task_names()) {
    if (RunSettings(task, "default").material() == Material::required) continue;
    for (Told told : bad) {
      const std::string name(task);
      told.task = name.c_str();
      RunSettings settings(task, "default");
      const Diagnosis diagnosis = diagnose(run_of(told), settings, RunSettings(task, "default"));
      if (!diagnosis.remedy) continue;
      const Properties table = settings.all_properties();
      for (const auto& [setting, value] : diagnosis.remedy->changes) {
        const Property* property = find_property(table, setting);
        ASSERT_NE(property, nullptr) << task << " " << setting;
        EXPECT_EQ(set_property(*property, value), PropertyProblem::kNone) << task << " " << setting;
      }
    }
  }
}

}  // namespace
}  // namespace tp::ui
