#include "imgui_app/model/curve_geometry.h"

#include <algorithm>
#include <cmath>

namespace tp::ui {
namespace {

// The parts of a source that matter to what lies behind.
CurveSource behind(const CurveSource& source) {
  return {.run = source.run,
          .goal = source.goal,
          .from = source.from,
          .to = source.to,
          .logarithmic = source.logarithmic,
          .smoothing = source.smoothing,
          .earlier_runs = source.earlier_runs,
          .ghosts = source.ghosts};
}

bool may_be_logarithmic(CurveKind kind) {
  return kind == CurveKind::kLoss || kind == CurveKind::kPerplexity ||
         kind == CurveKind::kGradientNorm || kind == CurveKind::kUpdateRatio;
}

}  // namespace

std::uint64_t ghosts_print(const RunView& run, std::int32_t leaf) {
  std::uint64_t print = 14695981039346656037u;  // FNV-1a
  const auto mix = [&](std::uint64_t value) { print = (print ^ value) * 1099511628211u; };
  const std::vector<RunCurves>& runs = run.runs();
  for (std::size_t i = 0; i + 1 < runs.size(); ++i) mix(runs[i].run);
  if (!runs.empty()) {
    for (const Stretch& stretch : beside_line(runs.back(), leaf)) {
      mix(static_cast<std::uint64_t>(stretch.curves->branch.id) + 1);
      mix(stretch.after);
      mix(stretch.curves->points.size());
      mix(stretch.curves->exams.size());
    }
  }
  return print;
}

void CurveGeometry::Range::add(double value) {
  if (!std::isfinite(value)) return;
  low = std::min(low, value);
  high = std::max(high, value);
}
void CurveGeometry::Range::add(const Range& other) {
  low = std::min(low, other.low);
  high = std::max(high, other.high);
}

// A learning rate is what it is.
double CurveGeometry::smoothing() const {
  return kind_ == CurveKind::kLearningRate ? 0 : source_.smoothing;
}

// Calls use(run, stretch, ...) for each line behind, with the points at which it left its parent.
template <class Use>
void CurveGeometry::for_each_ghost(Use use) const {
  const std::vector<RunCurves>& runs = source_.run->runs();
  const auto all_of = [&](const RunCurves& run, const CurveLine& lines) {
    for (const Stretch& stretch : lines) {
      const Branch& branch = stretch.curves->branch;
      const bool grown = stretch.after == branch.first_step && branch.parent >= 0;
      const CurveLine before = line_to(run, grown ? branch.parent : branch.id);
      use(run.run, stretch, stretch.first ? nullptr : point_at(before, stretch.after),
          stretch.first ? nullptr : exam_at(before, stretch.after));
    }
  };
  for (std::size_t i = 0; source_.earlier_runs && i + 1 < runs.size(); ++i) {
    all_of(runs[i], beside_line(runs[i], -1));
  }
  if (!runs.empty()) all_of(runs.back(), beside_line(runs.back(), source_.leaf));
}

void CurveGeometry::measure(const CurveLine& line) {
  smooth_ = raw_ = {};
  Smoother smoother(smoothing());
  for_each_point(line, &BranchCurves::points, [&](const MetricPoint& point) {
    const auto step = static_cast<double>(point.step);
    const double value = train_value(kind_, point), smooth = smoother.add(step, value);
    if (step < source_.from || step > source_.to) return;
    raw_.add(value);
    smooth_.add(smooth);
  });
  baseline = std::numeric_limits<double>::quiet_NaN();
  for_each_point(line, &BranchCurves::exams, [&](const ExamPoint& exam) {
    if (std::isfinite(exam.baseline)) baseline = exam.baseline;
    const auto step = static_cast<double>(exam.step);
    if (step < source_.from || step > source_.to) return;
    smooth_.add(heldout_value(kind_, source_.goal, exam));
  });
  if (const CurveSource now = behind(source_); !(now == ghosts_measured_)) {
    ghosts_measured_ = now;
    ghost_range_ = {};
    for_each_ghost(
        [&](std::uint32_t, const Stretch& stretch, const MetricPoint*, const ExamPoint*) {
          const auto within = [&](std::uint64_t step) {
            const auto at = static_cast<double>(step);
            return at >= source_.from && at <= source_.to;
          };
          for_each_point({stretch}, &BranchCurves::points, [&](const MetricPoint& point) {
            if (within(point.step)) ghost_range_.add(train_value(kind_, point));
          });
          if (kind_ != CurveKind::kGoal) return;
          for_each_point({stretch}, &BranchCurves::exams, [&](const ExamPoint& exam) {
            if (within(exam.step)) ghost_range_.add(heldout_value(kind_, source_.goal, exam));
          });
        });
  }
}

void CurveGeometry::set_scale(CurveKind kind, const CurveSource& source, const CurveLine& line,
                              int most_ticks) {
  if (kind == kind_ && source == source_ && most_ticks == most_ticks_) return;
  if (kind != kind_) drawn_ = ghosts_drawn_ = ghosts_measured_ = {};
  kind_ = kind;
  source_ = source;
  most_ticks_ = most_ticks;
  measure(line);

  y_.from = 0, y_.to = 1;
  y_.logarithmic = source.logarithmic && may_be_logarithmic(kind);
  if (!is_share(kind, source.goal)) {
    // A single wild value must not press everything else flat: it leaves the plot at the top.
    double top = std::min(raw_.high, 3 * smooth_.high);
    if (!std::isfinite(top)) top = smooth_.high;
    double low = std::min(raw_.low, smooth_.low);
    if (std::isfinite(ghost_range_.high)) {
      top = std::isfinite(top) ? std::max(top, std::min(ghost_range_.high, 2 * top))
                               : ghost_range_.high;
      low = std::min(low, ghost_range_.low);
    }
    const double guess = source.run->now().vocabulary > 1
                             ? std::log(static_cast<double>(source.run->now().vocabulary))
                             : 0;
    if (kind == CurveKind::kLoss && guess > 0) {
      top = std::isfinite(top) ? std::min(top, 3 * guess) : guess;
      if (!source.zoomed) top = std::max(top, 1.05 * guess);
    }
    if (kind == CurveKind::kPerplexity && guess > 0 && std::isfinite(top)) {
      top = std::min(top, 3.0 * source.run->now().vocabulary);
    }
    if (kind == CurveKind::kGoal && std::isfinite(baseline)) top = std::max(top, 1.05 * baseline);
    if (!std::isfinite(top) || top <= 0) top = 1;
    if (y_.logarithmic) {
      low = low > 0 && std::isfinite(low) ? std::max(low, top * 1e-5) : top * 1e-2;
      y_.from = decade_below(low);
      y_.to = decade_above(top);
      if (y_.to <= y_.from) y_.to = 10 * y_.from;
    } else {
      y_.to = round_up(top);
    }
  }
  ticks_ = round_ticks(y_, most_ticks);
  labels_.clear();
  for (const double tick : ticks_) {
    labels_.push_back(is_share(kind, source.goal) ? tick_label(std::round(100 * tick)) + "%"
                                                  : tick_label(tick));
  }
}

void CurveGeometry::set_place(const CurveLine& line, float left, float right, float top,
                              float bottom) {
  x_ = {.from = source_.from, .to = source_.to, .start = left, .end = right};
  y_.start = bottom;
  y_.end = top;
  if (!(drawn_ == source_) || !(drawn_x_ == x_) || !(drawn_y_ == y_)) {
    drawn_ = source_;
    drawn_x_ = x_;
    drawn_y_ = y_;
    draw_lines(line);
    ++builds_;
  }
  const CurveSource now = behind(source_);
  if (!(ghosts_drawn_ == now) || !(ghosts_x_ == x_) || !(ghosts_y_ == y_)) {
    ghosts_drawn_ = now;
    ghosts_x_ = x_;
    ghosts_y_ = y_;
    draw_ghosts();
  }
}

void CurveGeometry::draw_lines(const CurveLine& line) {
  raw.clear(), strong.clear(), heldout.clear();
  train_end.reset(), heldout_end.reset();
  const bool smoothed = smoothing() > 0;
  {
    Smoother smoother(smoothing());
    LineThinner raw_line(x_, y_, raw), strong_line(x_, y_, strong);
    for_each_point(line, &BranchCurves::points, [&](const MetricPoint& point) {
      const auto step = static_cast<double>(point.step);
      const double value = train_value(kind_, point), smooth = smoother.add(step, value);
      if (smoothed) raw_line.add(step, value);
      strong_line.add(step, smoothed ? smooth : value);
      if (step <= x_.to && std::isfinite(value)) train_end = {{x_.pixel(step), y_.pixel(smooth)}};
    });
    raw_line.finish(), strong_line.finish();
  }
  LineThinner heldout_line(x_, y_, heldout);
  for_each_point(line, &BranchCurves::exams, [&](const ExamPoint& exam) {
    const auto step = static_cast<double>(exam.step);
    const double value = heldout_value(kind_, source_.goal, exam);
    heldout_line.add(step, value);
    if (step <= x_.to && std::isfinite(value)) heldout_end = {{x_.pixel(step), y_.pixel(value)}};
  });
  heldout_line.finish();
}

void CurveGeometry::draw_ghosts() {
  ghosts.clear(), ghost_runs.clear();
  for_each_ghost([&](std::uint32_t run, const Stretch& stretch, const MetricPoint* fork,
                     const ExamPoint* exam_fork) {
    const std::size_t first = ghosts.size();
    LineThinner ghost(x_, y_, ghosts);
    const CurveLine line = {stretch};
    if (kind_ == CurveKind::kGoal) {
      const auto add = [&](const ExamPoint& exam) {
        ghost.add(static_cast<double>(exam.step), heldout_value(kind_, source_.goal, exam));
      };
      if (exam_fork != nullptr) add(*exam_fork);
      for_each_point(line, &BranchCurves::exams, add);
    } else {
      Smoother smoother(smoothing());
      const auto add = [&](const MetricPoint& point) {
        const auto step = static_cast<double>(point.step);
        ghost.add(step, smoother.add(step, train_value(kind_, point)));
      };
      if (fork != nullptr) add(*fork);
      for_each_point(line, &BranchCurves::points, add);
    }
    ghost.finish();
    ghost_runs.push_back({run, first, ghosts.size()});
  });
}

}  // namespace tp::ui
