#include "engine/inspect/explain.h"

#include <algorithm>
#include <utility>

#include "engine/core/shown_name.h"
#include "engine/inspect/explain_rules.h"
#include "engine/inspect/path_pattern.h"

namespace tp {
namespace {

class Collector : public PassVisitor<float> {
 public:
  using PassVisitor<float>::PassVisitor;
  std::vector<ExplainedTensor> tensors;

 private:
  void visit(const DescribedTensor<float>& tensor) override {
    tensors.push_back({path(tensor.name),
                       tensor.operation,
                       {tensor.inputs.begin(), tensor.inputs.end()},
                       tensor.rows,
                       tensor.columns,
                       tensor.values,
                       tensor.gradient});
  }
};

ConstMatrix<float> matrix_of(const ParameterEntry& entry, std::span<const float> block) {
  const bool vector = entry.shape.size() == 1;
  return {block.data() + entry.offset, vector ? 1 : entry.shape[0],
          vector ? entry.shape[0] : entry.shape[1]};
}

// How much of two paths is the same, at their beginnings and at their ends.
std::size_t likeness(std::string_view a, std::string_view b) {
  const std::size_t shorter = std::min(a.size(), b.size());
  std::size_t begin = 0, end = 0;
  while (begin < shorter && a[begin] == b[begin]) ++begin;
  while (begin + end < shorter && a[a.size() - 1 - end] == b[b.size() - 1 - end]) ++end;
  return begin + end;
}

Error no_such_path(const std::vector<std::string>& paths, const std::string& wanted) {
  constexpr int kNamed = 3;
  std::vector<std::string_view> left(paths.begin(), paths.end());
  std::string names;
  for (int i = 0; i < kNamed && !left.empty(); ++i) {
    const auto best = std::ranges::max_element(
        left, {}, [&](std::string_view path) { return likeness(path, wanted); });
    names += (names.empty() ? "" : ", ") + std::string(*best);
    left.erase(best);
  }
  const std::string shown = shown_name(wanted);
  return {"there is no tensor " + shown + "; like it are " + names + ".",
          "그런 텐서가 없습니다: " + shown + ". 비슷한 경로: " + names + "."};
}

Error no_such_cell(const Cell& cell, int rows, int columns) {
  const std::string last_row = std::to_string(rows - 1), last = std::to_string(columns - 1);
  return {cell.path + " has rows 0 to " + last_row + " and columns 0 to " + last +
              ": choose one of these.",
          cell.path + "의 행은 0~" + last_row + ", 열은 0~" + last +
              "입니다. 그 안에서 골라 주십시오."};
}

// What is looked at, and the gradient of the same shape.
struct Found {
  ConstMatrix<float> values, gradient;
  const ExplainedTensor* tensor = nullptr;  // null: a parameter
  bool is_gradient = false;
};

class Search {
 public:
  explicit Search(const ExplainedPass& pass) : pass_(pass), tensors_(described_tensors(pass)) {}

  const std::vector<ExplainedTensor>& tensors() const { return tensors_; }

  Result<Found> find(const std::string& path) const {
    std::vector<std::string> paths;
    Found found;
    // Of a tensor, or of its gradient; true when it is the one.
    const auto is = [&](const std::string& name, ConstMatrix<float> values,
                        ConstMatrix<float> gradient) {
      paths.push_back(name);
      const bool has_gradient = !pass_.gradients.empty() && !gradient.empty();
      if (has_gradient) paths.push_back(gradient_path(name));
      found = {values, has_gradient ? gradient : ConstMatrix<float>(), nullptr,
               has_gradient && paths.back() == path};
      return name == path || found.is_gradient;
    };
    for (const ExplainedTensor& tensor : tensors_) {
      if (!is(tensor.path, tensor.values, tensor.gradient)) continue;
      found.tensor = &tensor;
      return found;
    }
    const ParameterStore<float>& store = pass_.model.parameters();
    for (const ParameterEntry& entry : store.entries()) {
      const ConstMatrix<float> gradient =
          pass_.gradients.empty() ? ConstMatrix<float>() : matrix_of(entry, pass_.gradients);
      if (is(entry.name, matrix_of(entry, store.values()), gradient)) return found;
    }
    return no_such_path(paths, path);
  }

