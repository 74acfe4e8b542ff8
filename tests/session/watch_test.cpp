// Tensors, parameters and gradients that a session is asked for by path.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "engine/inspect/path_pattern.h"
#include "engine/inspect/trace.h"
#include "tests/session/session_driver.h"

namespace tp::test {
namespace {

constexpr std::uint8_t kEverything = kWantValues | kWantStatistics | kWantHistogram;

RunConfig learned_positions_run() {
  RunConfig run = small_run();
  run.model.positions = PositionKind::learned;
  return run;
}

Snapshot watched(Driver& driver, std::vector<WatchedPath> paths) {
  driver.send(Watch{.paths = std::move(paths)});
  return driver.settle();
}

TEST(Watched, OnlyWhatMatchesIsSentAndOnlyWhatIsWantedOfIt) {
  Driver driver;
  driver.start(learned_positions_run());
  const Snapshot s = watched(driver, {{"decoder.1.cross_attn.head.?.scores", kWantStatistics},
                                      {"*_pos.weight"},
                                      {"encoder.0.feed_forward.hidden", kWantHistogram}});
  ASSERT_EQ(s.tensors.size(), 5u);
  const WatchedTensor* scores = find_tensor(s, "decoder.1.cross_attn.head.1.scores");
  ASSERT_NE(scores, nullptr);
  EXPECT_TRUE(scores->values.empty() && scores->histogram.empty());
  EXPECT_TRUE(scores->statistics.has_value());
  EXPECT_FALSE(scores->reading.has_value());
  EXPECT_EQ(scores->rows, std::ssize(s.example->read));
  EXPECT_EQ(scores->columns, std::ssize(s.example->source));
  const WatchedTensor* table = find_tensor(s, "src_pos.weight");
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table->columns, 16);
  EXPECT_EQ(table->values.size(), static_cast<std::size_t>(table->rows * table->columns));
  EXPECT_FALSE(table->statistics.has_value());
  const WatchedTensor* hidden = find_tensor(s, "encoder.0.feed_forward.hidden");
  ASSERT_NE(hidden, nullptr);
  EXPECT_EQ(hidden->operation, "linear");
  EXPECT_EQ(hidden->histogram.size(), static_cast<std::size_t>(kHistogramBins));
  EXPECT_EQ(tokens_along(hidden->row_axis, *s.example).size(), s.example->source.size());
  EXPECT_TRUE(tokens_along(hidden->column_axis, *s.example).empty());
}

TEST(Watched, WhatATensorIsMadeFromIsToldWhereItIsWanted) {
  Driver driver;
  driver.start(learned_positions_run());
  const Snapshot s = watched(driver, {{"*", kWantInputs}, {"head.logits", kWantValues}});
  const WatchedTensor* weights = find_tensor(s, "decoder.1.cross_attn.head.1.weights");
  ASSERT_NE(weights, nullptr);
  EXPECT_EQ(weights->inputs, std::vector<std::string>{"decoder.1.cross_attn.head.1.scores"});
  EXPECT_TRUE(weights->values.empty());
  EXPECT_FALSE(weights->statistics.has_value());
  const WatchedTensor* logits = find_tensor(s, "head.logits");
  ASSERT_NE(logits, nullptr);
  EXPECT_FALSE(logits->inputs.empty());
  EXPECT_FALSE(logits->values.empty());
  EXPECT_TRUE(find_tensor(watched(driver, {{"head.logits"}}), "head.logits")->inputs.empty());
}

TEST(Watched, TensorsFollowTheWeightsTheExampleAndTheList) {
  Driver driver;
  driver.start(learned_positions_run());
  const std::string logits = "head.logits", table = "src_pos.weight";
  const Snapshot first = watched(driver, {{logits}, {table}});
  driver.step(3);
  const Snapshot later = driver.settle();
  EXPECT_NE(find_tensor(later, logits)->values, find_tensor(first, logits)->values);
  EXPECT_NE(find_tensor(later, table)->values, find_tensor(first, table)->values);
  driver.send(ChooseExample{3});
  const Snapshot other = driver.settle();
  EXPECT_NE(find_tensor(other, logits)->values, find_tensor(later, logits)->values);
  EXPECT_EQ(find_tensor(other, table)->values, find_tensor(later, table)->values);
  // The same example, asked for by number beside another one that is shown.
  driver.send(ChooseExample{0});
  const Snapshot both = watched(driver, {{logits}, {logits, kWantValues, 3}});
  EXPECT_EQ(find_tensor(both, logits)->values, find_tensor(later, logits)->values);
  EXPECT_EQ(find_tensor(both, logits, 3)->values, find_tensor(other, logits)->values);
  driver.send(Watch{.paths = {{logits, kWantValues, 100'000}}});
  EXPECT_FALSE(driver.settle().error.korean.empty());
  // Nothing watched: nothing comes.
  driver.send(Watch{});
  driver.settle();
  driver.step();
  driver.session().work(1e9);
  const Snapshot bare = decode_snapshot(driver.session().take_snapshot()).value();
  EXPECT_TRUE(bare.tensors.empty());
}

TEST(Watched, SeriesHaveALineForEachLayerHeadAndTensor) {
  Driver driver;
  RunConfig run = small_run();
  run.train.eval_every = 2;
  driver.start(std::move(run));
  driver.send(Watch{.paths = {{"*.head.*.weights"}, {"head.logits", kWantStatistics}}});
  driver.settle();
  for (int i = 0; i < 4; ++i) {
    driver.step();
    driver.settle();
  }
  const Snapshot& s = driver.last();
  const auto steps = [&](const char* name) { return steps_of(s, name); };
  using Steps = std::vector<std::uint64_t>;
  EXPECT_EQ(steps("update_ratio.encoder.layers.0"), (Steps{1, 2, 3, 4}));
  EXPECT_EQ(steps("heldout_alignment.decoder.1.cross_attn.head.0"), (Steps{0, 2, 4}));
  EXPECT_EQ(steps("entropy.decoder.0.cross_attn.head.1").back(), 4u);
  EXPECT_EQ(steps("mean.head.logits").back(), 4u);
  EXPECT_EQ(steps("zeros.head.logits").size(), steps("mean.head.logits").size());
  EXPECT_EQ(steps("loss_scale"), (Steps{1, 2, 3, 4}));
}

// What was asked for while there was no run holds for the first one, and for the next.
TEST(Watched, TheListOutlivesTheRun) {
  Driver driver;
  driver.send(Watch{.paths = {{"head.logits"}}});
  driver.start(small_run());
  EXPECT_EQ(driver.settle().tensors.size(), 1u);
  driver.start(small_run("sort"));
  const Snapshot s = driver.settle();
  EXPECT_EQ(s.run, 2u);
  EXPECT_EQ(s.tensors.size(), 1u);
}

// Every tensor of the trace and every parameter, with gradients: those of the example's loss.
TEST(Watched, GradientsAreThoseOfTheExample) {
  for (const char* task : {"reverse", "text", "shapes", "forecast"}) {
    RunConfig run = small_run(task);
    const std::unique_ptr<Trainer> trainer = make_trainer(run);
    Transformer<float>& model = trainer->model();
    BatchMaker batches(trainer->task(), model.config(), 1);
    Example example;
    trainer->task().sample(Split::held_out, kExamSeed, 0, example);
    batches.clear();
    batches.add(example);
    const Batch<float>& batch = batches.pack();
    const auto activations =
        model.make_activations(batch_limits(model.config(), 1), GradientMemory::kept);
    model.forward(batch, {}, *activations.value());
    model.loss(batch, *activations.value());
    model.parameters().zero_gradients();
    model.backward(*activations.value());

    Driver driver;
    driver.start(std::move(run));
    const Snapshot s = watched(driver, {{"*", kEverything}});
    std::set<std::string> paths;
    for (const WatchedTensor& tensor : s.tensors) {
      EXPECT_TRUE(paths.insert(tensor.path).second) << tensor.path << " twice";
      EXPECT_EQ(tensor.values.size(), static_cast<std::size_t>(tensor.rows * tensor.columns));
    }
    const auto expect = [&](const std::string& path, std::vector<float> values) {
      const WatchedTensor* tensor = find_tensor(s, path);
      ASSERT_NE(tensor, nullptr) << task << " " << path;
      EXPECT_EQ(tensor->values, values) << task << " " << path;
      paths.erase(path);
    };
    for (const TracedTensor<float>& traced :
         trace(model, *activations.value(), batch, 0, TraceParts::forward_and_backward)) {
      std::vector<float> values;
      for (int r = 0; r < traced.values.rows; ++r) {
        values.insert(values.end(), traced.values.row(r),
                      traced.values.row(r) + traced.values.columns);
      }
      if (traced.values.data != nullptr) expect(traced.path, std::move(values));
    }
    const auto slice = [](std::span<const float> block, const ParameterEntry& entry) {
      const auto part = block.subspan(entry.offset, entry.count);
      return std::vector<float>(part.begin(), part.end());
    };
    for (const ParameterEntry& entry : model.parameters().entries()) {
      expect(entry.name, slice(model.parameters().values(), entry));
      expect(gradient_path(entry.name), slice(model.parameters().gradients(), entry));
    }
    EXPECT_TRUE(paths.empty()) << task << " has also " << *paths.begin();
  }
}

// In between two pieces of a step, whose gradients are in the store.
TEST(Watched, GradientsLeaveTheTrainingAlone) {
  for (const Precision precision : {Precision::fp32, Precision::bf16, Precision::fp16}) {
    RunConfig run = small_run();
    run.train.precision = precision;
    run.train.accumulation = 2;
    run.train.dropout = 0.1;
    const auto trainer = make_trainer(run);
    train(*trainer, 10);
    Driver driver;
    driver.start(std::move(run), true);
    std::vector<WatchedPath> paths = {{"*", kEverything}, {"*.d_*", kWantValues, 2}};
    int looks = 0;
    while (driver.last().moment.step < 10) {
      driver.session().work(0);
      // Another list makes a look due, in the middle of a step.
      std::ranges::reverse(paths);
      driver.send(Watch{.paths = paths, .samples = true, .stills = true});
      const auto before = driver.last().tensors.size();
      looks += driver.take().tensors.size() >= before && before > 0;
    }
    EXPECT_GT(looks, 20);
    EXPECT_EQ(driver.last().weights_hash, trainer->weights_hash()) << static_cast<int>(precision);
  }
}

// A loss that is scaled for the sake of small numbers has gradients of the loss itself.
TEST(Watched, GradientsOfAScaledLossAreDividedAgain) {
  Driver single, half;
  single.start(small_run());
  RunConfig run = small_run();
  run.train.precision = Precision::fp16;
  half.start(std::move(run));
  const std::string path = "head.d_logits";
  const std::vector<float> exact = find_tensor(watched(single, {{path}}), path)->values;
  const std::vector<float> rounded = find_tensor(watched(half, {{path}}), path)->values;
  ASSERT_EQ(exact.size(), rounded.size());
  for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_NEAR(exact[i], rounded[i], 2e-3);
}

}  // namespace
}  // namespace tp::test
