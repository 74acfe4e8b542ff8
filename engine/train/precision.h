#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/kernels/rounding_kernels.h"
#include "engine/train/config.h"

// Mixed precision: weights, activations and gradients pass through the model in 16 bits, while the
// optimiser works on float copies ("masters"), so that small steps are not lost.

namespace tp {

// The kernels that a model runs on. Two functions and not one with a choice: a program that only
// ever asks for the fast ones, as the page does, then contains no others.
const Kernels<float>& fast_kernels_for(Precision precision, Arithmetic arithmetic);
const Kernels<float>& reference_kernels_for(Precision precision, Arithmetic arithmetic);

// While one of these lives, `values` are rounded; then they are the masters again. Does nothing in
// fp32. `masters` has room for as many numbers.
class RoundedWeights {
 public:
  RoundedWeights(Precision precision, std::span<float> values, std::span<float> masters);
  ~RoundedWeights();
  RoundedWeights(const RoundedWeights&) = delete;
  RoundedWeights& operator=(const RoundedWeights&) = delete;

 private:
  std::span<float> values_, masters_;
};

// The loss is multiplied by a scale before backward and the gradients divided by it after, so that
// small ones do not underflow in fp16. A step that overflows is left out and halves the scale; a
// long run without one doubles it.
class LossScale {
 public:
  struct State {
    double scale = 65536;
    int steps_since_overflow = 0;
    bool operator==(const State&) const = default;
  };

  // Without scaling the scale stays 1.
  explicit LossScale(bool enabled) : enabled_(enabled) {
    if (!enabled) state_.scale = 1;
  }

  bool enabled() const { return enabled_; }
  double scale() const { return state_.scale; }
  const State& state() const { return state_; }
  void restore(const State& state) { state_ = state; }

  // After each step. False when there is nothing left to halve: the overflow is not the scale's.
  bool update(bool overflowed);

 private:
  static constexpr int kPatience = 200;
  static constexpr double kLeast = 1.0 / 1024, kMost = 1 << 24;

  bool enabled_;
  State state_;
};

}  // namespace tp