 private:
  const ExplainedPass& pass_;
  std::vector<ExplainedTensor> tensors_;
};

// The gradient of a cell is read, not derived: the equation says of which cell.
void explain_gradient(const Found& found, Explanation& e) {
  const std::string last = e.path.substr(e.path.rfind('.') + 1).substr(2);
  const std::string of = e.path.substr(0, e.path.rfind('.') + 1) + last;
  e.operation = "gradient of the loss";
  e.value = *e.gradient;
  e.terms.push_back({"x", of, e.row, e.column, found.values(e.row, e.column)});
}

}  // namespace

std::vector<ExplainedTensor> described_tensors(const ExplainedPass& pass) {
  Collector collector(pass.sequence);
  pass.model.describe(collector, pass.activations, pass.batch);
  return std::move(collector.tensors);
}

// ---------------------------------------------------------------------------------------- reading

bool Reading::has(int input) const {
  if (input >= std::ssize(tensor_.inputs)) return false;
  return tensor_.inputs[input].tensor != kNoTensor || is_parameter(input);
}

ConstMatrix<float> Reading::input(int number) const {
  const TensorInput& input = tensor_.inputs[number];
  if (input.tensor != kNoTensor) return tensors_[input.tensor].values;
  const ParameterStore<float>& store = pass_.model.parameters();
  const ParameterEntry& entry = *store.find(input.parameter);
  const ConstMatrix<float> whole = matrix_of(entry, store.values());
  return entry.shape.size() == 1 ? whole.column_range(input.first, whole.columns - input.first)
                                 : whole.row_range(input.first, whole.rows - input.first);
}

std::string Reading::path_of(const TensorInput& input) const {
  return input.tensor != kNoTensor ? tensors_[input.tensor].path : std::string(input.parameter);
}

void Reading::place(const TensorInput& input, std::int32_t& row, std::int32_t& column) const {
  if (input.tensor != kNoTensor) return;
  const ParameterEntry& entry = *pass_.model.parameters().find(input.parameter);
  (entry.shape.size() == 1 ? column : row) += input.first;
}

void Reading::read(const char* name, int input, int row, int column) {
  ExplainedTerm term;
  term.name = name;
  term.path = path_of(tensor_.inputs[input]);
  term.row = row;
  term.column = column;
  term.value = this->input(input)(row, column);
  place(tensor_.inputs[input], term.row, term.column);
  made_.terms.push_back(std::move(term));
}

void Reading::read_product(int input, int row, int column, int other, int other_row,
                           int other_column) {
  read("x", input, row, column);
  ExplainedTerm& term = made_.terms.back();
  term.factor_path = path_of(tensor_.inputs[other]);
  term.factor_row = other_row;
  term.factor_column = other_column;
  term.factor = this->input(other)(other_row, other_column);
  place(tensor_.inputs[other], term.factor_row, term.factor_column);
}

void Reading::read_row(int input, int row) {
  const int columns = this->input(input).columns;
  for (int j = 0; j < columns; ++j) read("x", input, row, j);
  sums(SumOrder::sixteen);
}

void Reading::sums_products() {
  const bool fused = pass_.model.kernels().arithmetic == Arithmetic::fused;
  sums(fused ? SumOrder::fused : SumOrder::in_order);
}

// ------------------------------------------------------------------------------------- explaining

Result<Explanation> explain(const ExplainedPass& pass, const Cell& cell) {
  TP_CHECK(pass.activations.gradient_memory == GradientMemory::kept,
           "everything is kept only by activations made with GradientMemory::kept");
  const Search search(pass);
  const Result<Found> there = search.find(cell.path);
  if (!there) return there.error();
  const Found& found = there.value();
  if (cell.row < 0 || cell.row >= found.values.rows || cell.column < 0 ||
      cell.column >= found.values.columns) {
    return no_such_cell(cell, found.values.rows, found.values.columns);
  }
  Explanation e;
  e.path = cell.path;
  e.row = cell.row;
  e.column = cell.column;
  e.value = found.values(cell.row, cell.column);
  if (!found.gradient.empty()) {
    e.gradient = found.gradient(cell.row, cell.column) / pass.gradient_scale;
  }
  ExplainRule none{};
  const ExplainRule* rule = &none;
  const char* formula = "";
  if (found.is_gradient) {
    explain_gradient(found, e);
  } else if (found.tensor == nullptr) {
    e.operation = "parameter";
  } else {
    e.operation = found.tensor->operation;
    if (const ExplainRule* known = find_explain_rule(e.operation)) {
      rule = known;
      Reading reading(pass, search.tensors(), *found.tensor, e);
      formula = rule->read(reading);
    }
  }
  e.equation = equation_text(e, *rule, formula);
  return e;
}

float evaluate(const Explanation& explanation) {
  const ExplainRule* rule = find_explain_rule(explanation.operation);
  if (rule == nullptr || rule->finish == nullptr) return explanation.value;
  const float sum = rule->term != nullptr ? sum_of(explanation, rule->term) : 0;
  return rule->finish(explanation, sum);
}

}  // namespace tp
