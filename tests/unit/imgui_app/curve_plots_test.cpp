// What the plots of the curves are computed from, without a window.

#include <gtest/gtest.h>

#include <cmath>

#include "imgui_app/model/curve_series.h"
#include "tests/subjects/series_points.h"

namespace tp::ui {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

TEST(PlotData, RoundNumbersAreRound) {
  EXPECT_DOUBLE_EQ(round_up(3.37), 4);
  EXPECT_DOUBLE_EQ(round_up(300), 300);
  EXPECT_DOUBLE_EQ(round_up(301), 400);
  EXPECT_DOUBLE_EQ(round_up(0.0011), 0.0012);
  EXPECT_DOUBLE_EQ(round_up(9), 10);
  for (const double bad : {0.0, -1.0, kNone, std::numeric_limits<double>::infinity()}) {
    EXPECT_GT(round_up(bad), 0);
  }
}

TEST(PlotData, TickLabelsAreShort) {
  EXPECT_EQ(tick_label(0, false), "0");
  EXPECT_EQ(tick_label(0.5, false), "0.5");
  EXPECT_EQ(tick_label(0.1 * 3, false), "0.3");
  EXPECT_EQ(tick_label(20000, false), "20,000");
  EXPECT_EQ(tick_label(0.00005, false), "5e-5");
  EXPECT_EQ(tick_label(0.001, false), "0.001");
  EXPECT_EQ(tick_label(-1.5, false), "−1.5");
  EXPECT_EQ(tick_label(-1500, false), "−1,500");
  EXPECT_EQ(tick_label(0.7, true), "70%");
  EXPECT_EQ(tick_label(0.975, true), "97.5%");
}

TEST(Smoother, ForgetsAtTheSamePaceWhateverIsMissing) {
  Smoother all(0.9), some(0.9);
  double a = 0, b = 0;
  for (int i = 0; i <= 100; ++i) {
    a = all.add(i, i < 50 ? 1 : 0);
    if (i % 2 == 0) b = some.add(i, i < 50 ? 1 : 0);
  }
  EXPECT_NEAR(a, b, 0.001);
  Smoother none(0);
  EXPECT_EQ(none.add(1, 5), 5);
  EXPECT_EQ(none.add(2, 7), 7);
  EXPECT_TRUE(std::isnan(none.add(3, kNone)));
  EXPECT_EQ(none.add(4, 8), 8);
}

TEST(LineThinner, KeepsTheExtremesOfEveryColumn) {
  std::vector<PlotPoint> line;
  LineThinner thinner(0, 100'000, 400, line);
  for (int i = 0; i <= 100'000; ++i) {
    thinner.add({static_cast<double>(i), i == 51'234 ? 1 : i == 51'235 ? 0 : 0.5});
  }
  thinner.finish();
  EXPECT_LE(line.size(), 2u * 402);
  double lowest = 1e9, highest = -1e9;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (!std::isfinite(line[i].y)) continue;
    lowest = std::min(lowest, line[i].y);
    highest = std::max(highest, line[i].y);
    if (i > 0) {
      EXPECT_GE(line[i].x, line[i - 1].x);
    }
  }
  EXPECT_EQ(lowest, 0);
  EXPECT_EQ(highest, 1);
}

TEST(LineThinner, ReachesBeyondTheAxisAndBreaksAtNothing) {
  std::vector<PlotPoint> line;
  LineThinner thinner(10, 20, 100, line);
  for (int i = 0; i < 40; ++i) thinner.add({static_cast<double>(i), i == 15 ? kNone : 0.5});
  thinner.finish();
  std::vector<double> xs;
  int breaks = 0;
  for (const PlotPoint& point : line) {
    if (std::isfinite(point.x)) {
      xs.push_back(point.x);
    } else {
      ++breaks;
    }
  }
  EXPECT_EQ(xs.front(), 9);
  EXPECT_EQ(xs.back(), 21);
  EXPECT_EQ(xs.size(), 12u);
  EXPECT_EQ(breaks, 2);
}

double loss_at(const CurveLine& line, std::uint64_t step) {
  const auto point = value_at(line, CurveKind::kLoss, CurveGoal::kExact, CurveOf::kTrain, step);
  return point ? point->y : kNone;
}

Snapshot part(std::uint32_t run, std::int32_t branch, int from, int to) {
  Snapshot s;
  s.run = run;
  s.vocabulary = 29;
  s.moment = {branch, static_cast<std::uint64_t>(to)};
  for (int i = from + 1; i <= to; ++i) {
    const auto step = static_cast<std::uint64_t>(i);
    const double loss = 3.0 / i + branch;
    test::add_row(s, step, {{"loss", loss}, {"perplexity", std::exp(loss)}});
    if (i % 10 == 0) {
      test::add_row(s, step,
                    {{"heldout_loss", 3.0 / i},
                     {"heldout_exact", 0.01 * i},
                     {"heldout_mean_alignment", 0.01 * i}});
    }
  }
  return s;
}

// Branch 1 leaves branch 0 at step 40.
RunView forked() {
  RunView view;
  Snapshot s = part(1, 0, 0, 100);
  s.branches = {{0, -1, 0, 100}};
  s.events = {{70, EventKind::stopped, "", "", ""}};
  view.take(s);
  s = part(1, 1, 40, 90);
  s.branches = {{0, -1, 0, 100}, {1, 0, 40, 90}};
  s.events = {{40, EventKind::rewound, "", "", ""}};
  s.kept = {{0, 0}, {0, 20}, {0, 40}, {0, 60}, {0, 80}, {1, 60}, {1, 80}};
  view.take(s);
  return view;
}

TEST(CurveLine, IsTheBranchAndBesideItIsTheRest) {
  const RunView view = forked();
  const RunCurves& run = view.runs().back();
  const CurveLine line = line_to(run, 1), beside = beside_line(run, 1);
  ASSERT_EQ(line.size(), 2u);
  EXPECT_EQ(last_step(line), 90u);
  EXPECT_EQ(loss_at(line, 40), 3.0 / 40);
  EXPECT_EQ(loss_at(line, 41), 3.0 / 41 + 1);
  EXPECT_EQ(loss_at(line, 1000), 3.0 / 90 + 1);
  EXPECT_TRUE(std::isnan(loss_at(line, 0)));
  const auto exam = value_at(line, CurveKind::kGoal, CurveGoal::kExact, CurveOf::kHeldout, 45);
  ASSERT_TRUE(exam.has_value());
  EXPECT_EQ(exam->x, 40);
  EXPECT_EQ(exam->y, 0.01 * 40);
  EXPECT_EQ(last_step(run), 100u);
  EXPECT_TRUE(has_values(line) && has_values(run) && !has_values(CurveLine{}));
  ASSERT_EQ(beside.size(), 1u);
  EXPECT_EQ(beside[0].after, 40u);
  EXPECT_EQ(last_step(beside), 100u);
  EXPECT_TRUE(on_line(line, {0, 40}));
  EXPECT_FALSE(on_line(line, {0, 41}));
  EXPECT_TRUE(on_line(line, {1, 41}));
  EXPECT_TRUE(line_to(run, 7).empty());
  std::vector<PlotPoint> points;
  collect_values(line, CurveKind::kLoss, CurveGoal::kExact, CurveOf::kTrain, points);
  ASSERT_EQ(points.size(), 90u);
  for (std::size_t i = 0; i < points.size(); ++i) EXPECT_EQ(points[i].x, i + 1);
  EXPECT_EQ(points[40].y, 3.0 / 41 + 1);
}

TEST(CurveLine, KeptMomentsAreThoseOfTheLine) {
  const RunView view = forked();
  const RunCurves& run = view.runs().back();
  const std::vector<Moment>& kept = view.now().kept;
  const CurveLine line = line_to(run, 1), first = line_to(run, 0);
  EXPECT_EQ(*nearest_kept(kept, line, 63), (Moment{1, 60}));
  EXPECT_EQ(*nearest_kept(kept, first, 63), (Moment{0, 60}));
  EXPECT_EQ(*nearest_kept(kept, line, 29), (Moment{0, 20}));
  EXPECT_EQ(*nearest_kept(kept, line, 1e9), (Moment{1, 80}));
  EXPECT_EQ(*kept_beside(kept, line, 60, false), (Moment{0, 40}));
  EXPECT_EQ(*kept_beside(kept, line, 40, true), (Moment{1, 60}));
  EXPECT_EQ(kept_beside(kept, line, 80, true), nullptr);
  EXPECT_EQ(kept_beside(kept, line, 0, false), nullptr);
  EXPECT_EQ(nearest_kept({}, line, 5), nullptr);
}

TEST(CurveLine, MarksAreEventsAndTheHalfWayOfAttention) {
  const RunView view = forked();
  std::vector<CurveMark> marks;
  collect_marks(line_to(view.runs().back(), 1), marks);
  ASSERT_EQ(marks.size(), 2u);  // that it stopped at step 70 happened on another branch
  EXPECT_EQ(marks[0].step, 40u);
  EXPECT_EQ(marks[0].event->kind, EventKind::rewound);
  EXPECT_EQ(marks[1].step, 50u);
  EXPECT_EQ(marks[1].event, nullptr);
}

struct Drawn {
  RunView view;
  CurveSeries series;
  CurveSource source;

