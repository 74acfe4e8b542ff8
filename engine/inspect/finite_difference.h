#pragma once

#include <memory>
#include <vector>

#include "engine/inspect/explain.h"
#include "engine/inspect/patched_kernels.h"

// The derivative of the loss by one number, without backpropagation: the number is moved to both
// sides, and the rest of the pass computed again,
//
//   D(h) = (loss(x + h) - loss(x - h)) / 2h
//
// for smaller and smaller h. Ridders' method extrapolates to h = 0 and keeps the estimate that
// changed least: large steps bend, small ones drown in rounding.

namespace tp {

class FiniteDifference {
 public:
  // Of a parameter, or of a tensor that has a gradient. Works on copies: the pass and its model
  // stay as they are and may go on.
  static Result<std::unique_ptr<FiniteDifference>> create(
      const ExplainedPass& pass, const Cell& cell, std::size_t memory_limit = kDefaultMemoryLimit);

  // Two passes more; true when the derivative is known.
  bool advance();
  float value() const { return static_cast<float>(best_); }

 private:
  FiniteDifference() = default;

  void find_number(int sequence, const Cell& cell);
  double loss_moved_by(float delta);
  double difference(float step);

  std::unique_ptr<Transformer<float>> model_;
  std::unique_ptr<Activations<float>> activations_;
  Batch<float> batch_;
  Patch patch_;
  float* number_ = nullptr;  // a parameter or an input; null: a number that is computed
  float start_ = 0;          // what it is
  float step_ = 0;
  std::vector<double> row_;  // of the last step: extrapolated 0, 1, ... times
  double best_ = 0, error_ = 0;
};

// The number to move for that of an explanation: of a gradient, what it is the gradient of.
Cell moved_cell(const Explanation& explanation);

// At once, of a number that has a gradient.
Status add_finite_difference(const ExplainedPass& pass, Explanation& explanation);

}  // namespace tp
