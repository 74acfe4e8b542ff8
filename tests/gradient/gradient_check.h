#pragma once

#include <string>

#include "tests/subjects/subject.h"

namespace tp::test {

// The result of comparing every gradient of a subject with central differences.
struct GradientReport {
  // The worst difference above the floor, relative to the largest gradient of the same tensor.
  double worst = 0;
  std::string where;
  int numbers = 0;       // gradients compared
  int shrunk_steps = 0;  // how often a ReLU changed sides between the two points, and the step
                         // was made smaller for it
  int unresolved = 0;    // where it still did at the smallest step; a failure
};

constexpr double kGradientTolerance = 1e-6;  // relative to the tensor's largest gradient
constexpr double kGradientFloor = 1e-9;      // absolute

// `kernels` with a ReLU that notes on which side each of its inputs lay.
Kernels<double> watching_relu(const Kernels<double>& kernels);

// The subject must have been made with watching_relu kernels.
GradientReport check_gradients(Subject<double>& subject);

inline bool passes(const GradientReport& report) {
  return report.worst <= kGradientTolerance && report.unresolved == 0 && report.numbers > 0;
}

}  // namespace tp::test
