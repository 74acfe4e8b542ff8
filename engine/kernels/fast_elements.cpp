#include <algorithm>

#include "engine/core/maths.h"
#include "engine/kernels/fast_set.h"
#include "engine/kernels/parallel.h"

// What works on each number by itself; each expression is the reference's. An output may be an
// input, which keeps compilers from making vector code of plain loops.

namespace tp::TP_VECTORS {
namespace {

// y = f(at), where at(x) is as much of x as is worked on at once: a vector, or one number at the
// end.
template <class T, class Function>
inline void for_each_vector(std::span<T> y, Function f) {
  const auto part = [out = y.data(), f](int first, int last) {
    int j = first;
    for (; j + kLanes<T> <= last; j += kLanes<T>) {
      store(out + j, f([j](const T* x) { return load<Vector<T>>(x + j); }));
    }
    for (; j < last; ++j) out[j] = f([j](const T* x) { return x[j]; });
  };
  for_each_part(static_cast<int>(y.size()), 64, kLeastSplit, part);
}

// y[j] = f(j), where f is made for numbers: some of them aside, and then into y.
constexpr int kAside = 64;
template <class T, class Function>
inline void for_each_number(std::span<T> y, Function f) {
  const auto part = [out = y.data(), f](int first, int last) {
    for (int begin = first; begin < last; begin += kAside) {
      const int count = std::min(kAside, last - begin);
      T aside[kAside];
      for (int j = 0; j < count; ++j) aside[j] = f(begin + j);
      std::copy_n(aside, count, out + begin);
    }
  };
  for_each_part(static_cast<int>(y.size()), kAside, kLeastSplit, part);
}

template <class T>
void add(std::span<const T> a, std::span<const T> b, std::span<T> y) {
  for_each_vector(y, [l = a.data(), r = b.data()](auto at) { return at(l) + at(r); });
}

template <class T>
void multiply(std::span<const T> a, std::span<const T> b, std::span<T> y) {
  for_each_vector(y, [l = a.data(), r = b.data()](auto at) { return at(l) * at(r); });
}

template <class T>
void scale(std::span<const T> a, T factor, std::span<T> y) {
  for_each_vector(y, [l = a.data(), factor](auto at) { return factor * at(l); });
}

template <class T>
void relu(std::span<const T> x, std::span<T> y) {
  for_each_vector(y, [in = x.data()](auto at) {
    const auto value = at(in), zero = decltype(at(in)){};
    return value < zero ? zero : value;
  });
}

template <class T>
void relu_backward(std::span<const T> d_y, std::span<const T> x, std::span<T> d_x) {
  for_each_vector(d_x, [in = x.data(), d = d_y.data()](auto at) {
    const auto value = at(in), passed = at(d), zero = decltype(at(in)){};
    return value > zero ? passed : zero;
  });
}

template <class T>
inline T normal_distribution(T x) {
  return T(0.5) * (T(1) + maths::erf(x * T(0.70710678118654752440)));
}

template <class T>
void gelu(std::span<const T> x, std::span<T> y) {
  for_each_number(y, [in = x.data()](int j) { return in[j] * normal_distribution(in[j]); });
}

template <class T>
void gelu_backward(std::span<const T> d_y, std::span<const T> x, std::span<T> d_x) {
  for_each_number(d_x, [in = x.data(), d = d_y.data()](int j) {
    const T density = T(0.39894228040143267794) * maths::exp(T(-0.5) * in[j] * in[j]);
    return d[j] * (normal_distribution(in[j]) + in[j] * density);
  });
}

template <class T>
void adam(std::span<const T> gradient, const AdamStep& step, std::span<T> first_moment,
          std::span<T> second_moment, std::span<T> value) {
  for_each_part(static_cast<int>(value.size()), 64, kLeastSplit, [&](int first, int last) {
    // Of its own, so that the compiler knows that no weight is written over them.
    const T beta1 = T(step.beta1), rest1 = T(1 - step.beta1);
    const T beta2 = T(step.beta2), rest2 = T(1 - step.beta2);
    const T rate = T(step.learning_rate / step.correction1);
    const T root_correction2 = T(maths::sqrt(step.correction2));
    const T epsilon = T(step.epsilon), penalty = T(step.penalty), shrink = T(step.shrink);
    const T* d = gradient.data();
    T *m = first_moment.data(), *v = second_moment.data(), *w = value.data();
    for (int j = first; j < last; ++j) {
      const T g = d[j] + penalty * w[j];
      const T new_m = beta1 * m[j] + rest1 * g;
      const T new_v = beta2 * v[j] + rest2 * (g * g);
      m[j] = new_m;
      v[j] = new_v;
      w[j] = shrink * w[j] - rate * (new_m / (maths::sqrt(new_v) / root_correction2 + epsilon));
    }
  });
}

template <class T>
void momentum(std::span<const T> gradient, const MomentumStep& step, std::span<T> first_moment,
              std::span<T> value) {
  const T rate = T(step.learning_rate), kept = T(step.momentum), penalty = T(step.penalty);
  const T* d = gradient.data();
  T *m = first_moment.data(), *w = value.data();
  const std::size_t count = value.size();
  for (std::size_t j = 0; j < count; ++j) {
    const T new_m = kept * m[j] + (d[j] + penalty * w[j]);
    m[j] = new_m;
    w[j] -= rate * new_m;
  }
}

}  // namespace

template <class T>
void add_fast_elements(Kernels<T>& table) {
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

template void add_fast_elements(Kernels<float>&);
template void add_fast_elements(Kernels<double>&);

}  // namespace tp::TP_VECTORS
