// What the plots of the curves are computed from, without a window.

#include <gtest/gtest.h>

#include <cmath>

#include "imgui_app/model/curve_geometry.h"

namespace tp::ui {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

TEST(PlotAxis, GoesToPixelsAndBack) {
  const PlotAxis axis{.from = 10, .to = 20, .start = 100, .end = 300};
  EXPECT_FLOAT_EQ(axis.pixel(15), 200);
  EXPECT_DOUBLE_EQ(axis.value(axis.pixel(12.5)), 12.5);
  const PlotAxis log{.from = 0.01, .to = 100, .start = 400, .end = 0, .logarithmic = true};
  EXPECT_FLOAT_EQ(log.pixel(1), 200);
  EXPECT_NEAR(log.value(300), 0.1, 1e-6);
  EXPECT_TRUE(std::isfinite(log.pixel(0)));
  EXPECT_TRUE(std::isfinite(log.pixel(-5)));
}

TEST(PlotAxis, RoundNumbersAreRound) {
  EXPECT_DOUBLE_EQ(round_up(3.37), 4);
  EXPECT_DOUBLE_EQ(round_up(300), 300);
  EXPECT_DOUBLE_EQ(round_up(301), 400);
  EXPECT_DOUBLE_EQ(round_up(0.0011), 0.0012);
  EXPECT_DOUBLE_EQ(round_up(9), 10);
  for (const double bad : {0.0, -1.0, kNone, std::numeric_limits<double>::infinity()}) {
    EXPECT_GT(round_up(bad), 0);
  }
  EXPECT_DOUBLE_EQ(decade_below(0.07), 0.05);
  EXPECT_DOUBLE_EQ(decade_above(0.07), 0.1);
}

TEST(PlotAxis, TicksAreFewAndWithin) {
  for (const double to : {1.0, 1.2, 1.5, 2.5, 4.0, 8.0, 300.0, 12345.0, 2e-3}) {
    for (const int most : {2, 3, 5, 7}) {
      const PlotAxis axis{.from = 0, .to = to};
      const std::vector<double> ticks = round_ticks(axis, most);
      EXPECT_GE(ticks.size(), 2u) << to << " " << most;
      EXPECT_LE(std::ssize(ticks), most) << to << " " << most;
      for (const double tick : ticks) {
        EXPECT_TRUE(tick >= 0 && tick <= to * 1.000001 && !std::signbit(tick)) << tick;
      }
    }
  }
  const std::vector<double> log = round_ticks({.from = 1e-4, .to = 10, .logarithmic = true}, 3);
  EXPECT_LE(log.size(), 3u);
  EXPECT_GE(log.size(), 2u);
}

TEST(PlotAxis, TickLabelsAreShort) {
  EXPECT_EQ(tick_label(0), "0");
  EXPECT_EQ(tick_label(0.5), "0.5");
  EXPECT_EQ(tick_label(0.1 * 3), "0.3");
  EXPECT_EQ(tick_label(20000), "20,000");
  EXPECT_EQ(tick_label(0.00005), "5e-5");
  EXPECT_EQ(tick_label(0.001), "0.001");
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
  const PlotAxis x{.from = 0, .to = 100'000, .start = 0, .end = 400};
  const PlotAxis y{.from = 0, .to = 1, .start = 100, .end = 0};
  std::vector<PlotPoint> line;
  LineThinner thinner(x, y, line);
  for (int i = 0; i <= 100'000; ++i) thinner.add(i, i == 51'234 ? 1 : i == 51'235 ? 0 : 0.5);
  thinner.finish();
  EXPECT_LE(line.size(), 2u * 402);
  float lowest = 1e9f, highest = -1e9f;
  for (const PlotPoint& point : line) {
    if (!std::isfinite(point.y)) continue;
    lowest = std::min(lowest, point.y);
    highest = std::max(highest, point.y);
  }
  EXPECT_FLOAT_EQ(lowest, 0);
  EXPECT_FLOAT_EQ(highest, 100);
}

TEST(LineThinner, ReachesBeyondTheAxisAndBreaksAtNothing) {
  const PlotAxis x{.from = 10, .to = 20, .start = 0, .end = 100};
  const PlotAxis y{.from = 0, .to = 1, .start = 100, .end = 0};
  std::vector<PlotPoint> line;
  LineThinner thinner(x, y, line);
  for (int i = 0; i < 40; ++i) thinner.add(i, i == 15 ? kNone : 0.5);
  thinner.finish();
  std::vector<float> xs;
  int breaks = 0;
  for (const PlotPoint& point : line) {
    if (std::isfinite(point.x)) {
      xs.push_back(point.x);
    } else {
      ++breaks;
    }
  }
  EXPECT_FLOAT_EQ(xs.front(), -10);  // step 9
  EXPECT_FLOAT_EQ(xs.back(), 110);   // step 21
  EXPECT_EQ(xs.size(), 12u);
  EXPECT_EQ(breaks, 2);
}

Snapshot part(std::uint32_t run, std::int32_t branch, int from, int to) {
  Snapshot s;
  s.run = run;
  s.vocabulary = 29;
  s.moment = {branch, static_cast<std::uint64_t>(to)};
  for (int i = from + 1; i <= to; ++i) {
    const auto step = static_cast<std::uint64_t>(i);
    s.points.push_back({.step = step, .loss = 3.0 / i + branch});
    if (i % 10 == 0) {
      s.exams.push_back(
          {.step = step, .loss = 3.0 / i, .exact = 0.01 * i, .mean_alignment = 0.01 * i});
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
  EXPECT_EQ(point_at(line, 40)->loss, 3.0 / 40);
  EXPECT_EQ(point_at(line, 41)->loss, 3.0 / 41 + 1);
  EXPECT_EQ(point_at(line, 1000)->step, 90u);
  EXPECT_EQ(point_at(line, 0), nullptr);
  EXPECT_EQ(exam_at(line, 45)->step, 40u);
  ASSERT_EQ(beside.size(), 1u);
  EXPECT_EQ(beside[0].after, 40u);
  EXPECT_EQ(last_step(beside), 100u);
  EXPECT_TRUE(on_line(line, {0, 40}));
  EXPECT_FALSE(on_line(line, {0, 41}));
  EXPECT_TRUE(on_line(line, {1, 41}));
  EXPECT_TRUE(line_to(run, 7).empty());
  std::size_t points = 0;
  for_each_point(line, &BranchCurves::points,
                 [&](const MetricPoint& p) { EXPECT_EQ(p.step, ++points); });
  EXPECT_EQ(points, 90u);
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
  EXPECT_EQ(*kept_before(kept, line, 60), (Moment{0, 40}));
  EXPECT_EQ(*kept_after(kept, line, 40), (Moment{1, 60}));
  EXPECT_EQ(kept_after(kept, line, 80), nullptr);
  EXPECT_EQ(kept_before(kept, line, 0), nullptr);
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
  CurveGeometry geometry;
  CurveSource source;

  void draw(CurveKind kind) {
    source.run = &view;
    source.version = view.curves_version();
    source.leaf = view.now().moment.branch;
    source.ghosts = ghosts_print(view, source.leaf);
    const CurveLine line = line_to(view.runs().back(), source.leaf);
    geometry.set_scale(kind, source, line, 4);
    geometry.set_place(line, 0, 500, 0, 100);
  }
};

TEST(CurveGeometry, ComputesOnlyWhenSomethingChanged) {
  Drawn drawn;
  drawn.view.take(part(1, 0, 0, 20'000));
  drawn.source.to = 20'000;
  drawn.source.smoothing = 0.6;
  for (int frame = 0; frame < 10; ++frame) drawn.draw(CurveKind::kLoss);
  EXPECT_EQ(drawn.geometry.builds(), 1);
  EXPECT_LE(drawn.geometry.raw.size(), 2u * 503);
  EXPECT_LE(drawn.geometry.strong.size(), 2u * 503);
  drawn.view.take(part(1, 0, 20'000, 20'010));
  drawn.draw(CurveKind::kLoss);
  EXPECT_EQ(drawn.geometry.builds(), 2);
  drawn.source.logarithmic = true;
  drawn.draw(CurveKind::kLoss);
  EXPECT_EQ(drawn.geometry.builds(), 3);
  EXPECT_TRUE(drawn.geometry.y().logarithmic);
}

TEST(CurveGeometry, TheLossBeginsAtZeroAndReachesGuessing) {
  Drawn drawn;
  drawn.view.take(part(1, 0, 0, 100));
  drawn.source.to = 100;
  drawn.draw(CurveKind::kLoss);
  EXPECT_EQ(drawn.geometry.y().from, 0);
  EXPECT_GE(drawn.geometry.y().to, std::log(29.0));
  drawn.source.from = 50;
  drawn.source.zoomed = true;
  drawn.draw(CurveKind::kLoss);
  EXPECT_LT(drawn.geometry.y().to, 0.2);
  drawn.draw(CurveKind::kGoal);
  EXPECT_EQ(drawn.geometry.y().to, 1);
  EXPECT_EQ(drawn.geometry.labels().back(), "100%");
}

TEST(CurveGeometry, AWildValueDoesNotFlattenTheRest) {
  Drawn drawn;
  Snapshot s = part(1, 0, 0, 100);
  s.points[60].loss = 1e30;
  s.points[61].loss = std::numeric_limits<double>::infinity();
  s.points[62].loss = kNone;
  drawn.view.take(s);
  drawn.source.to = 100;
  drawn.source.smoothing = 0;
  drawn.draw(CurveKind::kLoss);
  EXPECT_LE(drawn.geometry.y().to, 12);
  drawn.draw(CurveKind::kPerplexity);
  EXPECT_LE(drawn.geometry.y().to, 100);
}

TEST(CurveGeometry, WhatLiesBehindAreOtherBranchesAndEarlierRuns) {
  Drawn drawn;
  drawn.view = forked();
  drawn.source.to = 100;
  drawn.draw(CurveKind::kLoss);
  ASSERT_EQ(drawn.geometry.ghost_runs.size(), 1u);
  // The branch that was left begins where it was left.
  EXPECT_FLOAT_EQ(drawn.geometry.ghosts.front().x, 200);
  drawn.view.take(part(2, 0, 0, 30));
  drawn.draw(CurveKind::kLoss);
  EXPECT_EQ(drawn.geometry.ghost_runs.size(), 2u);
  drawn.source.earlier_runs = false;
  drawn.draw(CurveKind::kLoss);
  EXPECT_EQ(drawn.geometry.ghost_runs.size(), 0u);
}

}  // namespace
}  // namespace tp::ui
