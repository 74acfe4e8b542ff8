#pragma once

#include <algorithm>
#include <string>

#include "engine/textbook/matrix.h"
#include "engine/textbook/settings.h"

// How gradients become better parameters, section 5.3.

namespace tp::textbook {

enum class ScheduleKind { constant, inverse_square_root, cosine };

// Equation (3): the rate rises for `warmup` steps and then falls with the root of the step, which
// counts from 1.
inline double paper_rate(int d_model, double step, double warmup) {
  return std::pow(d_model, -0.5) * std::min(std::pow(step, -0.5), step * std::pow(warmup, -1.5));
}

// The same shape with a peak of its own, and two others. The cosine ends at 0.05 of the peak.
inline double rate(ScheduleKind kind, double peak, double step, double warmup, double steps) {
  if (kind == ScheduleKind::constant) return peak;
  const double rise = std::max(warmup, 1.0);
  if (step <= rise) return peak * step / rise;
  if (kind == ScheduleKind::inverse_square_root) return peak * std::sqrt(rise / step);
  const double done = std::min((step - rise) / std::max(steps - rise, 1.0), 1.0);
  return peak * (0.05 + 0.95 * (1 + std::cos(std::numbers::pi * done)) / 2);
}

// The length of all gradients together.
template <class T>
double gradient_norm(const Tensors<T>& gradients) {
  double squares = 0;
  for (const auto& [name, gradient] : gradients) {
    squares += gradient.template cast<double>().squaredNorm();
  }
  return std::sqrt(squares);
}

// No longer than `most`, in the same direction (Pascanu et al.).
template <class T>
void clip(Tensors<T>& gradients, double most) {
  const double norm = gradient_norm(gradients);
  if (norm <= most) return;
  for (auto& [name, gradient] : gradients) gradient *= static_cast<T>(most / norm);
}

enum class OptimiserKind { adam, adamw, sgd };

struct Optimiser {
  OptimiserKind kind = OptimiserKind::adam;
  double beta1 = 0.9;
  double beta2 = 0.98;
  double epsilon = 1e-9;
  double decay = 0;  // of weights: in Adam through the gradient, in AdamW beside it
};

// Adam (Kingma and Ba), for one tensor w with its moments m and v; t counts steps from 1:
//
//   m = b1 m + (1 - b1) g     v = b2 v + (1 - b2) g^2
//   w = w - rate (m / (1 - b1^t)) / (sqrt(v / (1 - b2^t)) + epsilon)
template <class T>
void adam(const Optimiser& o, double rate, int t, const Matrix<T>& gradient, Matrix<T>& m,
          Matrix<T>& v, Matrix<T>& w) {
  const T b1 = static_cast<T>(o.beta1), b2 = static_cast<T>(o.beta2);
  const T correction1 = static_cast<T>(1 - std::pow(o.beta1, t));
  const T correction2 = static_cast<T>(1 - std::pow(o.beta2, t));
  Matrix<T> g = gradient;
  if (o.kind == OptimiserKind::adam) g += static_cast<T>(o.decay) * w;
  if (o.kind == OptimiserKind::adamw) w *= static_cast<T>(1 - rate * o.decay);
  m = b1 * m + static_cast<T>(1 - o.beta1) * g;
  v = b2 * v + static_cast<T>(1 - o.beta2) * g.cwiseAbs2();
  const Matrix<T> root = (v / correction2).cwiseSqrt();
  w.array() -=
      static_cast<T>(rate) * (m / correction1).array() / (root.array() + static_cast<T>(o.epsilon));
}

// m = momentum m + g     w = w - rate m
template <class T>
void momentum(const Optimiser& o, double rate, const Matrix<T>& gradient, Matrix<T>& m,
              Matrix<T>& w) {
  m = static_cast<T>(o.beta1) * m + gradient + static_cast<T>(o.decay) * w;
  w -= static_cast<T>(rate) * m;
}

// Norms, biases and positions are not made smaller.
inline bool decays(const std::string& name) {
  return !name.ends_with("bias") && name.find("norm") == name.npos &&
         name.find("_pos.") == name.npos;
}

// How many layers the output is away: 0 for the generator, 1 for the last block, ...
inline int depth(const Settings& s, const std::string& name) {
  const int decoder = s.has_decoder() ? s.decoder_layers : 0;
  const int encoder = s.has_encoder() ? s.encoder_layers : 0;
  const std::size_t layers = name.find(".layers.");
  const int block = layers == name.npos ? 0 : std::stoi(name.substr(layers + 8));
  if (name.starts_with("generator") || name.starts_with("decoder.norm")) return 0;
  if (name.starts_with("decoder")) return decoder - block;
  if (name.starts_with("encoder.norm")) return decoder;
  if (name.starts_with("encoder")) return decoder + encoder - block;
  return (name.starts_with("src") ? decoder + encoder : decoder) + 1;
}

// One step over all parameters. `layer_decay` is the rate of a layer as a share of that of the
// layer above.
template <class T>
void update(const Settings& settings, const Optimiser& optimiser, double rate, double layer_decay,
            int t, const Tensors<T>& gradients, Tensors<T>& first_moments,
            Tensors<T>& second_moments, Tensors<T>& parameters) {
  for (const auto& [name, gradient] : gradients) {
    Matrix<T>&m = first_moments[name], &v = second_moments[name];
    if (m.size() == 0) m.setZero(gradient.rows(), gradient.cols());
    if (v.size() == 0) v.setZero(gradient.rows(), gradient.cols());
    Optimiser its = optimiser;
    if (!decays(name)) its.decay = 0;
    const double its_rate = rate * std::pow(layer_decay, depth(settings, name));
    if (optimiser.kind == OptimiserKind::sgd) {
      momentum(its, its_rate, gradient, m, parameters.at(name));
    } else {
      adam(its, its_rate, t, gradient, m, v, parameters.at(name));
    }
  }
}

// Compiled once, in transformer.cpp.
extern template double gradient_norm(const Tensors<float>&);
extern template double gradient_norm(const Tensors<double>&);
extern template void clip(Tensors<float>&, double);
extern template void clip(Tensors<double>&, double);
extern template void update(const Settings&, const Optimiser&, double, double, int,
                            const Tensors<float>&, Tensors<float>&, Tensors<float>&,
                            Tensors<float>&);
extern template void update(const Settings&, const Optimiser&, double, double, int,
                            const Tensors<double>&, Tensors<double>&, Tensors<double>&,
                            Tensors<double>&);

}  // namespace tp::textbook
