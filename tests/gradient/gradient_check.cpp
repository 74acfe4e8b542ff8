#include "tests/gradient/gradient_check.h"

#include <algorithm>
#include <cmath>

namespace tp::test {
namespace {

// The sides of every ReLU input since it was last set to 0.
std::uint64_t relu_sides = 0;
void (*plain_relu)(std::span<const double>, std::span<double>) = nullptr;

void noting_relu(std::span<const double> x, std::span<double> y) {
  for (double value : x) relu_sides = (relu_sides ^ (value > 0 ? 1u : 2u)) * 0x9e3779b97f4a7c15u;
  plain_relu(x, y);
}

constexpr double kFirstStep = 1e-5;
constexpr double kSmallestStep = 1e-9;

struct Sides {
  double above, below;
  bool same_relus;
};

Sides evaluate(Subject<double>& subject, double& value, double step) {
  const double kept = value;
  relu_sides = 0;
  value = kept + step;
  const double above = subject.forward();
  const std::uint64_t sides_above = relu_sides;
  relu_sides = 0;
  value = kept - step;
  const double below = subject.forward();
  value = kept;
  return {above, below, sides_above == relu_sides};
}

}  // namespace

Kernels<double> watching_relu(const Kernels<double>& kernels) {
  Kernels<double> watching = kernels;
  plain_relu = kernels.relu;
  watching.relu = noting_relu;
  return watching;
}

GradientReport check_gradients(Subject<double>& subject) {
  GradientReport report;
  subject.forward();
  subject.backward();
  for (const Variable<double>& variable : subject.variables()) {
    const std::vector<double> gradient(variable.gradient.begin(), variable.gradient.end());
    double largest = 0;
    for (double g : gradient) largest = std::max(largest, std::abs(g));
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      double step = kFirstStep;
      Sides sides = evaluate(subject, variable.value[i], step);
      while (!sides.same_relus && step > kSmallestStep) {
        ++report.shrunk_steps;
        step /= 10;
        sides = evaluate(subject, variable.value[i], step);
      }
      report.unresolved += !sides.same_relus;
      const double numerical = (sides.above - sides.below) / (2 * step);
      const double error = std::abs(numerical - gradient[i]);
      const double relative = error <= kGradientFloor ? 0 : largest > 0 ? error / largest : 1e300;
      // A NaN is never smaller: it must not pass for a small error.
      if (!(relative <= report.worst)) {
        report.worst = std::isnan(relative) ? 1e300 : relative;
        report.where = variable.name + "[" + std::to_string(i) +
                       "]: " + std::to_string(gradient[i]) + " against " +
                       std::to_string(numerical);
      }
      ++report.numbers;
    }
  }
  return report;
}

}  // namespace tp::test
