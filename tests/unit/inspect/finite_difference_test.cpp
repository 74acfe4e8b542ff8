#include "engine/inspect/finite_difference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/inspect/explain_rules.h"
#include "tests/unit/inspect/explained_pass.h"

namespace tp::test {
namespace {

float largest(ConstMatrix<float> values) {
  float most = 0;
  for (int i = 0; i < values.rows; ++i) {
    for (int j = 0; j < values.columns; ++j) most = std::max(most, std::abs(values(i, j)));
  }
  return most;
}

// To a thousandth of the tensor's largest gradient, or to what a float can tell of the loss.
void expect_agreement(const RandomPass& pass, const Cell& cell, ConstMatrix<float> gradient) {
  Explanation e = pass.at(cell.path, cell.row, cell.column);
  ASSERT_TRUE(e.gradient.has_value()) << cell.path;
  ASSERT_TRUE(add_finite_difference(pass.explained(), e).ok());
  EXPECT_NEAR(*e.finite_difference, *e.gradient, 1e-3f * largest(gradient) + 1e-6f)
      << cell.path << "[" << cell.row << "," << cell.column << "] " << e.operation;
}

TEST(FiniteDifference, AgreesForEveryKindOfParameter) {
  for (const ModelEntry& model_entry : configurations()) {
    SCOPED_TRACE(model_entry.name);
    const RandomPass pass(model_entry.config);
    const std::vector<float> before(pass.model->parameters().values().begin(),
                                    pass.model->parameters().values().end());
    Rng rng(7);
    for (const ParameterEntry& entry : pass.model->parameters().entries()) {
      const Matrix<float> gradient = pass.model->parameters().get(entry.name).gradient;
      // A row of a table that the example does not use has no gradient.
      const float most = largest(gradient);
      Cell cell{entry.name};
      do {
        cell.row = static_cast<int>(rng.below(static_cast<std::uint32_t>(gradient.rows)));
        cell.column = static_cast<int>(rng.below(static_cast<std::uint32_t>(gradient.columns)));
      } while (std::abs(gradient(cell.row, cell.column)) < 0.01f * most);
      expect_agreement(pass, cell, gradient);
    }
    EXPECT_TRUE(std::ranges::equal(before, pass.model->parameters().values()));
  }
}

TEST(FiniteDifference, AgreesForActivations) {
  constexpr int kCells = 260;
  const std::vector<ModelEntry> configs = configurations();
  Rng rng(8);
  const auto draw = [&](std::size_t below) {
    return static_cast<int>(rng.below(static_cast<std::uint32_t>(below)));
  };
  int moved = 0;
  for (const ModelEntry& model_entry : configs) {
    SCOPED_TRACE(model_entry.name);
    const RandomPass pass(model_entry.config);
    const std::vector<ExplainedTensor> tensors = described_tensors(pass.explained());
    const std::vector<float> logits(pass.activations->logits().flat().begin(),
                                    pass.activations->logits().flat().end());
    for (int i = 0; i < kCells / static_cast<int>(configs.size()); ++moved, ++i) {
      const ExplainedTensor* tensor = nullptr;
      do tensor = &tensors[draw(tensors.size())];
      while (tensor->gradient.empty());
      const Cell cell{tensor->path, draw(static_cast<std::size_t>(tensor->values.rows)),
                      draw(static_cast<std::size_t>(tensor->values.columns))};
      expect_agreement(pass, cell, tensor->gradient);
    }
    EXPECT_TRUE(std::ranges::equal(logits, pass.activations->logits().flat()));
  }
  EXPECT_GE(moved, 200);
}

// Every tensor that has a gradient, once: no operation is out of the patch's reach.
TEST(FiniteDifference, ReachesEveryTensor) {
  for (const ModelEntry& model_entry : configurations()) {
    SCOPED_TRACE(model_entry.name);
    const RandomPass pass(model_entry.config);
    for (const ExplainedTensor& tensor : described_tensors(pass.explained())) {
      if (tensor.gradient.empty()) continue;
      Cell most{tensor.path};
      for (int i = 0; i < tensor.gradient.rows; ++i) {
        for (int j = 0; j < tensor.gradient.columns; ++j) {
          if (std::abs(tensor.gradient(i, j)) > std::abs(tensor.gradient(most.row, most.column))) {
            most = {tensor.path, i, j};
          }
        }
      }
      expect_agreement(pass, most, tensor.gradient);
    }
  }
}

}  // namespace
}  // namespace tp::test
