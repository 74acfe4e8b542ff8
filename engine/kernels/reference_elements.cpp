#include "engine/core/maths.h"
#include "engine/kernels/reference_set.h"

// What works on each number by itself: sums and products, activations, Adam. Textbook loops.

namespace tp {
namespace {

template <class T>
void add(std::span<const T> a, std::span<const T> b, std::span<T> y) {
  for (std::size_t j = 0; j < y.size(); ++j) y[j] = a[j] + b[j];
}

template <class T>
void multiply(std::span<const T> a, std::span<const T> b, std::span<T> y) {
  for (std::size_t j = 0; j < y.size(); ++j) y[j] = a[j] * b[j];
}

template <class T>
void scale(std::span<const T> a, T factor, std::span<T> y) {
  for (std::size_t j = 0; j < y.size(); ++j) y[j] = factor * a[j];
}

template <class T>
void relu(std::span<const T> x, std::span<T> y) {
  for (std::size_t j = 0; j < y.size(); ++j) y[j] = x[j] < T(0) ? T(0) : x[j];
}

template <class T>
void relu_backward(std::span<const T> d_y, std::span<const T> x, std::span<T> d_x) {
  for (std::size_t j = 0; j < d_x.size(); ++j) d_x[j] = x[j] > T(0) ? d_y[j] : T(0);
}

// Phi(x), the chance that a standard normal number is below x, and its density phi(x).
template <class T>
T normal_distribution(T x) {
  const T inverse_root_two = T(0.70710678118654752440);
  return T(0.5) * (T(1) + maths::erf(x * inverse_root_two));
}
template <class T>
T normal_density(T x) {
  const T inverse_root_two_pi = T(0.39894228040143267794);
  return inverse_root_two_pi * maths::exp(T(-0.5) * x * x);
}

template <class T>
void gelu(std::span<const T> x, std::span<T> y) {
  for (std::size_t j = 0; j < y.size(); ++j) y[j] = x[j] * normal_distribution(x[j]);
}

// (x Phi(x))' = Phi(x) + x phi(x)
template <class T>
void gelu_backward(std::span<const T> d_y, std::span<const T> x, std::span<T> d_x) {
  for (std::size_t j = 0; j < d_x.size(); ++j) {
    d_x[j] = d_y[j] * (normal_distribution(x[j]) + x[j] * normal_density(x[j]));
  }
}

template <class T>
void adam(std::span<const T> gradient, const AdamStep& step, std::span<T> first_moment,
          std::span<T> second_moment, std::span<T> value) {
  const T beta1 = T(step.beta1), rest1 = T(1 - step.beta1);
  const T beta2 = T(step.beta2), rest2 = T(1 - step.beta2);
  const T rate = T(step.learning_rate / step.correction1);
  const T root_correction2 = T(maths::sqrt(step.correction2));
  const T epsilon = T(step.epsilon), penalty = T(step.penalty), shrink = T(step.shrink);
  for (std::size_t j = 0; j < value.size(); ++j) {
    const T g = gradient[j] + penalty * value[j];
    first_moment[j] = beta1 * first_moment[j] + rest1 * g;
    second_moment[j] = beta2 * second_moment[j] + rest2 * (g * g);
    const T denominator = maths::sqrt(second_moment[j]) / root_correction2 + epsilon;
    value[j] = shrink * value[j] - rate * (first_moment[j] / denominator);
  }
}

template <class T>
void momentum(std::span<const T> gradient, const MomentumStep& step, std::span<T> first_moment,
              std::span<T> value) {
  const T rate = T(step.learning_rate), kept = T(step.momentum), penalty = T(step.penalty);
  for (std::size_t j = 0; j < value.size(); ++j) {
    first_moment[j] = kept * first_moment[j] + (gradient[j] + penalty * value[j]);
    value[j] -= rate * first_moment[j];
  }
}

}  // namespace

template <class T>
void add_reference_elements(Kernels<T>& table) {
  table.add = add<T>;
  table.multiply = multiply<T>;
  table.scale = scale<T>;
  table.relu = relu<T>;
  table.relu_backward = relu_backward<T>;
  table.gelu = gelu<T>;
  table.gelu_backward = gelu_backward<T>;
  table.adam = adam<T>;
  table.momentum = momentum<T>;
}

template void add_reference_elements(Kernels<float>&);
template void add_reference_elements(Kernels<double>&);

}  // namespace tp
