#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/model/transformer.h"

// Where a number came from: the operation that made a cell of a tensor, the cells that it read, and
// the equation with the numbers filled in.
//
//   decoder.0.cross_attn.head.1.weights[3,2] = exp(score - max) / denominator
//
// It is exact: evaluate() does the stated arithmetic on the stated terms, in their order, and gives
// the bits of the tensor. explain_rules.cpp has a rule for each operation that layers describe.

namespace tp {

// A cell that the operation read, and what it multiplied it by. In a dot product that is another
// cell, elsewhere 1.
struct ExplainedTerm {
  std::string name = {};  // in the equation: x, bias, mean
  std::string path = {};
  std::int32_t row = 0, column = 0;
  float value = 0;
  float factor = 1;
  std::string factor_path = {};  // empty: the factor is no cell
  std::int32_t factor_row = 0, factor_column = 0;
};

// A number of the equation that is in no tensor: a scale, a count, an angle.
struct ExplainedConstant {
  std::string name = {};
  double value = 0;
};

// How the terms of a sum are added.
//   none      there is no sum
//   in_order  into one accumulator, in their order
//   fused     the same, each product and its addition rounded once
//   sixteen   into sixteen partial sums, term j into partial j mod 16, then as a tree (kernels.h)
enum class SumOrder : std::uint8_t { none, in_order, fused, sixteen };

struct Explanation {
  std::string path = {};
  std::int32_t row = 0, column = 0;
  float value = 0;
  std::string operation = {};
  // Names, then numbers, then the value; of a sum the largest terms first and the rest in one
  // number: b + sum(x * w) = 0.01 + 0.53 * 0.22 + -0.4 * 0.1 + (62 more: 0.2) = 0.2866
  std::string equation = {};
  SumOrder order = SumOrder::none;
  std::vector<ExplainedTerm> terms = {};  // in the order of the computation
  std::vector<ExplainedConstant> constants = {};
  std::optional<float> gradient = {};           // of the loss by this cell, after a backward pass
  std::optional<float> finite_difference = {};  // the same by moving the cell to both sides
};

struct Cell {
  std::string path;
  int row = 0, column = 0;
};

// A pass without dropout over `batch`, made with GradientMemory::kept, and its loss.
struct ExplainedPass {
  const Transformer<float>& model;
  const Activations<float>& activations;
  const Batch<float>& batch;
  int sequence = 0;
  // Of all parameters, as in the store; empty when there was no backward pass.
  std::span<const float> gradients = {};
  float gradient_scale = 1;  // what the loss was multiplied by
};

// Tensors of the pass, parameters by their names, and the gradients of both (d_ before the last
// part). The error names paths that are like the one given, or the range of rows and columns.
Result<Explanation> explain(const ExplainedPass& pass, const Cell& cell);

// The stated arithmetic on the stated terms.
float evaluate(const Explanation& explanation);

}  // namespace tp
