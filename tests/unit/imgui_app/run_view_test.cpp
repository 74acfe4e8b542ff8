#include "imgui_app/model/run_view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <span>
#include <sstream>

#include "tests/subjects/series_points.h"

namespace tp::ui {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

void add_step(Snapshot& s, std::uint64_t step, double loss) {
  test::add_row(s, step,
                {{"loss", loss},
                 {"perplexity", s.vocabulary > 0 ? std::exp(loss) : kNone},
                 {"token_accuracy", 0.5},
                 {"learning_rate", 0.1},
                 {"gradient_norm", 2},
                 {"clipped", 0},
                 {"update_ratio", 0.001}});
}

// A part of a run: the points of the steps after `from`, up to and with `to`.
Snapshot part(std::uint32_t run, std::int32_t branch, std::uint64_t from, std::uint64_t to,
              int vocabulary = 0) {
  Snapshot s;
  s.vocabulary = vocabulary;
  s.run = run;
  s.state = RunState::running;
  s.moment = {branch, to};
  for (std::uint64_t step = from + 1; step <= to; ++step) {
    add_step(s, step, 10.0 * branch + 1.0 / static_cast<double>(step));
  }
  return s;
}

std::vector<std::uint64_t> steps_of(const auto& points) {
  std::vector<std::uint64_t> steps;
  for (const auto& p : points) steps.push_back(p.step);
  return steps;
}

std::vector<std::uint64_t> range(std::uint64_t first, std::uint64_t last) {
  std::vector<std::uint64_t> steps;
  for (std::uint64_t step = first; step <= last; ++step) steps.push_back(step);
  return steps;
}

std::ptrdiff_t lines_in(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

// Branch 1 leaves branch 0 at step 4, branch 2 leaves branch 1 at step 6.
RunView forked() {
  RunView view;
  Snapshot s = part(1, 0, 0, 8);
  s.branches = {{0, -1, 0, 8}};
  view.take(s);
  s = part(1, 1, 4, 9);
  s.branches = {{0, -1, 0, 8}, {1, 0, 4, 9}};
  view.take(s);
  s = part(1, 2, 6, 7);
  s.branches = {{0, -1, 0, 8}, {1, 0, 4, 9}, {2, 1, 6, 7}};
  view.take(s);
  return view;
}

TEST(RunView, IsEmptyAtFirst) {
  const RunView view;
  EXPECT_TRUE(view.runs().empty());
  EXPECT_TRUE(view.line("loss").empty());
  EXPECT_EQ(view.point_now("loss"), std::nullopt);
  EXPECT_TRUE(std::isnan(view.value_now("heldout_loss")));
  EXPECT_EQ(view.branch(0), nullptr);
  EXPECT_EQ(view.phase(), Phase::guessing);
  EXPECT_EQ(lines_in(view.csv()), 1);
}

TEST(RunView, WhatASnapshotLeavesOutStays) {
  RunView view;
  Snapshot first = part(1, 0, 0, 2);
  first.config = "{}";
  first.task = "reverse";
  first.vocabulary = 29;
  first.parameters = 7;
  first.example.emplace().index = 3;
  first.tensors.emplace_back().path = "src_pos.weight";
  first.samples.emplace_back();
  first.estimate.emplace().id = 5;
  view.take(first);
  const int maps = view.maps_version();
  view.take(part(1, 0, 2, 3));
  const Snapshot& now = view.now();
  EXPECT_EQ(now.moment.step, 3u);
  EXPECT_EQ(now.task, "reverse");
  EXPECT_EQ(now.vocabulary, 29);
  EXPECT_EQ(now.parameters, 7u);
  EXPECT_EQ(now.example->index, 3);
  EXPECT_EQ(now.tensors.size(), 1u);
  EXPECT_EQ(now.samples.size(), 1u);
  EXPECT_EQ(now.estimate->id, 5u);
  EXPECT_EQ(view.maps_version(), maps);
  EXPECT_EQ(steps_of(view.line("loss")), range(1, 3));

  // A new run brings its own; only what was asked beside runs stays.
  view.take(part(2, 0, 0, 1));
  EXPECT_FALSE(view.now().example);
  EXPECT_TRUE(view.now().tensors.empty() && view.now().samples.empty());
  EXPECT_TRUE(view.now().estimate);
}

TEST(RunView, ClassesHaveNamesOfTheLanguage) {
  RunView view;
  Snapshot s = part(1, 0, 0, 1);
  s.task = "shapes";
  s.samples = {{.source = "1", .expected = "cross", .produced = "square"}};
  s.tried.emplace();
  s.tried->output = "disc";
  s.tried->expected = "plus";
  s.tried->steps = {{.token = "disc", .candidates = {{"disc", 0.9}, {"plus", 0.1}}}};
  view.take(s);
  view.speak(Language::kKorean);
  EXPECT_EQ(view.now().samples[0].produced, "정사각형");
  EXPECT_EQ(view.now().samples[0].expected, "가위표");
  EXPECT_EQ(view.now().tried->output, "원");
  EXPECT_EQ(view.now().tried->expected, "더하기표");
  EXPECT_EQ(view.now().tried->steps[0].token, "원");
  EXPECT_EQ(view.now().tried->steps[0].candidates[1].token, "더하기표");
  view.speak(Language::kEnglish);
  EXPECT_EQ(view.now().samples[0].produced, "square");
  EXPECT_EQ(view.now().tried->steps[0].candidates[1].token, "plus");
  // A word that another task writes is its own.
  s.run = 2;
  s.task = "translate";
  view.take(s);
  view.speak(Language::kKorean);
  EXPECT_EQ(view.now().samples[0].produced, "square");
}

TEST(RunView, CurvesVersionGrowsWithTheCurvesOnly) {
  RunView view;
  view.take(part(1, 0, 0, 3));
  const int version = view.curves_version();
  Snapshot still;
  still.run = 1;
  still.moment = {0, 2};
  still.branches = {{0, -1, 0, 3}};
  view.take(still);  // rewound: nothing new in the curves
  EXPECT_EQ(view.curves_version(), version);
  view.take(part(1, 0, 3, 4));
  EXPECT_GT(view.curves_version(), version);
}

TEST(RunView, ALineIsABranchWithThoseItGrewFrom) {
  RunView view = forked();
  EXPECT_EQ(steps_of(view.line("loss")), range(1, 7));
  const std::vector<SeriesPoint> line = view.line("loss");
  for (const SeriesPoint& p : line) {
    const int branch = p.step <= 4 ? 0 : p.step <= 6 ? 1 : 2;
    EXPECT_EQ(std::floor(p.value / 10), branch) << p.step;
  }
  Snapshot back;
  back.run = 1;
  back.moment = {1, 5};
  view.take(back);
  EXPECT_EQ(steps_of(view.line("loss")), range(1, 9));  // with what lies after the moment
  EXPECT_EQ(view.point_now("loss")->step, 5u);
}

TEST(RunView, TheMomentsPointIsNeverOneThatTheBranchLeftBehind) {
  RunView view = forked();
  Snapshot fresh;  // a branch that has no points yet, at the step where it begins
  fresh.run = 1;
  fresh.moment = {3, 7};
  fresh.branches = {{0, -1, 0, 8}, {1, 0, 4, 9}, {2, 1, 6, 7}, {3, 0, 2, 2}};
  view.take(fresh);
  ASSERT_TRUE(view.point_now("loss"));
  EXPECT_EQ(view.point_now("loss")->step, 2u);  // and not step 7 of branch 0
}

TEST(RunView, ABranchThatIsItsOwnParentHangsNothing) {
  RunView view;
  Snapshot s = part(1, 2, 0, 0);
  s.branches = {{2, 2, 0, 0}, {1, 2, 0, 0}};
  view.take(s);
  EXPECT_TRUE(view.line("loss").empty());
  EXPECT_EQ(view.point_now("loss"), std::nullopt);
}

TEST(RunView, LongBranchesGetThinnerAndKeepTheirNewestPoint) {
  RunView view;
  std::uint64_t last = 0;
  for (; last < 3 * kMostPoints; last += 777) view.take(part(1, 0, last, last + 777));
  const std::vector<SeriesPoint>& points = view.branch(0)->line("loss");
  EXPECT_LE(points.size(), kMostPoints);
  EXPECT_GE(points.size(), kMostPoints / 2 - 1);
  EXPECT_EQ(points.back().step, last);
  for (std::size_t i = 1; i < points.size(); ++i) ASSERT_GT(points[i].step, points[i - 1].step);
}

TEST(RunView, EarlierRunsStayWithWhatDiffers) {
  RunView view;
  const auto run_with = [&](std::uint32_t id, const char* config, std::uint64_t steps) {
    Snapshot s = part(id, 0, 0, steps);
    s.config = config;
    view.take(s);
  };
  run_with(1, R"({"task":"copy","train":{"learning_rate":0.002,"seed":1}})", 5);
  run_with(2, R"({"task":"copy","train":{"learning_rate":0.5,"seed":9}})", 0);  // never ran
  run_with(3, R"({"task":"sort","train":{"learning_rate":0.001,"seed":1},"more":1})", 5);
  ASSERT_EQ(view.runs().size(), 2u);
  EXPECT_EQ(view.runs()[0].run, 1u);
  EXPECT_TRUE(view.runs()[0].differences.empty());
  // To the run that can be seen, not to the one that left no curve.
  EXPECT_EQ(view.runs()[1].differences,
            (std::vector<std::string>{"task copy → sort", "learning_rate 0.002 → 0.001"}));
  for (std::uint32_t id = 4; id < 20; ++id) run_with(id, "not JSON", 2);
  EXPECT_EQ(view.runs().size(), kMostRuns);
  EXPECT_EQ(view.runs().back().run, 19u);
  EXPECT_TRUE(view.runs().back().differences.empty());
  view.forget_ghosts();
  ASSERT_EQ(view.runs().size(), 1u);
  EXPECT_EQ(view.runs()[0].run, 19u);
}

TEST(RunView, PhasesFollowTheStory) {
  const auto phase = [](double loss, double exact, double alignment, RunState state) {
    RunView view;
    Snapshot s;
    s.run = 1;
    s.state = state;
    s.vocabulary = 29;
    s.moment = {0, 1};
    add_step(s, 1, loss);
    test::add_row(s, 1, {{"heldout_exact", exact}, {"heldout_mean_alignment", alignment}});
    view.take(s);
    return view.phase();
  };
  EXPECT_EQ(phase(3.3, 0, 0.1, RunState::running), Phase::guessing);
  EXPECT_EQ(phase(2.5, 0, 0.1, RunState::running), Phase::noticing);
  EXPECT_EQ(phase(2.5, 0, 0.4, RunState::running), Phase::finding);
  EXPECT_EQ(phase(1.0, 0.3, 0.4, RunState::running), Phase::getting_right);
  EXPECT_EQ(phase(0.1, 0.995, 1, RunState::running), Phase::solved);
  EXPECT_EQ(phase(0.1, 0.98, 1, RunState::solved), Phase::solved);
  EXPECT_EQ(phase(2.5, kNone, kNone, RunState::running), Phase::noticing);
}

TEST(RunView, AGuessAmongClassesIsNotYetGettingItRight) {
  const auto phase = [](const char* task, int classes, double exact) {
    RunView view;
    Snapshot s;
    s.run = 1;
    s.task = task;
    s.vocabulary = classes;
    s.moment = {0, 1};
    add_step(s, 1, std::log(classes));
    test::add_row(s, 1, {{"heldout_exact", exact}});
    view.take(s);
    return view.phase();
  };
  EXPECT_EQ(phase("balance", 2, 0.53), Phase::guessing);
  EXPECT_EQ(phase("balance", 2, 0.62), Phase::getting_right);
  EXPECT_EQ(phase("shapes", 6, 0.18), Phase::guessing);
  EXPECT_EQ(phase("shapes", 6, 0.3), Phase::getting_right);
  EXPECT_EQ(phase("reverse", 29, 0.12), Phase::getting_right);
}

TEST(RunView, WithoutAVocabularyGuessingIsWhatTakesNoLearning) {
  RunView view;
  Snapshot s;
  s.run = 1;
  s.moment = {0, 1};
  add_step(s, 1, 0.5);
  test::add_row(s, 1, {{"heldout_metric", 0.4}, {"heldout_baseline", 0.3}});
  view.take(s);
  EXPECT_EQ(view.phase(), Phase::guessing);
  s.series.clear();
  test::add_row(s, 2, {{"heldout_metric", 0.2}, {"heldout_baseline", 0.3}});
  s.moment.step = 2;
  view.take(s);
  EXPECT_EQ(view.phase(), Phase::noticing);
}

TEST(RunView, TheStepOfTheSolutionIsTheFirst) {
  RunView view;
  view.take(part(1, 0, 0, 5));
  EXPECT_EQ(view.solved_at(), 0u);
  Snapshot s = part(1, 0, 5, 7);
  s.state = RunState::solved;
  view.take(s);
  s = part(1, 0, 7, 9);
  s.state = RunState::solved;
  view.take(s);
  EXPECT_EQ(view.solved_at(), 7u);
  view.take(part(2, 0, 0, 1));
  EXPECT_EQ(view.solved_at(), 0u);
}

std::vector<std::vector<std::string>> cells_of(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back();
    std::size_t at = 0;
    for (std::size_t comma; (comma = line.find(',', at)) != std::string::npos; at = comma + 1) {
      rows.back().push_back(line.substr(at, comma - at));
    }
    rows.back().push_back(line.substr(at));
  }
  return rows;
}

double number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  EXPECT_TRUE(!text.empty() && *end == '\0') << text;
  return value;
}

