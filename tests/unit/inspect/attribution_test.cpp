#include "engine/inspect/attribution.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tests/subjects/model_pass.h"

namespace tp::test {
namespace {

template <class T>
class AttributionOf : public testing::Test {};
using Numbers = testing::Types<float, double>;
TYPED_TEST_SUITE(AttributionOf, Numbers);

template <class T>
constexpr double kRounding = sizeof(T) == 4 ? 1e-5 : 1e-13;

TYPED_TEST(AttributionOf, ThePartsOfEveryLogitOfEveryModelSumToIt) {
  using T = TypeParam;
  for (const ModelEntry& entry : models()) {
    SCOPED_TRACE(entry.name);
    const ModelPass<T> pass(entry.config);
    const ConstMatrix<T> logits = pass.activations->logits();
    for (int s = 0; s < pass.sequences(); ++s) {
      const bool pools = entry.config.head != HeadKind::tokens;
      const int positions = pools ? 1 : pass.batch.head_layout(entry.config).length(s);
      for (int p = 0; p < positions; ++p) {
        for (int o = 0; o < logits.columns; ++o) {
          const auto parts = attribute_logit(*pass.model, *pass.activations, pass.batch, s, p, o);
          double sum = 0;
          for (const LogitPart& part : parts) sum += part.value;
          EXPECT_NEAR(sum, static_cast<double>(logits(pass.first_answer(s) + p, o)), 1e-12);
          EXPECT_EQ(parts.back().kind, PartKind::remainder);
          EXPECT_LT(std::abs(parts.back().value), kRounding<T>) << s << ", " << p << ", " << o;
        }
      }
    }
  }
}

// How many parts of each kind there are follows from what a model is: nothing is missed, and
// nothing is thrown together.
TYPED_TEST(AttributionOf, EveryHeadLayerAndBiasIsAPart) {
  using T = TypeParam;
  for (const ModelEntry& entry : models()) {
    SCOPED_TRACE(entry.name);
    const ModelConfig& c = entry.config;
    const ModelPass<T> pass(c);
    std::map<PartKind, int> count;
    for (const auto& part : attribute_logit(*pass.model, *pass.activations, pass.batch, 0, 0, 1)) {
      ++count[part.kind];
    }
    const int layers = c.has_decoder() ? c.decoder_layers : c.encoder_layers;
    const int attentions = c.architecture == Architecture::encoder_decoder ? 2 : 1;
    const bool added =
        c.positions == PositionKind::sinusoidal || c.positions == PositionKind::learned;
    const bool norm_biases = c.biases && c.norm_kind == NormKind::layer;
    const bool embeds_patches = !c.has_decoder() && c.input == InputKind::patches;
    const int stream_norms = c.norm == NormPlacement::post ? layers * (attentions + 1) : 0;
    EXPECT_EQ(count[PartKind::embedding], 1);
    EXPECT_EQ(count[PartKind::positions], added ? 1 : 0);
    EXPECT_EQ(count[PartKind::attention_head], layers * attentions * c.heads);
    EXPECT_EQ(count[PartKind::feed_forward], layers);
    EXPECT_EQ(count[PartKind::bias],
              (c.biases ? layers * (attentions + 1) + 1 + embeds_patches : 0) +
                  (norm_biases ? stream_norms + (c.final_norm ? 1 : 0) : 0));
    EXPECT_EQ(count[PartKind::other], 0);
    EXPECT_EQ(count[PartKind::remainder], 1);
  }
}

// Without a norm nothing is frozen: a part is what the logit loses when its weights are zeros.
TEST(Attribution, APartIsWhatTheLogitLosesWithoutIt) {
  ModelConfig config = models().front().config;
  config.final_norm = false;
  ModelPass<double> pass(config);
  const auto logit = [&] { return pass.activations->logits()(pass.first_answer(1) + 2, 4); };
  const double before = logit();
  std::map<std::string, double> parts;
  for (const auto& part : attribute_logit(*pass.model, *pass.activations, pass.batch, 1, 2, 4)) {
    parts[part.path] = part.value;
  }
  // Of the last layer, so that nothing reads it but the head.
  const Matrix<double> out = pass.model->parameters().get("decoder.layers.1.linear2.weight").value;
  std::ranges::fill(out.flat(), 0.0);
  pass.forward();
  EXPECT_NEAR(before - logit(), parts.at("decoder.1.feed_forward.activated"), 1e-12);
  EXPECT_GT(std::abs(before - logit()), 1e-3);
}

// A pass with dropout: masks are not described, so a branch is one part. The sum holds.
TEST(Attribution, DroppedBranchesAreWholeParts) {
  for (const ModelEntry& entry : models()) {
    if (entry.config.dropout == 0) continue;
    ModelPass<float> pass(entry.config);
    pass.model->forward(pass.batch, pass.model->training_run(1, 1), *pass.activations);
    const auto parts = attribute_logit(*pass.model, *pass.activations, pass.batch, 0, 1, 2);
    EXPECT_LT(std::abs(parts.back().value), 1e-5);
    EXPECT_GT(std::ranges::count(parts, PartKind::other, &LogitPart::kind), 0);
  }
}

}  // namespace
}  // namespace tp::test
