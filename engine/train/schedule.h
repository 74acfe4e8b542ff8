#pragma once

#include <cstdint>

// The learning rate of a step. Steps count from 1; `peak` is the greatest rate.
//
//   constant              rate = peak
//   inverse square root   rate = peak * min(step / warmup, sqrt(warmup / step))
//   cosine                rate = peak * step / warmup, then down half a wave to kCosineEnd * peak
//   at
//                         the last step, and no further
//
// The paper's schedule, d_model^-1/2 * min(step^-1/2, step * warmup^-3/2), is the second one with
// the peak that `paper_peak` gives.

namespace tp {

enum class ScheduleKind { constant, inverse_square_root, cosine };

inline constexpr double kCosineEnd = 0.05;

struct Schedule {
  ScheduleKind kind = ScheduleKind::cosine;
  double peak = 2e-3;
  int warmup = 100;  // steps
  int steps = 1500;  // of the whole run: where the cosine ends

  double rate(std::uint64_t step) const;
};

// (d_model * warmup)^-1/2
double paper_peak(int d_model, int warmup);

}  // namespace tp