TEST(RunView, CsvHoldsEveryNumberExactly) {
  RunView view;
  Snapshot s = part(1, 0, 0, 3, 29);
  test::value_of(s, "loss", 1) = 0.1 + 0.2;
  test::value_of(s, "perplexity", 1) = std::exp(0.1 + 0.2);
  test::value_of(s, "loss", 2) = 1e-300;
  test::value_of(s, "token_accuracy", 2) = kNone;
  test::value_of(s, "loss", 3) = std::numeric_limits<double>::infinity();
  test::value_of(s, "clipped", 3) = 1;
  test::add_row(s, 0, {{"heldout_loss", 3.5}, {"heldout_exact", 0}});
  test::add_row(s, 2,
                {{"heldout_loss", 1.0 / 3}, {"heldout_exact", 0.7}, {"heldout_alignment", 0.25}});
  view.take(s);
  const auto rows = cells_of(view.csv());
  ASSERT_EQ(rows.size(), 5u);
  const std::vector<std::string> first_nine = {
      "step",          "loss",          "perplexity",        "token_accuracy",
      "learning_rate", "gradient_norm", "tokens_per_second", "heldout_loss",
      "heldout_exact"};
  EXPECT_TRUE(std::ranges::equal(std::span(rows[0]).first(9), first_nine));
  for (const auto& row : rows) EXPECT_EQ(row.size(), rows[0].size());
  // Before the first step: an exam alone.
  EXPECT_EQ(rows[1][0], "0");
  EXPECT_EQ(rows[1][1], "");
  EXPECT_EQ(number(rows[1][7]), 3.5);
  EXPECT_EQ(rows[1][11], "");
  EXPECT_EQ(rows[2][0], "1");
  EXPECT_EQ(number(rows[2][1]), 0.1 + 0.2);
  EXPECT_EQ(number(rows[2][2]), std::exp(0.1 + 0.2));
  EXPECT_EQ(rows[2][7], "");
  EXPECT_EQ(number(rows[3][1]), 1e-300);
  EXPECT_EQ(rows[3][3], "");
  EXPECT_EQ(number(rows[3][7]), 1.0 / 3);
  EXPECT_EQ(number(rows[3][8]), 0.7);
  EXPECT_EQ(number(rows[3][11]), 0.25);
  EXPECT_EQ(rows[4][1], "");  // not a number that anybody can read
  EXPECT_EQ(rows[4][12], "1");
}