  void draw(CurveKind kind) {
    source.run = &view;
    source.version = view.curves_version();
    source.leaf = view.now().moment.branch;
    source.ghosts = ghosts_print(view, source.leaf);
    const CurveLine line = line_to(view.runs().back(), source.leaf);
    source.columns = 500;
    series.update(kind, source, line);
  }
};

TEST(CurveSeries, ComputesOnlyWhenSomethingChanged) {
  Drawn drawn;
  drawn.view.take(part(1, 0, 0, 20'000));
  drawn.source.to = 20'000;
  drawn.source.smoothing = 0.6;
  for (int frame = 0; frame < 10; ++frame) drawn.draw(CurveKind::kLoss);
  EXPECT_EQ(drawn.series.builds(), 1);
  EXPECT_LE(drawn.series.raw.size(), 2u * 503);
  EXPECT_LE(drawn.series.strong.size(), 2u * 503);
  drawn.view.take(part(1, 0, 20'000, 20'010));
  drawn.draw(CurveKind::kLoss);
  EXPECT_EQ(drawn.series.builds(), 2);
  drawn.source.logarithmic = true;
  drawn.draw(CurveKind::kLoss);
  EXPECT_EQ(drawn.series.builds(), 3);
  EXPECT_TRUE(drawn.series.y().logarithmic);
  EXPECT_GT(drawn.series.y().from, 0);
  EXPECT_GE(drawn.series.y().to, 10 * drawn.series.y().from);
}

TEST(CurveSeries, TheLossBeginsAtZeroAndReachesGuessing) {
  Drawn drawn;
  drawn.view.take(part(1, 0, 0, 100));
  drawn.source.to = 100;
  drawn.draw(CurveKind::kLoss);
  EXPECT_EQ(drawn.series.y().from, 0);
  EXPECT_GE(drawn.series.y().to, std::log(29.0));
  drawn.source.from = 50;
  drawn.source.zoomed = true;
  drawn.draw(CurveKind::kLoss);
  EXPECT_LT(drawn.series.y().to, 0.2);
  drawn.draw(CurveKind::kGoal);
  EXPECT_EQ(drawn.series.y().to, 1);
  EXPECT_TRUE(drawn.series.y().share);
}

TEST(CurveSeries, AWildValueDoesNotFlattenTheRest) {
  Drawn drawn;
  Snapshot s = part(1, 0, 0, 100);
  for (const char* series : {"loss", "perplexity"}) {
    test::value_of(s, series, 61) = 1e30;
    test::value_of(s, series, 62) = std::numeric_limits<double>::infinity();
    test::value_of(s, series, 63) = kNone;
  }
  drawn.view.take(s);
  drawn.source.to = 100;
  drawn.source.smoothing = 0;
  drawn.draw(CurveKind::kLoss);
  EXPECT_LE(drawn.series.y().to, 12);
  drawn.draw(CurveKind::kPerplexity);
  EXPECT_LE(drawn.series.y().to, 100);
}

TEST(CurveSeries, WhatLiesBehindAreOtherBranchesAndEarlierRuns) {
  Drawn drawn;
  drawn.view = forked();
  drawn.source.to = 100;
  drawn.draw(CurveKind::kLoss);
  ASSERT_EQ(drawn.series.ghost_runs.size(), 1u);
  // The branch that was left begins where it was left.
  EXPECT_EQ(drawn.series.ghosts.front().x, 40);
  drawn.view.take(part(2, 0, 0, 30));
  drawn.draw(CurveKind::kLoss);
  EXPECT_EQ(drawn.series.ghost_runs.size(), 2u);
  drawn.source.earlier_runs = false;
  drawn.draw(CurveKind::kLoss);
  EXPECT_EQ(drawn.series.ghost_runs.size(), 0u);
}

TEST(CurveSeries, RunsOfAnotherMeasureAreNotBehind) {
  Drawn drawn;
  for (const char* tokens : {"characters", "bpe", "characters"}) {
    Snapshot s = part(static_cast<std::uint32_t>(drawn.view.runs().size()) + 1, 0, 0, 30);
    s.task = "text";
    s.config = R"({"task":{"tokens":")" + std::string(tokens) + R"("}})";
    drawn.view.take(s);
  }
  drawn.source.to = 100;
  drawn.draw(CurveKind::kLoss);
  ASSERT_EQ(drawn.series.ghost_runs.size(), 1u);
  EXPECT_EQ(drawn.series.ghost_runs[0].run, 1u);
}

TEST(CurveSeries, RunsOfAnotherTaskAreNotBehind) {
  Drawn drawn;
  Snapshot other = part(1, 0, 0, 30);
  other.task = "sort";
  drawn.view.take(other);
  Snapshot same = part(2, 0, 0, 40);
  same.task = "reverse";
  drawn.view.take(same);
  same = part(3, 0, 0, 20);
  same.task = "reverse";
  drawn.view.take(same);
  ASSERT_NE(drawn.view.runs()[0].task, drawn.view.runs()[2].task);
  drawn.source.to = 100;
  drawn.draw(CurveKind::kLoss);
  ASSERT_EQ(drawn.series.ghost_runs.size(), 1u);
  EXPECT_EQ(drawn.series.ghost_runs[0].run, 2u);
}

}  // namespace
}  // namespace tp::ui
