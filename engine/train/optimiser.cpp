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

AdamStep adam_step(const OptimiserOptions& options, std::uint64_t step, double rate) {
  return {rate,
          options.beta1,
          options.beta2,
          options.epsilon,
          1 - integer_power(options.beta1, step),
          1 - integer_power(options.beta2, step)};
}

}  // namespace

template <class T>
void Adam<T>::update(const ParameterSlice<T>& slice, double rate, double decay) const {
  AdamStep step = adam_step(this->options(), this->steps(), rate);
  step.penalty = decay;
  this->kernels().adam(slice.gradient, step, slice.first_moment, slice.second_moment, slice.value);
}

template <class T>
void AdamW<T>::update(const ParameterSlice<T>& slice, double rate, double decay) const {
  AdamStep step = adam_step(this->options(), this->steps(), rate);
  step.shrink = 1 - rate * decay;
  this->kernels().adam(slice.gradient, step, slice.first_moment, slice.second_moment, slice.value);
}

template <class T>
void Momentum<T>::update(const ParameterSlice<T>& slice, double rate, double decay) const {
  this->kernels().momentum(slice.gradient, {rate, this->options().beta1, decay}, slice.first_moment,
                           slice.value);
}

template <class T>
std::unique_ptr<Optimiser<T>> make_optimiser(OptimiserKind kind, const Kernels<T>& kernels,
                                             const OptimiserOptions& options) {
  switch (kind) {
    case OptimiserKind::adam:
      return std::make_unique<Adam<T>>(kernels, options);
    case OptimiserKind::adamw:
      return std::make_unique<AdamW<T>>(kernels, options);
    case OptimiserKind::sgd:
      break;
  }
  return std::make_unique<Momentum<T>>(kernels, options);
}

template <class T>
double gradient_norm(const Kernels<T>& kernels, const ParameterStore<T>& parameters) {
  return maths::sqrt(kernels.sum_of_squares(parameters.gradients()));
}

template <class T>
void clip_gradients(const Kernels<T>& kernels, ParameterStore<T>& parameters, double norm,
                    double max_norm) {
  if (norm > max_norm) {
    kernels.scale(parameters.gradients(), static_cast<T>(max_norm / norm), parameters.gradients());
  }
}

template class Adam<float>;
template class Adam<double>;
template class AdamW<float>;
template class AdamW<double>;
template class Momentum<float>;
template class Momentum<double>;
template std::unique_ptr<Optimiser<float>> make_optimiser(OptimiserKind, const Kernels<float>&,
                                                          const OptimiserOptions&);
template std::unique_ptr<Optimiser<double>> make_optimiser(OptimiserKind, const Kernels<double>&,
                                                           const OptimiserOptions&);
template double gradient_norm(const Kernels<float>&, const ParameterStore<float>&);
template double gradient_norm(const Kernels<double>&, const ParameterStore<double>&);
template void clip_gradients(const Kernels<float>&, ParameterStore<float>&, double, double);
template void clip_gradients(const Kernels<double>&, ParameterStore<double>&, double, double);

}  // namespace tp