TEST(RunView, ASeriesIsReadByNameAlongTheLine) {
  const char* const head = "heldout_alignment.decoder.0.cross_attn.head.1";
  RunView view;
  Snapshot s = part(1, 0, 0, 8, 29);
  s.branches = {{0, -1, 0, 8}};
  test::add_row(s, 4, {{"heldout_loss", 0.5}, {"heldout_exact", 0}});
  test::value_of(s, "heldout_exact", 4) = kNone;
  for (const std::uint64_t step : {2, 4, 6}) {
    test::add_row(s, step, {{head, 0.1 * static_cast<double>(step)}});
  }
  const int version = view.curves_version();
  view.take(s);
  EXPECT_GT(view.curves_version(), version);
  s = part(1, 1, 4, 9, 29);
  s.branches = {{0, -1, 0, 8}, {1, 0, 4, 9}};
  test::add_row(s, 6, {{head, 7}});
  view.take(s);
  EXPECT_EQ(view.line(head), (std::vector<SeriesPoint>{{2, 0.2}, {4, 0.4}, {6, 7}}));
  EXPECT_EQ(view.value_now(head), 7);
  EXPECT_EQ(view.line("loss").size(), 9u);
  EXPECT_EQ(view.line("loss")[6].value, 10 + 1.0 / 7);
  EXPECT_EQ(view.value_now("perplexity"), std::exp(view.value_now("loss")));
  EXPECT_EQ(view.line("heldout_loss"), (std::vector<SeriesPoint>{{4, 0.5}}));
  EXPECT_TRUE(view.line("heldout_exact").empty()) << "not a number";
  EXPECT_TRUE(view.line("nonsense").empty());
  EXPECT_TRUE(std::isnan(view.value_now("nonsense")));
  const std::vector<std::string> names = view.series();
  EXPECT_EQ(names.front(), "loss");
  EXPECT_EQ(names.back(), head);
  // A look at a moment of the past repeats what is known.
  Snapshot past;
  past.run = 1;
  past.moment = {1, 6};
  past.branches = s.branches;
  test::add_row(past, 6, {{head, 8}});
  view.take(past);
  EXPECT_EQ(view.line(head).size(), 3u);
  EXPECT_EQ(view.value_now(head), 7);
  const auto rows = cells_of(view.csv());
  EXPECT_EQ(rows[0].back(), head);
  EXPECT_EQ(rows[6].back(), "7");
}

TEST(RunView, ATableThatDoesNotFitItsNamesIsLeftOut) {
  RunView view;
  Snapshot s = part(1, 0, 0, 2);
  s.series.push_back({{1000}, {3}, {1}});
  s.series.push_back({{0}, {3, 4}, {1}});
  view.take(s);
  EXPECT_EQ(steps_of(view.line("loss")), range(1, 2));
}

TEST(RunView, CsvIsOfTheLineShown) {
  const RunView view = forked();
  const auto rows = cells_of(view.csv());
  ASSERT_EQ(rows.size(), 8u);
  for (std::size_t i = 1; i < rows.size(); ++i) EXPECT_EQ(rows[i][0], std::to_string(i));
  EXPECT_EQ(rows[1][2], "");  // no vocabulary, no perplexity
}

}  // namespace
}  // namespace tp::ui
