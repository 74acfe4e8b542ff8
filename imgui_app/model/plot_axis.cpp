#include "imgui_app/model/plot_axis.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace tp::ui {
namespace {

double power_of_ten_below(double value) { return std::pow(10, std::floor(std::log10(value))); }

// A little slack, because 0.3 / 0.1 is not 3.
constexpr double kSlack = 1e-9;

}  // namespace

float PlotAxis::pixel(double value) const {
  const double share = logarithmic
                           ? std::log(std::max(value, from * 1e-3) / from) / std::log(to / from)
                           : (value - from) / (to - from);
  // Far outside is as good as anywhere outside, and keeps float's precision.
  return start + static_cast<float>(std::clamp(share, -4.0, 5.0)) * (end - start);
}

double PlotAxis::value(float pixel) const {
  const double share = (pixel - start) / static_cast<double>(end - start);
  return logarithmic ? from * std::pow(to / from, share) : from + share * (to - from);
}

double round_up(double value) {
  if (!(value > 0) || !std::isfinite(value)) return 1;
  const double unit = power_of_ten_below(value);
  for (const double step : {1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0}) {
    if (value <= step * unit * (1 + kSlack)) return step * unit;
  }
  return 10 * unit;
}

double decade_below(double value) {
  const double unit = power_of_ten_below(value);
  for (const double step : {5.0, 2.0}) {
    if (value >= step * unit * (1 - kSlack)) return step * unit;
  }
  return unit;
}

double decade_above(double value) {
  const double unit = power_of_ten_below(value);
  for (const double step : {1.0, 2.0, 5.0}) {
    if (value <= step * unit * (1 + kSlack)) return step * unit;
  }
  return 10 * unit;
}

std::vector<double> round_ticks(const PlotAxis& axis, int most) {
  std::vector<double> ticks;
  if (!(axis.to > axis.from) || most < 1) return ticks;
  if (axis.logarithmic) {
    for (const int density : {3, 1}) {  // 1, 2, 5, 10, ... or powers of ten alone
      ticks.clear();
      for (double unit = power_of_ten_below(axis.from); unit <= axis.to * (1 + kSlack);
           unit *= 10) {
        for (const double step : {1.0, 2.0, 5.0}) {
          if (density == 1 && step > 1) continue;
          const double tick = step * unit;
          if (tick >= axis.from * (1 - kSlack) && tick <= axis.to * (1 + kSlack)) {
            ticks.push_back(tick);
          }
        }
      }
      if (std::ssize(ticks) <= most) return ticks;
    }
    const auto stride = (std::ssize(ticks) + most - 1) / most;
    std::vector<double> fewer;
    for (std::ptrdiff_t i = std::ssize(ticks) - 1; i >= 0; i -= stride) fewer.push_back(ticks[i]);
    return {fewer.rbegin(), fewer.rend()};
  }
  double step = decade_above((axis.to - axis.from) / std::max(most, 1));
  for (;; step = decade_above(step * 1.5)) {
    const double first = std::ceil(axis.from / step - kSlack);
    const double last = std::floor(axis.to / step + kSlack);
    if (last - first + 1 > most) continue;
    for (double i = first; i <= last; ++i) ticks.push_back(i * step + 0.0);  // no negative zero
    if (ticks.size() < 2 && most >= 2) return {axis.from, axis.to};
    return ticks;
  }
}

std::string tick_label(double value) {
  if (value == 0) return "0";
  char digits[32];
  const double size = std::abs(value);
  if (size >= 1e6 || size < 1e-3) {
    const int exponent = static_cast<int>(std::floor(std::log10(size) + kSlack));
    std::snprintf(digits, sizeof digits, "%.3ge%d", value / std::pow(10, exponent), exponent);
    return digits;
  }
  std::snprintf(digits, sizeof digits, "%.6g", value);
  std::string text = digits;
  const std::size_t point = std::min(text.find('.'), text.size());
  for (std::size_t i = point; i > (value < 0 ? 4u : 3u);) text.insert(i -= 3, 1, ',');
  return text;
}

double Smoother::add(double step, double value) {
  if (!std::isfinite(value)) return value;
  if (!begun_ || !std::isfinite(value_)) {
    begun_ = true;
    value_ = value;
  } else {
    const double gap = step - last_;
    const double past = gap == 1 ? weight_ : std::pow(weight_, std::max(gap, 0.0));
    value_ = past * value_ + (1 - past) * value;
  }
  last_ = step;
  return value_;
}

void LineThinner::add(double x, double y) {
  if (done_) return;
  if (x < x_.from) {  // only the last point before the axis begins matters
    before_ = true;
    before_x_ = x, before_y_ = y;
    return;
  }
  if (before_) {
    before_ = false;
    const double first_x = before_x_, first_y = before_y_;
    if (std::isfinite(first_y)) line_.push_back({x_.pixel(first_x), y_.pixel(first_y)});
  }
  if (x > x_.to) done_ = true;
  if (!std::isfinite(y)) {
    flush();
    constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
    if (!line_.empty() && std::isfinite(line_.back().y)) line_.push_back({kNone, kNone});
    return;
  }
  const PlotPoint point{x_.pixel(x), y_.pixel(y)};
  const float column = std::floor(point.x);
  if (filled_ && column != at_) flush();
  if (!filled_) {
    filled_ = true;
    at_ = column;
    column_ = {point, point, true};
  } else if (point.y < column_.lowest.y) {
    column_.lowest = point;
    column_.lowest_first = false;
  } else if (point.y > column_.highest.y) {
    column_.highest = point;
    column_.lowest_first = true;
  }
}

void LineThinner::flush() {
  if (!filled_) return;
  filled_ = false;
  const PlotPoint& first = column_.lowest_first ? column_.lowest : column_.highest;
  const PlotPoint& second = column_.lowest_first ? column_.highest : column_.lowest;
  line_.push_back(first);
  if (column_.lowest.y != column_.highest.y) line_.push_back(second);
}

void LineThinner::finish() {
  flush();
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
  if (!line_.empty() && std::isfinite(line_.back().y)) line_.push_back({kNone, kNone});
}

}  // namespace tp::ui
