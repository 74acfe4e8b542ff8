#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/train/series_list.h"
#include "imgui_app/model/plot_data.h"
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
enum class CurveOf { kTrain, kHeldout };

// The series that a curve draws; empty: none.
std::string_view series_of(CurveKind kind, CurveGoal goal, CurveOf of);
// What the list says of it: of the batches where there is one of them, else of the held-out data.
const SeriesInfo& info_of(CurveKind kind, CurveGoal goal);
inline bool is_share(CurveKind kind, CurveGoal goal) { return info_of(kind, goal).unit == "share"; }

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

// What is known along a line.
void collect_values(const CurveLine& line, CurveKind kind, CurveGoal goal, CurveOf of,
                    std::vector<PlotPoint>& values);
// The last one at or before a step.
std::optional<PlotPoint> value_at(const CurveLine& line, CurveKind kind, CurveGoal goal, CurveOf of,
                                  std::uint64_t step);
double baseline_of(const CurveLine& line);  // the task's number without learning
CurveGoal goal_of(const CurveLine& line);
bool has_values(const CurveLine& line);
bool has_values(const RunCurves& run);
// The last step of which there is a number; 0: none.
std::uint64_t last_step(const CurveLine& line);
std::uint64_t last_step(const RunCurves& run);
// Changes with what is behind the line: earlier runs and other branches, not with the line itself.
std::uint64_t ghosts_print(const RunView& run, std::int32_t leaf);

// Of the kept moments on the line, that nearest to a step; null when none is kept.
const Moment* nearest_kept(const std::vector<Moment>& kept, const CurveLine& line, double step);
// The next one after a step, or before it.
const Moment* kept_beside(const std::vector<Moment>& kept, const CurveLine& line,
                          std::uint64_t step, bool later);

// A place on the step axis about which there is something to say.
struct CurveMark {
  std::uint64_t step = 0;
  const CurveEvent* event = nullptr;  // null: half of the outputs look where they should
};
// In the order of their steps.
void collect_marks(const CurveLine& line, std::vector<CurveMark>& marks);

}  // namespace tp::ui
