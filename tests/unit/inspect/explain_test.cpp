#include "engine/inspect/explain.h"

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <set>

#include "engine/inspect/explain_rules.h"
#include "engine/inspect/path_pattern.h"
#include "engine/inspect/trace.h"
#include "tests/unit/inspect/explained_pass.h"

namespace tp::test {
namespace {

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

// What is at a cell, looked up in the trace or in the store.
class Cells {
 public:
  explicit Cells(const RandomPass& pass) : store_(pass.model->parameters()) {
    for (const TracedTensor<float>& tensor :
         trace(*pass.model, *pass.activations, pass.batch, pass.sequence, TraceParts::forward)) {
      tensors_[tensor.path] = tensor.values;
    }
  }
  float at(const std::string& path, int row, int column) const {
    if (const auto found = tensors_.find(path); found != tensors_.end()) {
      return found->second(row, column);
    }
    const ParameterEntry* entry = store_.find(path);
    TP_CHECK(entry != nullptr, path.c_str());
    return store_.values()[entry->offset + static_cast<std::size_t>(row * entry->shape.back()) +
                           static_cast<std::size_t>(column)];
  }

 private:
  const ParameterStore<float>& store_;
  std::map<std::string, ConstMatrix<float>> tensors_;
};

// The equation, on cells that hold these very numbers, gives the number that is explained.
void expect_exact(const Explanation& e, const Cells& cells) {
  const auto where = [&] {
    return e.path + "[" + std::to_string(e.row) + "," + std::to_string(e.column) + "] " +
           e.operation + ": " + e.equation;
  };
  ASSERT_EQ(bits(e.value), bits(cells.at(e.path, e.row, e.column))) << where();
  EXPECT_EQ(bits(evaluate(e)), bits(e.value)) << where();
  for (const ExplainedTerm& term : e.terms) {
    ASSERT_EQ(bits(term.value), bits(cells.at(term.path, term.row, term.column)))
        << term.path << " of " << where();
    if (term.factor_path.empty()) {
      ASSERT_EQ(term.factor, 1) << where();
    } else {
      ASSERT_EQ(bits(term.factor),
                bits(cells.at(term.factor_path, term.factor_row, term.factor_column)))
          << term.factor_path << " of " << where();
    }
  }
}

TEST(Explain, TheEquationGivesTheNumberBitForBit) {
  constexpr int kCells = 2400;
  const std::vector<ModelEntry> configs = configurations();
  std::set<std::string> operations;
  Rng rng(16);
  const auto draw = [&](std::size_t below) {
    return static_cast<int>(rng.below(static_cast<std::uint32_t>(below)));
  };
  int explained = 0;
  for (const ModelEntry& model_entry : configs) {
    SCOPED_TRACE(model_entry.name);
    for (const bool alone : {true, false}) {
      for (const Arithmetic arithmetic : {Arithmetic::exact, Arithmetic::fused}) {
        if (arithmetic == Arithmetic::fused && !can_fuse()) continue;
        const RandomPass pass(model_entry.config, alone, arithmetic);
        const Cells cells(pass);
        const std::vector<ExplainedTensor> tensors = described_tensors(pass.explained());
        std::map<std::string_view, std::vector<const ExplainedTensor*>> by_operation;
        for (const ExplainedTensor& tensor : tensors) {
          by_operation[tensor.operation].push_back(&tensor);
        }
        // Every operation gets its share, however few tensors it makes.
        const int share = kCells / static_cast<int>(configs.size() * 2 * by_operation.size()) + 1;
        for (const auto& [operation, made] : by_operation) {
          EXPECT_NE(find_explain_rule(operation), nullptr) << operation;
          operations.emplace(operation);
          for (int i = 0; i < share; ++i, ++explained) {
            const ExplainedTensor& tensor = *made[draw(made.size())];
            const int row = draw(static_cast<std::size_t>(tensor.values.rows));
            const int column = draw(static_cast<std::size_t>(tensor.values.columns));
            expect_exact(pass.at(tensor.path, row, column), cells);
          }
        }
      }
    }
  }
  EXPECT_GE(explained, 2000);
  EXPECT_GE(operations.size(), 25u);
}

// Each cell of the smallest kinds, where a hidden key, the first and the last column differ.
TEST(Explain, EveryCellOfAnAttentionIsExact) {
  for (const ModelEntry& model_entry : configurations()) {
    SCOPED_TRACE(model_entry.name);
    const RandomPass pass(model_entry.config);
    const Cells cells(pass);
    for (const ExplainedTensor& tensor : described_tensors(pass.explained())) {
      if (!fits_pattern(tensor.path, "*.0.*attn.head.1.*s")) continue;  // scores and weights
      for (int row = 0; row < tensor.values.rows; ++row) {
        for (int column = 0; column < tensor.values.columns; ++column) {
          expect_exact(pass.at(tensor.path, row, column), cells);
        }
      }
    }
  }
}

TEST(Explain, SaysItInWordsAndNumbers) {
  ModelConfig config = larger(models().front().config);
  config.d_model = 6;
  const RandomPass pass(config);
  const Explanation hidden = pass.at("encoder.0.feed_forward.hidden", 2, 3);
  EXPECT_EQ(hidden.operation, "linear");
  EXPECT_EQ(hidden.order, SumOrder::in_order);
  ASSERT_EQ(hidden.terms.size(), 1u + 6u);
  EXPECT_EQ(hidden.terms[0].name, "b");
  EXPECT_EQ(hidden.terms[0].path, "encoder.layers.0.linear1.bias");
  EXPECT_EQ(hidden.terms[1].path, "encoder.0.norm2.output");
  EXPECT_EQ(hidden.terms[1].factor_path, "encoder.layers.0.linear1.weight");
  EXPECT_EQ(hidden.terms[1].factor_row, 3);
  EXPECT_TRUE(hidden.equation.starts_with("b + sum(x * w) = ")) << hidden.equation;
  EXPECT_NE(hidden.equation.find(" + (2 more: "), std::string::npos) << hidden.equation;

  const Explanation weight = pass.at("decoder.1.cross_attn.head.1.weights", 3, 2);
  EXPECT_TRUE(weight.equation.starts_with("exp(x - max) * (1 / sum(exp(x - max))) = exp("))
      << weight.equation;
  EXPECT_EQ(weight.terms.size(), 19u);

  // The rows of the value are those after query and key, and of the second head.
  const Explanation value = pass.at("encoder.0.self_attn.head.1.value", 0, 1);
  EXPECT_EQ(value.terms.back().factor_row, 2 * 6 + 3 + 1);
  EXPECT_EQ(value.terms.front().column, 2 * 6 + 3 + 1);

  const Explanation masked = pass.at("decoder.0.self_attn.head.0.scores", 2, 7);
  EXPECT_TRUE(masked.equation.ends_with(" + -inf = -inf")) << masked.equation;
}

TEST(Explain, KnowsParametersAndGradients) {
  const RandomPass pass(larger(models().front().config));
  const std::string name = "decoder.layers.0.linear2.weight";
  const Explanation parameter = pass.at(name, 1, 2);
  EXPECT_EQ(parameter.operation, "parameter");
  EXPECT_TRUE(parameter.terms.empty());
  const ParameterEntry& entry = *pass.model->parameters().find(name);
  const std::size_t place = entry.offset + 40 + 2;
  EXPECT_EQ(parameter.value, pass.model->parameters().values()[place]);
  EXPECT_EQ(parameter.gradient, pass.model->parameters().gradients()[place]);

  const Explanation logit = pass.at("head.logits", 1, 2), d_logit = pass.at("head.d_logits", 1, 2);
  EXPECT_EQ(d_logit.value, logit.gradient);
  EXPECT_EQ(d_logit.terms.at(0).path, "head.logits");
  EXPECT_EQ(d_logit.terms.at(0).value, logit.value);
  EXPECT_EQ(pass.at("decoder.layers.0.linear2.d_weight", 1, 2).value, parameter.gradient);

  // A loss that was multiplied, as in half precision.
  ExplainedPass scaled = pass.explained();
  scaled.gradient_scale = 8;
  EXPECT_EQ(explain(scaled, {"head.logits", 1, 2}).value().gradient, *logit.gradient / 8);
}

TEST(Explain, NamesWhatIsLikeAPathThatIsNotThere) {
  const RandomPass pass(larger(models().front().config));
  const auto unknown = explain(pass.explained(), {"decoder.0.crossattn.head.1.weights", 0, 0});
  ASSERT_FALSE(unknown.ok());
  EXPECT_NE(unknown.error().message.find("decoder.0.cross_attn.head.1.weights"), std::string::npos)
      << unknown.error().message;
  EXPECT_FALSE(unknown.error().korean.empty());
  for (const auto& [row, column] : {std::pair{20, 0}, {-1, 0}, {0, 37}, {0, -1}}) {
    const auto outside = explain(pass.explained(), {"head.logits", row, column});
    ASSERT_FALSE(outside.ok());
    EXPECT_NE(outside.error().message.find("rows 0 to 19 and columns 0 to 36"), std::string::npos)
        << outside.error().message;
  }
}

}  // namespace
}  // namespace tp::test
