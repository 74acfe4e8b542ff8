#include "engine/train/schedule.h"

#include <algorithm>

#include "engine/core/check.h"
#include "engine/core/maths.h"

namespace tp {

double Schedule::rate(std::uint64_t step) const {
  TP_CHECK(step > 0, "steps count from 1");
  if (kind == ScheduleKind::constant) return peak;
  const auto now = static_cast<double>(step);
  // Without a warm-up the first step has the peak.
  const double rise = std::max(warmup, 1);
  if (now <= rise) return peak * (now / rise);
  if (kind == ScheduleKind::inverse_square_root) return peak * maths::sqrt(rise / now);
  const double fall = std::max(steps - rise, 1.0);
  const double progress = std::min((now - rise) / fall, 1.0);
  constexpr double kPi = 3.14159265358979323846;
  const double wave = 0.5 * (1 + maths::cos(kPi * progress));
  return peak * (kCosineEnd + (1 - kCosineEnd) * wave);
}

double paper_peak(int d_model, int warmup) {
  return 1 / maths::sqrt(static_cast<double>(d_model) * std::max(warmup, 1));
}

}  // namespace tp
