#include "imgui_app/model/curve_line.h"

#include <algorithm>
#include <cmath>

#include "engine/core/small_sort.h"

namespace tp::ui {
namespace {

constexpr std::uint64_t kEnd = std::numeric_limits<std::uint64_t>::max();

// What each kind of curve draws; the goal's held-out series depends on the task.
struct Drawn {
  std::string_view train, heldout;
};
constexpr Drawn kDrawn[kCurveKinds] = {
    {"loss", "heldout_loss"},
    {"", ""},
    {"perplexity", "heldout_perplexity"},
    {"token_accuracy", "heldout_token_accuracy"},
    {"learning_rate", ""},
    {"gradient_norm", ""},
    {"update_ratio", ""},
};
constexpr std::string_view kGoals[] = {"heldout_exact", "heldout_token_accuracy", "heldout_metric"};

const BranchCurves* find_branch(const RunCurves& run, std::int32_t id) {
  const auto found =
      std::ranges::find_if(run.branches, [&](const auto& b) { return b.branch.id == id; });
  return found == run.branches.end() ? nullptr : &*found;
}

// Calls use(point) for every point of the line, in order.
template <class Use>
void for_each_point(const CurveLine& line, std::string_view series, Use use) {
  for (const Stretch& stretch : line) {
    for (const SeriesPoint& point : stretch.curves->line(series)) {
      if (point.step > stretch.to) break;
      if (stretch.has(point.step)) use(point);
    }
  }
}

const SeriesPoint* last_at(const CurveLine& line, std::string_view series, std::uint64_t step) {
  for (auto stretch = line.rbegin(); stretch != line.rend(); ++stretch) {
    const std::vector<SeriesPoint>& points = stretch->curves->line(series);
    const auto after =
        std::ranges::upper_bound(points, std::min(step, stretch->to), {}, &SeriesPoint::step);
    if (after != points.begin() && stretch->has((after - 1)->step)) return &*(after - 1);
  }
  return nullptr;
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

}  // namespace

std::string_view series_of(CurveKind kind, CurveGoal goal, CurveOf of) {
  const Drawn& drawn = kDrawn[static_cast<std::size_t>(kind)];
  if (of == CurveOf::kTrain) return drawn.train;
  return kind == CurveKind::kGoal ? kGoals[static_cast<std::size_t>(goal)] : drawn.heldout;
}

const SeriesInfo& info_of(CurveKind kind, CurveGoal goal) {
  const CurveOf of = kind == CurveKind::kGoal ? CurveOf::kHeldout : CurveOf::kTrain;
  return *series_info(series_of(kind, goal, of));
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
  for_each_point(line, series_of(kind, goal, of), [&](const SeriesPoint& point) {
    values.push_back({static_cast<double>(point.step), point.value});
  });
}

std::optional<PlotPoint> value_at(const CurveLine& line, CurveKind kind, CurveGoal goal, CurveOf of,
                                  std::uint64_t step) {
  const SeriesPoint* point = last_at(line, series_of(kind, goal, of), step);
  if (point == nullptr) return std::nullopt;
  return PlotPoint{static_cast<double>(point->step), point->value};
}

double baseline_of(const CurveLine& line) {
  const SeriesPoint* baseline = last_at(line, "heldout_baseline", kEnd);
  return baseline ? baseline->value : std::numeric_limits<double>::quiet_NaN();
}

CurveGoal goal_of(const CurveLine& line) {
  for (const CurveGoal goal : {CurveGoal::kExact, CurveGoal::kTokens, CurveGoal::kMetric}) {
    if (last_at(line, kGoals[static_cast<std::size_t>(goal)], kEnd)) return goal;
  }
  return CurveGoal::kExact;
}

bool has_values(const CurveLine& line) {
  return std::ranges::any_of(line, [](const Stretch& stretch) {
    return !stretch.curves->line("loss").empty() || !stretch.curves->line("heldout_loss").empty();
  });
}
bool has_values(const RunCurves& run) { return has_values(beside_line(run, -1)); }

std::uint64_t last_step(const CurveLine& line) {
  std::uint64_t last = 0;
  for (const std::string_view series : {"loss", "heldout_loss"}) {
    if (const SeriesPoint* point = last_at(line, series, kEnd)) last = std::max(last, point->step);
  }
  return last;
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
    mix(stretch.curves->line("loss").size());
    mix(stretch.curves->line("heldout_loss").size());
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
  for_each_point(line, "heldout_mean_alignment", [&](const SeriesPoint& share) {
    if (half || !(share.value >= 0.5)) return;
    half = true;
    marks.push_back({share.step, nullptr});
  });
  small_sort(marks, &CurveMark::step);
}

}  // namespace tp::ui
