#pragma once

#include <cstdint>

#include "engine/kernels/kernels.h"
#include "engine/model/parameters.h"

// Adam (Kingma & Ba), with epsilon where PyTorch has it, beside the corrected root:
//
//   m = b1 m + (1 - b1) g                    v = b2 v + (1 - b2) g^2
//   value -= rate * (m / (1 - b1^t)) / (sqrt(v / (1 - b2^t)) + epsilon)

namespace tp {

struct AdamOptions {
  double beta1 = 0.9;
  double beta2 = 0.98;
  double epsilon = 1e-9;
};

template <class T>
class Adam {
 public:
  Adam(const Kernels<T>& kernels, const AdamOptions& options)
      : kernels_(&kernels), options_(options) {}

  // One step along the gradients in the store.
  void step(ParameterStore<T>& parameters, double learning_rate);

  // All the state there is besides the moments in the store.
  std::uint64_t steps() const { return steps_; }
  void set_steps(std::uint64_t steps) { steps_ = steps; }

 private:
  const Kernels<T>* kernels_;
  AdamOptions options_;
  std::uint64_t steps_ = 0;
};

// Scales all gradients by max_norm / norm if their joint length `norm` is greater. Returns `norm`.
template <class T>
double clip_gradients(const Kernels<T>& kernels, ParameterStore<T>& parameters, double max_norm);

}  // namespace tp
