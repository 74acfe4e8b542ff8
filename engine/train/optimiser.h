#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "engine/kernels/kernels.h"
#include "engine/model/parameters.h"

// Rules that turn gradients g into steps, each one pass over the flat blocks. t counts steps from 1
// and w is a value.
//
//   Adam      m = b1 m + (1 - b1) g            v = b2 v + (1 - b2) g^2
//             w -= rate * (m / (1 - b1^t)) / (sqrt(v / (1 - b2^t)) + epsilon)
//   AdamW     the same, and w shrinks by rate * decay * w beside it
//   Momentum  m = b1 m + g                     w -= rate * m
//
// Weight decay enters Adam and Momentum through the gradient, g + decay * w, as PyTorch has it.

namespace tp {

enum class OptimiserKind { adam, adamw, sgd };

struct OptimiserOptions {
  double beta1 = 0.9;  // for Momentum: the momentum
  double beta2 = 0.98;
  double epsilon = 1e-9;
};

// The same stretch of each of the store's blocks.
template <class T>
struct ParameterSlice {
  std::span<const T> gradient;
  std::span<T> first_moment, second_moment, value;
};
template <class T>
ParameterSlice<T> slice_of(ParameterStore<T>& parameters, std::size_t offset, std::size_t count) {
  return {parameters.gradients().subspan(offset, count),
          parameters.first_moments().subspan(offset, count),
          parameters.second_moments().subspan(offset, count),
          parameters.values().subspan(offset, count)};
}

template <class T>
class Optimiser {
 public:
  Optimiser(const Kernels<T>& kernels, const OptimiserOptions& options)
      : kernels_(&kernels), options_(options) {}
  virtual ~Optimiser() = default;

  // A step begins once and then visits each parameter once, in slices with a rate and a decay of
  // their own.
  void begin_step() { ++steps_; }
  virtual void update(const ParameterSlice<T>& slice, double rate, double decay) const = 0;

  // A whole step at one rate, without decay.
  void step(ParameterStore<T>& parameters, double rate) {
    begin_step();
    update(slice_of(parameters, 0, parameters.count()), rate, 0);
  }

  // All the state there is besides the moments in the store.
  std::uint64_t steps() const { return steps_; }
  void set_steps(std::uint64_t steps) { steps_ = steps; }
  // May change between steps.
  void set_options(const OptimiserOptions& options) { options_ = options; }

 protected:
  const Kernels<T>& kernels() const { return *kernels_; }
  const OptimiserOptions& options() const { return options_; }

 private:
  const Kernels<T>* kernels_;
  OptimiserOptions options_;
  std::uint64_t steps_ = 0;
};

template <class T>
class Adam : public Optimiser<T> {
 public:
  using Optimiser<T>::Optimiser;
  void update(const ParameterSlice<T>& slice, double rate, double decay) const override;
};

template <class T>
class AdamW : public Optimiser<T> {
 public:
  using Optimiser<T>::Optimiser;
  void update(const ParameterSlice<T>& slice, double rate, double decay) const override;
};

template <class T>
class Momentum : public Optimiser<T> {
 public:
  using Optimiser<T>::Optimiser;
  void update(const ParameterSlice<T>& slice, double rate, double decay) const override;
};

template <class T>
std::unique_ptr<Optimiser<T>> make_optimiser(OptimiserKind kind, const Kernels<T>& kernels,
                                             const OptimiserOptions& options);

// The joint length of all gradients.
template <class T>
double gradient_norm(const Kernels<T>& kernels, const ParameterStore<T>& parameters);

// Scales all gradients by max_norm / norm if their joint length `norm` is greater.
template <class T>
void clip_gradients(const Kernels<T>& kernels, ParameterStore<T>& parameters, double norm,
                    double max_norm);

}  // namespace tp
