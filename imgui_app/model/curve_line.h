#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "imgui_app/model/run_view.h"

// What the plots of the curves are made of: which points lie on the line that is shown, which are
// other branches, what is worth a mark. Knows no ImGui.

namespace tp::ui {

enum class CurveKind {
  kLoss,
  kGoal,  // what the task is judged by
  kPerplexity,
  kTokenAccuracy,
  kLearningRate,
  kGradientNorm,
  kUpdateRatio,
};
inline constexpr int kCurveKinds = 7;

// The share of right answers; of right tokens where there is no whole answer; else the task's own
// number.
enum class CurveGoal { kExact, kTokens, kMetric };
// Not a number where there is none.
double train_value(CurveKind kind, const MetricPoint& point);
double heldout_value(CurveKind kind, CurveGoal goal, const ExamPoint& exam);
bool is_share(CurveKind kind, CurveGoal goal);  // between 0 and 1

// A part of a branch: the points after step `after`, up to and with `to`.
struct Stretch {
  const BranchCurves* curves = nullptr;
  std::uint64_t after = 0, to = std::numeric_limits<std::uint64_t>::max();
  bool first = false;  // of the run: what is at step `after` belongs to it, too

  bool has(std::uint64_t step) const { return (step > after || first) && step <= to; }
};
using CurveLine = std::vector<Stretch>;

// A branch with those that it grew from, oldest first; empty when there is no such branch.
CurveLine line_to(const RunCurves& run, std::int32_t leaf);
// All that is not on that line. The points of a fork begin with the one where it left.
CurveLine beside_line(const RunCurves& run, std::int32_t leaf);
bool on_line(const CurveLine& line, const Moment& moment);

// The last step of which there is a number; 0: none.
std::uint64_t last_step(const CurveLine& line);
// The last at or before a step; null where there is none.
const MetricPoint* point_at(const CurveLine& line, std::uint64_t step);
const ExamPoint* exam_at(const CurveLine& line, std::uint64_t step);
CurveGoal goal_of(const CurveLine& line);

// Of the kept moments on the line, that nearest to a step; null when none is kept.
const Moment* nearest_kept(const std::vector<Moment>& kept, const CurveLine& line, double step);
// The next one before and after a step.
const Moment* kept_before(const std::vector<Moment>& kept, const CurveLine& line,
                          std::uint64_t step);
const Moment* kept_after(const std::vector<Moment>& kept, const CurveLine& line,
                         std::uint64_t step);

// A place on the step axis about which there is something to say.
struct CurveMark {
  std::uint64_t step = 0;
  const CurveEvent* event = nullptr;  // null: half of the outputs look where they should
};
// In the order of their steps.
void collect_marks(const CurveLine& line, std::vector<CurveMark>& marks);

// Calls use(point) for every point of the line, in order.
template <class Point, class Use>
void for_each_point(const CurveLine& line, std::vector<Point> BranchCurves::*member, Use use) {
  for (const Stretch& stretch : line) {
    for (const Point& point : stretch.curves->*member) {
      if (point.step > stretch.to) break;
      if (stretch.has(point.step)) use(point);
    }
  }
}

}  // namespace tp::ui
