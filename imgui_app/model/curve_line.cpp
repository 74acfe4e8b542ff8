#include "imgui_app/model/curve_line.h"

#include <algorithm>
#include <cmath>

namespace tp::ui {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

const BranchCurves* find_branch(const RunCurves& run, std::int32_t id) {
  const auto found =
      std::ranges::find_if(run.branches, [&](const auto& b) { return b.branch.id == id; });
  return found == run.branches.end() ? nullptr : &*found;
}

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

template <class Point>
const Point* last_at(const CurveLine& line, std::vector<Point> BranchCurves::*member,
                     std::uint64_t step) {
  for (auto stretch = line.rbegin(); stretch != line.rend(); ++stretch) {
    const std::vector<Point>& points = stretch->curves->*member;
    const auto after =
        std::ranges::upper_bound(points, std::min(step, stretch->to), {}, &Point::step);
    if (after != points.begin() && stretch->has((after - 1)->step)) return &*(after - 1);
  }
  return nullptr;
}

const ExamPoint* last_exam(const CurveLine& line) {
  return last_at(line, &BranchCurves::exams, std::numeric_limits<std::uint64_t>::max());
}

// The kept moment on the line for which `cost` is smallest; a negative cost rules one out.
template <class Cost>
const Moment* best_kept(const std::vector<Moment>& kept, const CurveLine& line, Cost cost) {
  const Moment* best = nullptr;
  double lowest = 0;
  for (const Moment& moment : kept) {
    const double now = cost(static_cast<double>(moment.step));
    if (now < 0 || (best != nullptr && now >= lowest) || !on_line(line, moment)) continue;
    best = &moment;
    lowest = now;
  }
  return best;
}

double value_of(CurveKind kind, CurveGoal, const MetricPoint& point) {
  switch (kind) {
    case CurveKind::kGoal:
      return kNone;
    case CurveKind::kPerplexity:
      return std::exp(point.loss);
    case CurveKind::kTokenAccuracy:
      return point.token_accuracy;
    case CurveKind::kLearningRate:
      return point.learning_rate;
    case CurveKind::kGradientNorm:
      return point.gradient_norm;
    case CurveKind::kUpdateRatio:
      return point.update_ratio;
    case CurveKind::kLoss:
      break;
  }
  return point.loss;
}

double value_of(CurveKind kind, CurveGoal goal, const ExamPoint& exam) {
  if (kind == CurveKind::kLoss) return exam.loss;
  if (kind == CurveKind::kPerplexity) return std::exp(exam.loss);
  if (kind == CurveKind::kTokenAccuracy) return exam.token_accuracy;
  if (kind != CurveKind::kGoal) return kNone;
  return goal == CurveGoal::kExact    ? exam.exact
         : goal == CurveGoal::kTokens ? exam.token_accuracy
                                      : exam.metric;
}

}  // namespace

bool is_share(CurveKind kind, CurveGoal goal) {
  return kind == CurveKind::kTokenAccuracy ||
         (kind == CurveKind::kGoal && goal != CurveGoal::kMetric);
}

CurveLine line_to(const RunCurves& run, std::int32_t leaf) {
  CurveLine line;
  Stretch stretch;
  for (const BranchCurves* branch = find_branch(run, leaf); branch != nullptr;) {
    const Branch& b = branch->branch;
    stretch.curves = branch;
    stretch.first = b.parent < 0;
    stretch.after = b.first_step;
    line.insert(line.begin(), stretch);
    stretch.to = std::min(stretch.to, b.first_step);
    // A parent is always older; anything else would go round in circles.
    branch = b.parent < b.id ? find_branch(run, b.parent) : nullptr;
  }
  return line;
}

CurveLine beside_line(const RunCurves& run, std::int32_t leaf) {
  const CurveLine line = line_to(run, leaf);
  CurveLine beside;
  for (const BranchCurves& branch : run.branches) {
    const auto main =
        std::ranges::find_if(line, [&](const Stretch& s) { return s.curves == &branch; });
    Stretch stretch{
        .curves = &branch, .after = branch.branch.first_step, .first = branch.branch.parent < 0};
    if (main != line.end()) {
      if (main->to == std::numeric_limits<std::uint64_t>::max()) continue;
      stretch.after = main->to;
      stretch.first = false;
    }
    beside.push_back(stretch);
  }
  return beside;
}

