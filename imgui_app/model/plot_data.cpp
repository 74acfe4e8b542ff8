#include "imgui_app/model/plot_data.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace tp::ui {

double round_up(double value) {
  if (!(value > 0) || !std::isfinite(value)) return 1;
  const double unit = std::pow(10, std::floor(std::log10(value)));
  for (const double step : {1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0}) {
    if (value <= step * unit * (1 + 1e-9)) return step * unit;  // 0.3 / 0.1 is not 3
  }
  return 10 * unit;
}

std::string tick_label(double value, bool share) {
  if (share) return tick_label(std::round(1000 * value) / 10, false) + "%";
  char digits[32];
  const double size = std::abs(value);
  if (size != 0 && (size >= 1e6 || size < 1e-3)) {
    const int exponent = static_cast<int>(std::floor(std::log10(size) + 1e-9));
    std::snprintf(digits, sizeof digits, "%.3ge%d", size / std::pow(10, exponent), exponent);
  } else {
    std::snprintf(digits, sizeof digits, "%.6g", size);
  }
  std::string text = digits;
  for (std::size_t i = std::min(text.find_first_of(".e"), text.size()); i > 3;) {
    text.insert(i -= 3, 1, ',');
  }
  return (value < 0 ? "−" : "") + text;
}

double Smoother::add(double step, double value) {
  if (!std::isfinite(value)) return value;
  if (!begun_) {
    begun_ = true;
    value_ = value;
  } else {
    const double past = std::pow(weight_, std::max(step - last_, 0.0));
    value_ = past * value_ + (1 - past) * value;
  }
  last_ = step;
  return value_;
}

void LineThinner::add(PlotPoint point) {
  if (done_) return;
  if (point.x < from_) {
    has_before_ = true;
    before_ = point;
    return;
  }
  if (has_before_ && std::isfinite(before_.y)) line_.push_back(before_);
  has_before_ = false;
  done_ = point.x > to_;
  if (!std::isfinite(point.y)) return finish();
  const double column = std::floor((point.x - from_) * per_unit_);
  if (filled_ && column != column_) flush();
  if (!filled_) lowest_ = highest_ = point;
  filled_ = true;
  column_ = column;
  if (point.y < lowest_.y) lowest_ = point;
  if (point.y > highest_.y) highest_ = point;
}

void LineThinner::flush() {
  if (!filled_) return;
  filled_ = false;
  const bool rising = lowest_.x <= highest_.x;
  line_.push_back(rising ? lowest_ : highest_);
  if (lowest_.y != highest_.y) line_.push_back(rising ? highest_ : lowest_);
}

void LineThinner::finish() {
  flush();
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  if (!line_.empty() && std::isfinite(line_.back().y)) line_.push_back({kNone, kNone});
}

}  // namespace tp::ui
