#include "engine/train/optimiser.h"

#include "engine/core/maths.h"

namespace tp {
namespace {

// x^n by squaring: the same bits everywhere, and no state to carry from step to step.
double integer_power(double x, std::uint64_t n) {
  double power = 1;
  for (; n > 0; n >>= 1, x *= x) {
    if (n & 1) power *= x;
  }
  return power;
}

}  // namespace

template <class T>
void Adam<T>::step(ParameterStore<T>& parameters, double learning_rate) {
  ++steps_;
  const AdamStep step{learning_rate,
                      options_.beta1,
                      options_.beta2,
                      options_.epsilon,
                      1 - integer_power(options_.beta1, steps_),
                      1 - integer_power(options_.beta2, steps_)};
  kernels_->adam(parameters.gradients(), step, parameters.first_moments(),
                 parameters.second_moments(), parameters.values());
}

template <class T>
double clip_gradients(const Kernels<T>& kernels, ParameterStore<T>& parameters, double max_norm) {
  const double norm = maths::sqrt(kernels.sum_of_squares(parameters.gradients()));
  if (norm > max_norm) {
    kernels.scale(parameters.gradients(), static_cast<T>(max_norm / norm), parameters.gradients());
  }
  return norm;
}

template class Adam<float>;
template class Adam<double>;
template double clip_gradients(const Kernels<float>&, ParameterStore<float>&, double);
template double clip_gradients(const Kernels<double>&, ParameterStore<double>&, double);

}  // namespace tp
