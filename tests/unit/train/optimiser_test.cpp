#include "engine/train/optimiser.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/core/rng.h"
#include "engine/model/transformer.h"
#include "engine/train/parameter_layers.h"

namespace tp {
namespace {

ParameterStore<double> random_store() {
  ParameterList list;
  list.specs = {{"a", {3, 5}, Initialisation::xavier}};
  ParameterStore<double> store(list);
  store.initialise(3);
  return store;
}

void fill_gradients(ParameterStore<double>& store, int step) {
  Rng rng(17, static_cast<std::uint64_t>(step));
  for (double& gradient : store.gradients()) gradient = rng.normal();
}

// Textbook forms, one number at a time, in double, with powers instead of running products.
struct Textbook {
  double value, m = 0, v = 0;

  void adam(double g, int t, double rate) {
    m = 0.9 * m + 0.1 * g;
    v = 0.98 * v + 0.02 * g * g;
    const double m_hat = m / (1 - std::pow(0.9, t)), v_hat = v / (1 - std::pow(0.98, t));
    value -= rate * m_hat / (std::sqrt(v_hat) + 1e-9);
  }
  void momentum(double g, double rate) {
    m = 0.9 * m + g;
    value -= rate * m;
  }
};

template <class Rule>
void expect_textbook(OptimiserKind kind, double decay, Rule rule) {
  ParameterStore<double> store = random_store();
  std::vector<Textbook> expected;
  for (double value : store.values()) expected.push_back({value});
  const auto optimiser = make_optimiser<double>(kind, fast_kernels<double>(), {});
  for (int t = 1; t <= 20; ++t) {
    fill_gradients(store, t);
    optimiser->begin_step();
    // In two slices, as layers are.
    optimiser->update(slice_of(store, 0, 4), 0.01, decay);
    optimiser->update(slice_of(store, 4, store.count() - 4), 0.01, decay);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      rule(expected[i], store.gradients()[i], t);
      ASSERT_NEAR(store.values()[i], expected[i].value, 1e-12) << "step " << t;
    }
  }
}

TEST(Optimiser, AdamIsTheTextbooks) {
  expect_textbook(OptimiserKind::adam, 0, [](Textbook& w, double g, int t) { w.adam(g, t, 0.01); });
  expect_textbook(OptimiserKind::adam, 0.1,
                  [](Textbook& w, double g, int t) { w.adam(g + 0.1 * w.value, t, 0.01); });
}

TEST(Optimiser, AdamWShrinksBesideTheStep) {
  expect_textbook(OptimiserKind::adamw, 0.1, [](Textbook& w, double g, int t) {
    w.value *= 1 - 0.01 * 0.1;
    w.adam(g, t, 0.01);
  });
}

TEST(Optimiser, MomentumIsTheTextbooks) {
  expect_textbook(OptimiserKind::sgd, 0, [](Textbook& w, double g, int) { w.momentum(g, 0.01); });
  expect_textbook(OptimiserKind::sgd, 0.1,
                  [](Textbook& w, double g, int) { w.momentum(g + 0.1 * w.value, 0.01); });
}

// The lesson's figures: norm 15, threshold 1, factor 1/15.
TEST(Clipping, ScalesByOneFifteenth) {
  ParameterList list;
  list.specs = {{"a", {3}, Initialisation::zeros}};
  ParameterStore<double> store(list);
  const double gradients[] = {10, -10, 5};  // sqrt(100 + 100 + 25) = 15
  std::copy(std::begin(gradients), std::end(gradients), store.gradients().begin());
  EXPECT_DOUBLE_EQ(gradient_norm(fast_kernels<double>(), store), 15);
  clip_gradients(fast_kernels<double>(), store, 15, 1);
  for (int i = 0; i < 3; ++i) EXPECT_DOUBLE_EQ(store.gradients()[i], gradients[i] / 15);
  EXPECT_NEAR(gradient_norm(fast_kernels<double>(), store), 1, 1e-15);
  // Below the threshold nothing happens.
  clip_gradients(fast_kernels<double>(), store, 1, 2);
  for (int i = 0; i < 3; ++i) EXPECT_DOUBLE_EQ(store.gradients()[i], gradients[i] / 15);
}

TEST(ParameterLayers, CoverTheStoreInOrder) {
  ModelConfig config;
  config.positions = PositionKind::learned;
  const ParameterStore<float> store(list_parameters(config));
  std::size_t next = 0;
  for (const ParameterLayer& layer : parameter_layers(store)) {
    EXPECT_EQ(layer.offset, next);
    for (const ParameterRun& run : layer.runs) {
      EXPECT_EQ(run.offset, next);
      next += run.count;
    }
    EXPECT_EQ(layer.offset + layer.count, next);
  }
  EXPECT_EQ(next, store.count());
}

TEST(ParameterLayers, NormsBiasesAndPositionsDoNotDecay) {
  ModelConfig config;
  config.positions = PositionKind::learned;
  const ParameterStore<float> store(list_parameters(config));
  const auto decays = [&](std::string_view name) {
    const std::size_t offset = store.find(name)->offset;
    for (const ParameterLayer& layer : parameter_layers(store)) {
      for (const ParameterRun& run : layer.runs) {
        if (offset >= run.offset && offset < run.offset + run.count) return run.decays;
      }
    }
    ADD_FAILURE() << name;
    return false;
  };
  EXPECT_TRUE(decays("encoder.layers.0.self_attn.in_proj_weight"));
  EXPECT_TRUE(decays("decoder.layers.1.linear2.weight"));
  EXPECT_TRUE(decays("generator.weight"));
  EXPECT_TRUE(decays("src_embed.weight"));
  EXPECT_FALSE(decays("encoder.layers.0.self_attn.in_proj_bias"));
  EXPECT_FALSE(decays("encoder.layers.1.norm2.weight"));
  EXPECT_FALSE(decays("decoder.norm.bias"));
  EXPECT_FALSE(decays("src_pos.weight"));
  EXPECT_FALSE(decays("tgt_pos.weight"));
}

TEST(ParameterLayers, KnowHowFarTheOutputIs) {
  const ModelConfig config;  // 2 + 2 layers
  const ParameterStore<float> store(list_parameters(config));
  std::vector<std::pair<std::string, int>> depths;
  for (const ParameterLayer& layer : parameter_layers(store)) {
    depths.emplace_back(layer.name, layer.depth);
  }
  const std::vector<std::pair<std::string, int>> expected = {
      {"src_embed", 5},        {"tgt_embed", 3},    {"encoder.layers.0", 4},
      {"encoder.layers.1", 3}, {"encoder.norm", 2}, {"decoder.layers.0", 2},
      {"decoder.layers.1", 1}, {"decoder.norm", 0}, {"generator", 0}};
  EXPECT_EQ(depths, expected);
}

}  // namespace
}  // namespace tp
