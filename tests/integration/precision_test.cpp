#include "engine/train/precision.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/core/half.h"
#include "tests/subjects/small_run.h"

namespace tp::test {
namespace {

bool is_bfloat(float x) { return float_from_bfloat(bfloat_from_float(x)) == x; }
bool is_half(float x) { return float_from_half(half_from_float(x)) == x; }

TEST(Precision, RoundingCountsWhatItLoses) {
  float values[] = {1e-9f, 7e4f, 0.1f, 0, 1e-8f, -1e5f};
  const RoundingCounts before = rounding_counts();
  round_to(StorageFormat::float16, values);
  EXPECT_EQ(rounding_counts().underflows - before.underflows, 2u);
  EXPECT_EQ(rounding_counts().overflows - before.overflows, 2u);
  EXPECT_EQ(values[2], float_from_half(half_from_float(0.1f)));
}

TEST(Precision, WhatThePassStoresHasSixteenBitsAndTheMastersHaveMore) {
  for (const Precision precision : {Precision::bf16, Precision::fp16}) {
    RunConfig run = small_run();
    run.train.precision = precision;
    run.train.dropout = 0.1;
    const auto trainer = make_trainer(run);
    train(*trainer, 3);
    const auto narrow = precision == Precision::bf16 ? is_bfloat : is_half;
    const Activations<float>& a = trainer->activations();
    const auto expect_narrow = [&](const char* what, std::span<const float> values) {
      EXPECT_TRUE(std::ranges::all_of(values, narrow)) << what;
    };
    expect_narrow("input", a.source.input.output.flat());
    expect_narrow("normed", a.source.stack.layers[0].around_self.normed.flat());
    expect_narrow("queries, keys, values",
                  a.source.stack.layers[0].self_attention.projected.flat());
    expect_narrow("weights", a.target.stack.layers[1].cross_attention.weights);
    expect_narrow("context", a.target.stack.layers[1].cross_attention.context.flat());
    expect_narrow("hidden", a.target.stack.layers[1].feed_forward.hidden.flat());
    expect_narrow("logits", a.logits().flat());
    expect_narrow("d_logits", a.head.d_logits.flat());
    EXPECT_FALSE(std::ranges::all_of(trainer->model().parameters().values(), narrow));
  }
}

TEST(Precision, TheLossScaleFollowsOverflows) {
  LossScale scale(true);
  EXPECT_EQ(scale.scale(), 65536);
  EXPECT_TRUE(scale.update(true));
  EXPECT_EQ(scale.scale(), 32768);
  for (int i = 0; i < 199; ++i) EXPECT_TRUE(scale.update(false));
  EXPECT_EQ(scale.scale(), 32768);
  EXPECT_TRUE(scale.update(false));
  EXPECT_EQ(scale.scale(), 65536);
  for (int i = 0; i < 26; ++i) EXPECT_TRUE(scale.update(true));
  EXPECT_FALSE(scale.update(true));  // it cannot be the scale's fault
  LossScale none(false);
  EXPECT_EQ(none.scale(), 1);
  EXPECT_FALSE(none.update(true));
}

TEST(Precision, AStepThatOverflowsIsLeftOut) {
  RunConfig run = small_run();
  run.train.precision = Precision::fp16;
  const auto trainer = make_trainer(run);
  TrainerState state = trainer->state();
  state.loss_scale.scale = 0x1p24;
  trainer->restore(state);
  const std::uint64_t hash = trainer->weights_hash();
  const StepMetrics metrics = trainer->step().value();
  EXPECT_TRUE(metrics.skipped);
  EXPECT_GT(metrics.overflows, 0u);
  EXPECT_EQ(trainer->weights_hash(), hash);
  EXPECT_EQ(trainer->state().steps, 1u);
  EXPECT_EQ(trainer->state().optimiser_steps, 0u);
  EXPECT_EQ(trainer->state().loss_scale.scale, 0x1p23);
}

// Gradients in fp16 vanish without a scale and survive with it.
TEST(Precision, LossScalingSavesGradientsFromUnderflow) {
  const auto underflows = [](Precision precision, bool scaling) {
    // As wide and with batches as large as in earnest: the mean over more tokens has smaller
    // gradients.
    RunConfig run = std::move(default_run("reverse").value());
    run.train.precision = precision;
    run.train.loss_scaling = scaling;
    const auto trainer = make_trainer(run);
    std::uint64_t count = 0;
    for (int i = 0; i < 8; ++i) {
      const auto metrics = trainer->step();
      if (i >= 4) count += metrics.value().underflows;
    }
    return count;
  };
  const std::uint64_t without = underflows(Precision::fp16, false);
  const std::uint64_t with = underflows(Precision::fp16, true);
  EXPECT_GT(without, 1000u);
  EXPECT_LT(with, without / 10);
  EXPECT_EQ(underflows(Precision::bf16, false), 0u);
}

}  // namespace
}  // namespace tp::test
