#pragma once

#include <cstddef>
#include <string>
#include <vector>

// From numbers to the pixels of a plot: axes with few round ticks, and long series thinned to what
// a row of pixels can show. Knows no ImGui.

namespace tp::ui {

struct PlotAxis {
  double from = 0, to = 1;   // values at its two ends
  float start = 0, end = 1;  // the pixels there
  bool logarithmic = false;  // then both values are above 0
  bool operator==(const PlotAxis&) const = default;

  float pixel(double value) const;
  double value(float pixel) const;
};

// The next number of the row 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, ... at or above `value`.
double round_up(double value);
// The next of 1, 2, 5, 10, ... at or below and at or above `value`, which is above 0.
double decade_below(double value);
double decade_above(double value);

// At most `most` round values on the axis, ends included. Logarithmic: powers of ten, and where
// those are too few also 2 and 5 times them.
std::vector<double> round_ticks(const PlotAxis& axis, int most);
// As short as it can be said: 0.5, 1,000, 2e-5.
std::string tick_label(double value);

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

struct PlotPoint {
  float x, y;
};

// Collects a line in pixels, x never falling: where several points fall on a column of pixels, the
// lowest and the highest of them in their order. What is not a number breaks the line, and is there
// as a point that is not a number. The line goes on to the first point outside of the axis.
class LineThinner {
 public:
  LineThinner(const PlotAxis& x, const PlotAxis& y, std::vector<PlotPoint>& line)
      : x_(x), y_(y), line_(line) {}
  void add(double x, double y);
  void finish();

 private:
  void flush();

  PlotAxis x_, y_;
  std::vector<PlotPoint>& line_;
  struct Column {
    PlotPoint lowest, highest;
    bool lowest_first = true;
  };
  Column column_ = {};
  float at_ = 0;
  bool filled_ = false, before_ = false, done_ = false;
  double before_x_ = 0, before_y_ = 0;
};

}  // namespace tp::ui
