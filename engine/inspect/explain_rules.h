#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/inspect/explain.h"

// How each operation that layers describe is explained: one entry of a table. A rule reads the
// cells that the operation read and names the numbers of its equation; the arithmetic on them is
// written as the kernels define it (engine/kernels/reference_*.cpp).

namespace tp {

// A tensor as its layer described it.
struct ExplainedTensor {
  std::string path;
  std::string_view operation;
  std::vector<TensorInput> inputs;  // absent ones, too: each operation has its own at fixed places
  Axis rows, columns;
  ConstMatrix<float> values, gradient;
};
// In the order of computation, so that a TensorId is a place in the list.
std::vector<ExplainedTensor> described_tensors(const ExplainedPass& pass);

// What a rule reads the inputs of one cell with.
class Reading {
 public:
  Reading(const ExplainedPass& pass, const std::vector<ExplainedTensor>& tensors,
          const ExplainedTensor& tensor, Explanation& made)
      : pass_(pass), tensors_(tensors), tensor_(tensor), made_(made) {}

  int row() const { return made_.row; }
  int column() const { return made_.column; }
  float value() const { return made_.value; }
  const ExplainedTensor& tensor() const { return tensor_; }
  const ExplainedPass& pass() const { return pass_; }
  const ModelConfig& config() const { return pass_.model.config(); }
  const Explanation& made() const { return made_; }

  bool has(int input) const;
  bool is_parameter(int input) const { return !tensor_.inputs[input].parameter.empty(); }
  // The whole tensor; of a parameter, the part that is used.
  ConstMatrix<float> input(int number) const;

  void read(const char* name, int input, int row, int column);
  // The product of a cell and one of another input.
  void read_product(int input, int row, int column, int other, int other_row, int other_column);
  // A row, as the terms of a sum.
  void read_row(int input, int row);
  void constant(const char* name, double value) { made_.constants.push_back({name, value}); }
  void sums(SumOrder order) { made_.order = order; }
  // As products add up.
  void sums_products();

 private:
  std::string path_of(const TensorInput& input) const;
  // Where a cell of an input is in the tensor of that path.
  void place(const TensorInput& input, std::int32_t& row, std::int32_t& column) const;

  const ExplainedPass& pass_;
  const std::vector<ExplainedTensor>& tensors_;
  const ExplainedTensor& tensor_;
  Explanation& made_;
};

// The terms of a sum are called x and multiplied by w; the others have names of their own.
struct ExplainRule {
  std::string_view operation;
  // Reads the terms and gives the formula, with {names} for numbers; {sum} is the sum of the terms
  // x, {own} the one in the column of the cell.
  const char* (*read)(Reading& reading);
  const char* summand;  // a term of the sum as a formula; null: there is no sum
  float (*term)(const Explanation& explanation, const ExplainedTerm& term);
  float (*finish)(const Explanation& explanation, float sum);
};
// Null when there is none.
const ExplainRule* find_explain_rule(std::string_view operation);

// Numbers by name: of a term (in that column, if there is one there), or of a constant.
const ExplainedTerm* find_term(const Explanation& explanation, std::string_view name,
                               int column = -1);
double number_called(const Explanation& explanation, std::string_view name, int column = -1);
bool has_number(const Explanation& explanation, std::string_view name);
// Of the terms x, that in the column of the cell, or of the label.
const ExplainedTerm* own_term(const Explanation& explanation);

// The sum of term(x) over the terms x, in the stated order; it starts from the bias b of a product.
float sum_of(const Explanation& explanation,
             float (*term)(const Explanation& explanation, const ExplainedTerm& term));

// names = numbers = value
std::string equation_text(const Explanation& explanation, const ExplainRule& rule,
                          std::string_view formula);

}  // namespace tp