bool on_line(const CurveLine& line, const Moment& moment) {
  return std::ranges::any_of(line, [&](const Stretch& stretch) {
    // The moment where a branch begins is its parent's, and may be told as its own.
    return stretch.curves->branch.id == moment.branch && moment.step >= stretch.after &&
           moment.step <= stretch.to;
  });
}

void collect_values(const CurveLine& line, CurveKind kind, CurveGoal goal, CurveOf of,
                    std::vector<PlotPoint>& values) {
  values.clear();
  const auto add = [&](const auto& point) {
    values.push_back({static_cast<double>(point.step), value_of(kind, goal, point)});
  };
  if (of == CurveOf::kTrain) return for_each_point(line, &BranchCurves::points, add);
  for_each_point(line, &BranchCurves::exams, add);
}

std::optional<PlotPoint> value_at(const CurveLine& line, CurveKind kind, CurveGoal goal, CurveOf of,
                                  std::uint64_t step) {
  const auto found = [&](const auto* point) -> std::optional<PlotPoint> {
    if (point == nullptr) return std::nullopt;
    return PlotPoint{static_cast<double>(point->step), value_of(kind, goal, *point)};
  };
  return of == CurveOf::kTrain ? found(last_at(line, &BranchCurves::points, step))
                               : found(last_at(line, &BranchCurves::exams, step));
}

double baseline_of(const CurveLine& line) {
  const ExamPoint* exam = last_exam(line);
  return exam ? exam->baseline : kNone;
}

CurveGoal goal_of(const CurveLine& line) {
  const ExamPoint* exam = last_exam(line);
  if (exam == nullptr || std::isfinite(exam->exact)) return CurveGoal::kExact;
  return std::isfinite(exam->token_accuracy) ? CurveGoal::kTokens : CurveGoal::kMetric;
}

bool has_values(const CurveLine& line) {
  return std::ranges::any_of(line, [](const Stretch& stretch) {
    return !stretch.curves->points.empty() || !stretch.curves->exams.empty();
  });
}
bool has_values(const RunCurves& run) { return has_values(beside_line(run, -1)); }

std::uint64_t last_step(const CurveLine& line) {
  const MetricPoint* point =
      last_at(line, &BranchCurves::points, std::numeric_limits<std::uint64_t>::max());
  const ExamPoint* exam = last_exam(line);
  return std::max(point ? point->step : 0, exam ? exam->step : 0);
}
std::uint64_t last_step(const RunCurves& run) {
  std::uint64_t last = 0;
  for (const Stretch& stretch : beside_line(run, -1)) last = std::max(last, last_step({stretch}));
  return last;
}

std::uint64_t ghosts_print(const RunView& run, std::int32_t leaf) {
  std::uint64_t print = 14695981039346656037u;  // FNV-1a
  const auto mix = [&](std::uint64_t value) { print = (print ^ value) * 1099511628211u; };
  const std::vector<RunCurves>& runs = run.runs();
  for (std::size_t i = 0; i + 1 < runs.size(); ++i) mix(runs[i].run);
  if (runs.empty()) return print;
  for (const Stretch& stretch : beside_line(runs.back(), leaf)) {
    mix(static_cast<std::uint64_t>(stretch.curves->branch.id) + 1);
    mix(stretch.after);
    mix(stretch.curves->points.size());
    mix(stretch.curves->exams.size());
  }
  return print;
}

const Moment* nearest_kept(const std::vector<Moment>& kept, const CurveLine& line, double step) {
  return best_kept(kept, line, [&](double at) { return std::abs(at - step); });
}
const Moment* kept_beside(const std::vector<Moment>& kept, const CurveLine& line,
                          std::uint64_t step, bool later) {
  const double now = static_cast<double>(step), sign = later ? 1 : -1;
  return best_kept(kept, line, [&](double at) { return at == now ? -1 : sign * (at - now); });
}

void collect_marks(const CurveLine& line, std::vector<CurveMark>& marks) {
  marks.clear();
  bool half = false;
  for (const Stretch& stretch : line) {
    for (const CurveEvent& event : stretch.curves->events) {
      if (event.step >= stretch.after && event.step <= stretch.to) {
        marks.push_back({event.step, &event});
      }
    }
  }
  for_each_point(line, &BranchCurves::exams, [&](const ExamPoint& exam) {
    if (half || !(exam.mean_alignment >= 0.5)) return;
    half = true;
    marks.push_back({exam.step, nullptr});
  });
  std::ranges::stable_sort(marks, {}, &CurveMark::step);
}

}  // namespace tp::ui
