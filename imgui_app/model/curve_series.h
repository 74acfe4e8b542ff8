#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "imgui_app/model/curve_line.h"
#include "imgui_app/model/plot_data.h"

namespace tp::ui {

// What a plot is made of. As long as this stays the same, so does the plot.
struct CurveSource {
  const RunView* run = nullptr;
  int version = -1;       // of its curves
  std::int32_t leaf = 0;  // of the line shown
  CurveGoal goal = CurveGoal::kExact;
  double from = 0, to = 1;  // steps
  double columns = 1;       // of pixels
  bool zoomed = false;
  bool logarithmic = false;
  double smoothing = 0;
  bool earlier_runs = true;  // behind it; the other branches always are
  std::uint64_t ghosts = 0;  // ghosts_print()
  bool operator==(const CurveSource&) const = default;
};

// The lines of one plot, at most two points a column of pixels, and its scale. Everything is
// computed when its source has changed, and otherwise kept.
class CurveSeries {
 public:
  void update(CurveKind kind, const CurveSource& source, const CurveLine& line);

  const PlotAxis& y() const { return y_; }
  std::vector<PlotPoint> raw, strong, heldout, ghosts;
  struct Ghost {  // which of the points in `ghosts` are of which run
    std::uint32_t run = 0;
    std::int32_t branch = -1;  // of the run shown; -1: another run
    std::size_t first = 0, last = 0;
  };
  std::vector<Ghost> ghost_runs;
  std::optional<PlotPoint> train_end, heldout_end;  // what the names stand beside
  double baseline = std::numeric_limits<double>::quiet_NaN();

  int builds() const { return builds_; }  // how often lines were computed

 private:
  struct Range {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    void add(double value);
  };
  void compute_lines(const CurveLine& line);
  void compute_ghosts();
  void compute_scale();
  bool within(double step) const { return step >= source_.from && step <= source_.to; }

  CurveKind kind_ = CurveKind::kLoss;
  CurveSource source_, ghosts_of_;
  double smoothing_ = 0;
  Range smooth_range_, raw_range_, ghost_range_;
  PlotAxis y_;
  std::vector<PlotPoint> values_;
  int builds_ = 0;
};

}  // namespace tp::ui
