#include "imgui_app/model/curve_series.h"

#include <algorithm>
#include <cmath>

namespace tp::ui {
namespace {

// The parts of a source that matter to what is behind the line.
CurveSource behind(CurveSource source) {
  source.version = -1;
  source.leaf = 0;
  source.zoomed = false;
  return source;
}

bool may_be_logarithmic(CurveKind kind) {
  return kind == CurveKind::kLoss || kind == CurveKind::kPerplexity ||
         kind == CurveKind::kGradientNorm || kind == CurveKind::kUpdateRatio;
}

}  // namespace

void CurveSeries::Range::add(double value) {
  if (!std::isfinite(value)) return;
  low = std::min(low, value);
  high = std::max(high, value);
}

void CurveSeries::update(CurveKind kind, const CurveSource& source, const CurveLine& line) {
  if (kind == kind_ && source == source_) return;
  const bool same_ghosts = kind == kind_ && behind(source) == ghosts_of_;
  kind_ = kind;
  source_ = source;
  smoothing_ = kind == CurveKind::kLearningRate ? 0 : source.smoothing;  // that one is exact
  compute_lines(line);
  if (!same_ghosts) {
    ghosts_of_ = behind(source);
    compute_ghosts();
  }
  compute_scale();
  ++builds_;
}

void CurveSeries::compute_lines(const CurveLine& line) {
  raw.clear(), strong.clear(), heldout.clear();
  train_end.reset(), heldout_end.reset();
  raw_range_ = smooth_range_ = {};
  Smoother smoother(smoothing_);
  LineThinner raw_line(source_.from, source_.to, source_.columns, raw);
  LineThinner strong_line(source_.from, source_.to, source_.columns, strong);
  collect_values(line, kind_, source_.goal, CurveOf::kTrain, values_);
  for (const PlotPoint& point : values_) {
    const PlotPoint smooth{point.x, smoother.add(point.x, point.y)};
    if (smoothing_ > 0) raw_line.add(point);
    strong_line.add(smooth);
    if (point.x <= source_.to && std::isfinite(point.y)) train_end = smooth;
    if (!within(point.x)) continue;
    raw_range_.add(point.y);
    smooth_range_.add(smooth.y);
  }
  raw_line.finish(), strong_line.finish();
  LineThinner heldout_line(source_.from, source_.to, source_.columns, heldout);
  collect_values(line, kind_, source_.goal, CurveOf::kHeldout, values_);
  for (const PlotPoint& point : values_) {
    heldout_line.add(point);
    if (point.x <= source_.to && std::isfinite(point.y)) heldout_end = point;
    if (within(point.x)) smooth_range_.add(point.y);
  }
  heldout_line.finish();
  baseline = baseline_of(line);
}

// Earlier runs whose numbers mean the same, and what is beside the line in this
// run, from the point on where it left its parent.
void CurveSeries::compute_ghosts() {
  ghosts.clear(), ghost_runs.clear();
  ghost_range_ = {};
  const std::vector<RunCurves>& runs = source_.run->runs();
  for (const RunCurves& run : runs) {
    const bool newest = &run == &runs.back();
    if (!newest && (!source_.earlier_runs || run.measure != runs.back().measure)) continue;
    for (const Stretch& stretch : beside_line(run, newest ? source_.leaf : -1)) {
      const std::size_t first = ghosts.size();
      const CurveOf of = kind_ == CurveKind::kGoal ? CurveOf::kHeldout : CurveOf::kTrain;
      LineThinner ghost(source_.from, source_.to, source_.columns, ghosts);
      Smoother smoother(of == CurveOf::kTrain ? smoothing_ : 0);
      const auto add = [&](const PlotPoint& point) {
        ghost.add({point.x, smoother.add(point.x, point.y)});
        if (within(point.x)) ghost_range_.add(point.y);
      };
      if (!stretch.first) {
        const Branch& branch = stretch.curves->branch;
        const bool grown = stretch.after == branch.first_step && branch.parent >= 0;
        const CurveLine before = line_to(run, grown ? branch.parent : branch.id);
        const auto fork = value_at(before, kind_, source_.goal, of, stretch.after);
        if (fork) add(*fork);
      }
      collect_values({stretch}, kind_, source_.goal, of, values_);
      for (const PlotPoint& point : values_) add(point);
      ghost.finish();
      ghost_runs.push_back(
          {run.run, newest ? stretch.curves->branch.id : -1, first, ghosts.size()});
    }
  }
}

void CurveSeries::compute_scale() {
  y_ = {.share = is_share(kind_, source_.goal)};
  if (y_.share) return;
  y_.logarithmic = source_.logarithmic && may_be_logarithmic(kind_);
  // A single wild value must not press everything else flat: it leaves the plot at the top.
  double top = std::max(smooth_range_.high, std::min(raw_range_.high, 3 * smooth_range_.high));
  double low = std::min(raw_range_.low, smooth_range_.low);
  if (std::isfinite(ghost_range_.high)) {
    top = std::isfinite(top) ? std::max(top, std::min(ghost_range_.high, 2 * top))
                             : ghost_range_.high;
    low = std::min(low, ghost_range_.low);
  }
  const double vocabulary = source_.run->now().vocabulary;
  if (kind_ == CurveKind::kLoss && vocabulary > 1) {
    const double guess = std::log(vocabulary);
    top = std::isfinite(top) ? std::min(top, 3 * guess) : guess;
    if (!source_.zoomed) top = std::max(top, 1.05 * guess);
  }
  if (kind_ == CurveKind::kPerplexity && vocabulary > 1) top = std::min(top, 3 * vocabulary);
  if (kind_ == CurveKind::kGoal && std::isfinite(baseline)) top = std::max(top, 1.05 * baseline);
  if (!std::isfinite(top) || top <= 0) top = 1;
  y_.to = y_.logarithmic ? 1.2 * top : round_up(top);
  if (!y_.logarithmic) return;
  low = low > 0 && std::isfinite(low) ? std::max(0.8 * low, top * 1e-5) : top * 1e-2;
  y_.from = low;
  // At least two powers of ten are there to be written beside it.
  const double lowest = std::pow(10, std::ceil(std::log10(low)));
  if (10 * lowest <= y_.to) return;
  y_.from = lowest <= y_.to ? lowest / 10 : std::pow(10, std::floor(std::log10(y_.to)));
  y_.to = std::max(y_.to, 10 * y_.from);
}

}  // namespace tp::ui
