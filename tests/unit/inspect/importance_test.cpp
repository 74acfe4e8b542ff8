#include "engine/inspect/importance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/subjects/model_pass.h"

namespace tp::test {
namespace {

constexpr InputSide kSides[] = {InputSide::source, InputSide::target};

// Classes 0 and 1 are read off the first feature, of the mean of the embeddings and of nothing
// else: token 0 speaks for class 0, token 1 against it, and token 2 says nothing.
TEST(Importance, WhatHelpsIsAboveZeroAndWhatMisleadsBelow) {
  ModelConfig config;
  config.architecture = Architecture::encoder_only;
  config.head = HeadKind::classification;
  config.outputs = 2;
  config.d_model = 4;
  config.heads = 1;
  config.d_ff = 4;
  config.encoder_layers = 1;
  config.final_norm = config.scale_embedding = config.biases = false;
  config.positions = PositionKind::none;
  config.source_vocabulary = 3;
  config.max_source_length = 3;
  const auto model = std::move(Transformer<double>::create(config).value());
  std::ranges::fill(model->parameters().values(), 0.0);
  const Matrix<double> embedding = model->parameters().get("src_embed.weight").value;
  embedding(0, 0) = 1;
  embedding(1, 0) = -1;
  embedding(2, 1) = 1;
  const Matrix<double> head = model->parameters().get("generator.weight").value;
  head(0, 0) = 3;
  head(1, 0) = -3;

  const int ids[] = {0, 1, 2}, lengths[] = {3}, labels[] = {0};
  PaddedBatch<double> padded;
  padded.source = {ids, 3, lengths};
  padded.labels = labels;
  Batch<double> batch;
  ASSERT_TRUE(pack(config, padded, batch).ok());
  const auto activations = std::move(model->make_activations({1, 3, 1}).value());
  model->forward(batch, {}, *activations);
  const double loss = model->loss(batch, *activations);
  EXPECT_NEAR(loss, std::log(2.0), 1e-12);
  model->backward(*activations);
  // The logits are 3 m and -3 m, m the mean of the first feature: d loss / d m = -6 p(1) = -3.
  const auto estimated = estimated_rises(*model, *activations, batch, 0, InputSide::source);
  ASSERT_EQ(estimated.size(), 3u);
  EXPECT_NEAR(estimated[0], 1, 1e-12);
  EXPECT_NEAR(estimated[1], -1, 1e-12);
  EXPECT_EQ(estimated[2], 0);
  const auto scratch = std::move(model->make_activations({1, 3, 1}).value());
  const auto measured = [&](int i) {
    return measured_rise(*model, batch, 0, InputSide::source, i, loss, *scratch);
  };
  EXPECT_NEAR(measured(0), std::log1p(std::exp(2.0)) - loss, 1e-12);
  EXPECT_NEAR(measured(1), std::log1p(std::exp(-2.0)) - loss, 1e-12);
  EXPECT_NEAR(measured(2), 0, 1e-12);
  EXPECT_EQ(input_count(*model, batch, 0, InputSide::target), 0);
}

// The sum rule: the estimates of one side add up to what the loss loses by the derivative when all
// of its inputs grow in proportion.
TEST(Importance, EstimatesOfASideSumToTheDerivativeByItsScale) {
  for (const ModelEntry& entry : models()) {
    SCOPED_TRACE(entry.name);
    ModelConfig config = entry.config;
    config.tying = Tying::none;  // a head that grows along would change the loss, too
    ModelPass<double> pass(config, GradientMemory::shared);
    pass.backward();
    for (const InputSide side : kSides) {
      double sum = 0;
      for (int s = 0; s < pass.sequences(); ++s) {
        const auto rises = estimated_rises(*pass.model, *pass.activations, pass.batch, s, side);
        sum = std::accumulate(rises.begin(), rises.end(), sum);
      }
      const bool source = side == InputSide::source;
      if (source ? !config.has_encoder() : !config.has_decoder()) {
        EXPECT_EQ(sum, 0);
        continue;
      }
      const bool patches = source && config.input == InputKind::patches;
      const std::span<double> inputs =
          patches ? std::span(pass.batch.source_patches)
                  : pass.model->parameters()
                        .get(source ? "src_embed.weight" : "tgt_embed.weight")
                        .value.flat();
      const std::vector<double> before(inputs.begin(), inputs.end());
      const auto loss_at = [&](double scale) {
        for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i] = scale * before[i];
        return pass.forward();
      };
      constexpr double kStep = 1e-5;
      const double derivative = (loss_at(1 + kStep) - loss_at(1 - kStep)) / (2 * kStep);
      loss_at(1);
      pass.backward();
      EXPECT_NEAR(sum, -derivative, 1e-8);
      EXPECT_GT(std::abs(derivative), 1e-4);
    }
  }
}

// The same by other means: a token of a larger vocabulary whose embedding is zeros, or a patch of
// zeros, in a batch of its own.
TEST(Importance, LeavingAnInputOutIsTheLossOfABatchWithoutIt) {
  for (const ModelEntry& entry : models()) {
    SCOPED_TRACE(entry.name);
    ModelConfig config = entry.config;
    config.tying = Tying::none;
    ModelPass<float> pass(config);
    for (const char* name : {"src_embed.weight", "tgt_embed.weight"}) {
      const Matrix<float> table = pass.model->parameters().get(name).value;
      if (table.rows == 0 || (config.input == InputKind::patches && name[0] == 's')) continue;
      std::fill_n(table.row(0), table.columns, 0.0f);
    }
    for (std::vector<int>* ids : {&pass.batch.source_ids, &pass.batch.target_ids}) {
      for (int& id : *ids) id = std::max(id, 1);
    }
    const float loss = pass.forward();
    const auto scratch = std::move(pass.model->make_activations({3, 4, 4}).value());
    for (const InputSide side : kSides) {
      for (int s = 0; s < pass.sequences(); ++s) {
        for (int i = 0; i < input_count(*pass.model, pass.batch, s, side); ++i) {
          Batch<float> without = pass.batch;
          const bool source = side == InputSide::source;
          const int row = (source ? without.source_layout : without.target_layout).begin(s) + i;
          if (!source) {
            without.target_ids[row] = 0;
          } else if (config.input == InputKind::tokens) {
            without.source_ids[row] = 0;
          } else {
            std::fill_n(without.source_patches.begin() + row * config.patch_size, config.patch_size,
                        0.0f);
          }
          pass.model->forward(without, {}, *pass.activations);
          const float expected = pass.model->loss(without, *pass.activations) - loss;
          EXPECT_EQ(measured_rise(*pass.model, pass.batch, s, side, i, loss, *scratch), expected);
        }
      }
    }
  }
}

}  // namespace
}  // namespace tp::test
