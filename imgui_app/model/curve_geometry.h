#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "imgui_app/model/curve_line.h"
#include "imgui_app/model/plot_axis.h"

namespace tp::ui {

// What a plot is made of. As long as this stays the same, so does the plot.
struct CurveSource {
  const RunView* run = nullptr;
  int version = -1;       // of its curves
  std::int32_t leaf = 0;  // of the line shown
  CurveGoal goal = CurveGoal::kExact;
  double from = 0, to = 1;  // steps
  bool zoomed = false;
  bool logarithmic = false;
  double smoothing = 0;
  bool earlier_runs = true;  // behind it; the other branches always are
  std::uint64_t ghosts = 0;  // ghosts_print()
  bool operator==(const CurveSource&) const = default;
};

// Changes with what lies behind the line: earlier runs and other branches, not with the line
// itself.
std::uint64_t ghosts_print(const RunView& run, std::int32_t leaf);

// One plot: its scale, and its lines in pixels, at most two points a column of pixels. Everything
// is computed when its source has changed, and otherwise kept.
class CurveGeometry {
 public:
  // First the scale, whose labels decide how much room the plot has.
  void set_scale(CurveKind kind, const CurveSource& source, const CurveLine& line, int most_ticks);
  const std::vector<double>& ticks() const { return ticks_; }
  const std::vector<std::string>& labels() const { return labels_; }

  // Then its place: x from left to right, y from top to bottom.
  void set_place(const CurveLine& line, float left, float right, float top, float bottom);
  const PlotAxis& x() const { return x_; }
  const PlotAxis& y() const { return y_; }

  std::vector<PlotPoint> raw, strong, heldout, ghosts;
  struct Ghost {  // which of the points in `ghosts` are of which run
    std::uint32_t run = 0;
    std::size_t first = 0, last = 0;
  };
  std::vector<Ghost> ghost_runs;
  std::optional<PlotPoint> train_end, heldout_end;  // where the names stand
  double baseline = std::numeric_limits<double>::quiet_NaN();

  int builds() const { return builds_; }  // how often lines were computed

 private:
  struct Range {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    void add(double value);
    void add(const Range& other);
  };
  void measure(const CurveLine& line);
  void draw_lines(const CurveLine& line);
  void draw_ghosts();
  double smoothing() const;
  template <class Use>
  void for_each_ghost(Use use) const;

  CurveKind kind_ = CurveKind::kLoss;
  CurveSource source_;  // of the scale
  int most_ticks_ = 0;
  Range smooth_, raw_, ghost_range_;
  std::vector<double> ticks_;
  std::vector<std::string> labels_;
  PlotAxis x_, y_;
  CurveSource drawn_;  // of the lines
  PlotAxis drawn_x_, drawn_y_;
  CurveSource ghosts_drawn_;
  PlotAxis ghosts_x_, ghosts_y_;
  CurveSource ghosts_measured_;
  int builds_ = 0;
};

}  // namespace tp::ui
