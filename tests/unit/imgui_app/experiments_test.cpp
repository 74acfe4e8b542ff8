#include "imgui_app/model/experiments.h"

#include <gtest/gtest.h>

#include "engine/train/run_config.h"
#include "tests/subjects/series_points.h"

namespace tp::ui {
namespace {

// A run that came to its end at this step, with this share of right answers.
RunView ended(std::uint32_t run, std::uint64_t step, double exact, RunState state) {
  Snapshot s;
  s.run = run;
  s.task = "reverse";
  s.vocabulary = 32;
  s.state = state;
  s.total_steps = step;
  s.moment = {0, step};
  test::add_row(s, step, {{"loss", 2}, {"heldout_loss", 2}, {"heldout_exact", exact}});
  RunView view;
  view.take(std::move(s));
  return view;
}

RunSettings with(RunSettings settings, const SettingValues& changes) {
  const Properties table = settings.all_properties();
  for (const auto& [name, value] : changes) {
    const Property* property = find_property(table, name);
    EXPECT_TRUE(property != nullptr) << name;
    if (property == nullptr) continue;
    EXPECT_EQ(set_property(*property, value), PropertyProblem::kNone) << name << " " << value;
  }
  return settings;
}

// Every task has its three, about itself, and each of them is a run that can be made.
TEST(Experiments, EveryTaskHasThreeThatFit) {
  for (const std::string_view task : task_names()) {
    if (RunSettings(task, "default").material() == Material::required) continue;
    for (const char* preset : {"default", "first-look"}) {
      if (task_of_preset(preset, task) != task) continue;
      const RunSettings settings(task, preset);
      const std::vector<NextThing> things = Experiments().offers(settings);
      ASSERT_EQ(things.size(), 3u) << task;
      for (const NextThing& thing : things) {
        EXPECT_NE(thing.task, task);
        if (!thing.task.empty()) continue;
        const RunSettings changed = with(settings, thing.changes);
        EXPECT_NE(changed.json(), settings.json()) << task;
        const Result<RunConfig> config = run_from_json(changed.json());
        ASSERT_TRUE(config.ok()) << task;
        EXPECT_TRUE(make_task(config.value(), "").ok()) << task;
      }
      EXPECT_TRUE(things[0].task.empty()) << task;
    }
  }
}

TEST(Experiments, TheFirstScreenOffersPositionsAHeadAndTwiceTheLength) {
  const auto things = Experiments().offers(RunSettings("reverse", "first-look"));
  EXPECT_EQ(things[0].changes, (SettingValues{{"positions", "none"}}));
  EXPECT_EQ(things[1].changes, (SettingValues{{"heads", "1"}}));
  EXPECT_EQ(things[2].changes, (SettingValues{{"max_length", "20"}, {"min_length", "20"}}));
}

TEST(Experiments, APredictionComesFirstAndIsCompared) {
  const RunSettings base("reverse", "first-look");
  const RunView solved = ended(1, 290, 1, RunState::solved);
  Experiments experiments;
  experiments.ask(experiments.offers(base)[0], solved, base);
  ASSERT_TRUE(experiments.asked().has_value());
  EXPECT_FALSE(experiments.begun().has_value());
  const SettingValues changes = experiments.begin(Expectation::as_well, solved);
  EXPECT_EQ(changes, (SettingValues{{"positions", "none"}, {"steps", "800"}}));
  EXPECT_FALSE(experiments.asked().has_value());
  experiments.follow(solved, base);  // the new run has not come yet
  ASSERT_TRUE(experiments.begun().has_value());
  EXPECT_EQ(experiments.outcome(solved, {Matter::solved}), std::nullopt);

  const RunSettings changed = with(base, changes);
  const RunView failed = ended(2, 800, 0.03, RunState::finished);
  experiments.follow(failed, changed);
  EXPECT_EQ(experiments.outcome(failed, {Matter::nothing}), std::nullopt);
  EXPECT_EQ(experiments.outcome(failed, {Matter::stuck}), Expectation::fails);
  EXPECT_EQ(experiments.outcome(ended(2, 700, 0.95, RunState::finished), {Matter::plan_used_up}),
            Expectation::trouble);
  EXPECT_EQ(experiments.outcome(ended(2, 300, 1, RunState::solved), {Matter::solved}),
            Expectation::as_well);
  EXPECT_EQ(experiments.outcome(ended(2, 600, 1, RunState::solved), {Matter::solved}),
            Expectation::trouble);

  // The next one is compared with the same run: what this one changed goes back.
  const std::vector<NextThing> next = experiments.offers(changed);
  EXPECT_EQ(next[0].changes, (SettingValues{{"heads", "1"}}));
  EXPECT_EQ(next.back().task, "sort");
  experiments.ask(next[0], failed, changed);
  EXPECT_EQ(experiments.begin(Expectation::fails, failed),
            (SettingValues{{"positions", "sinusoidal"}, {"heads", "1"}, {"steps", "800"}}));
}

TEST(Experiments, AnotherRunEndsIt) {
  const RunSettings base("reverse", "first-look");
  const RunView solved = ended(1, 290, 1, RunState::solved);
  Experiments experiments;
  experiments.ask(experiments.offers(base)[1], solved, base);
  experiments.follow(ended(1, 291, 1, RunState::running), base);
  EXPECT_FALSE(experiments.asked().has_value());  // it goes on instead
  experiments.ask(experiments.offers(base)[1], solved, base);
  experiments.begin(Expectation::trouble, solved);
  experiments.follow(ended(2, 10, 0, RunState::running), RunSettings("sort", "default"));
  EXPECT_FALSE(experiments.begun().has_value());
}

}  // namespace
}  // namespace tp::ui
