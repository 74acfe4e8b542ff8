#pragma once

#include <string>
#include <vector>

// What a plot is given: its axes, and series that are smoothed and thinned to what a row of pixels
// can show. Knows no ImGui.

namespace tp::ui {

struct PlotPoint {
  double x, y;
};

struct PlotAxis {
  double from = 0, to = 1;
  bool logarithmic = false;  // then both ends are above 0
  bool share = false;        // 0.5 is written as 50%
  bool operator==(const PlotAxis&) const = default;
};

// The next number of the row 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, ... at or above `value`.
double round_up(double value);
// As short as it can be said: 0.5, 1,000, 2e-5, 50%.
std::string tick_label(double value, bool share);

// The past weighs `weight` a step, so that a series of which every second point is missing looks
// the same.
class Smoother {
 public:
  explicit Smoother(double weight) : weight_(weight) {}
  double add(double step, double value);

 private:
  double weight_, value_ = 0, last_ = 0;
  bool begun_ = false;
};

// Collects a line, x never falling: of the points on one of the `columns` of pixels, the lowest and
// the highest in their order. What is not a number breaks the line, and is there as such a point.
// The line reaches from the last point before the axis to the first one after it.
class LineThinner {
 public:
  LineThinner(double from, double to, double columns, std::vector<PlotPoint>& line)
      : from_(from), to_(to), per_unit_(columns / (to - from)), line_(line) {}
  void add(PlotPoint point);
  void finish();

 private:
  void flush();

  double from_, to_, per_unit_;
  std::vector<PlotPoint>& line_;
  PlotPoint lowest_ = {}, highest_ = {}, before_ = {};
  double column_ = 0;
  bool filled_ = false, has_before_ = false, done_ = false;
};

}  // namespace tp::ui
