#include "engine/train/trainer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/kernels/parallel.h"
#include "tests/subjects/small_run.h"

namespace tp::test {
namespace {

constexpr std::uint64_t kFusedHash = 10857286073046329303u;

std::uint64_t hash_after(const RunConfig& run, int steps,
                         Trainer::KernelSet kernels = fast_kernels_for) {
  const auto trainer = make_trainer(run, kernels);
  train(*trainer, steps);
  return trainer->weights_hash();
}

TEST(Trainer, TheSameSeedGivesTheSameBitsOnBothKernelSets) {
  RunConfig run = small_run();
  run.train.dropout = 0.1;
  const std::uint64_t hash = hash_after(run, 15);
  EXPECT_EQ(hash_after(run, 15), hash);
  EXPECT_EQ(hash_after(run, 15, reference_kernels_for), hash);
  run.train.seed = 2;
  EXPECT_NE(hash_after(run, 15), hash);
}

// Large enough for products, rows, elements and sequences to be split.
TEST(Trainer, TheNumberOfThreadsDoesNotShow) {
  RunConfig run = std::move(default_run("reverse").value());
  run.train.dropout = 0.1;
  const std::uint64_t alone = hash_after(run, 3);
  for (const int count : {2, 3, 7}) {
    if (!kHasThreads) break;
    set_threads(count);
    EXPECT_EQ(threads(), count);
    EXPECT_EQ(hash_after(run, 3), alone) << count << " threads";
  }
  set_threads(1);
  EXPECT_EQ(threads(), 1);
}

TEST(Trainer, WhatRoundingLosesIsCountedOnAllThreads) {
  RunConfig run = std::move(default_run("reverse").value());
  run.train.precision = Precision::fp16;
  run.train.loss_scaling = false;
  const auto underflows = [&run](int count) {
    set_threads(count);
    const auto trainer = make_trainer(run);
    const auto step = trainer->step();
    set_threads(1);
    return step.value().underflows;
  };
  EXPECT_GT(underflows(1), 0u);
  if (kHasThreads) {
    EXPECT_EQ(underflows(3), underflows(1));
  }
}

// Fused runs agree with fused runs, also between machines: the hash was made with AVX2. Where
// nothing fuses, asking for it is refused with a sentence.
TEST(Trainer, FusedRunsAgreeWithEachOtherAndNotWithExactOnes) {
  RunConfig run = small_run();
  const std::uint64_t exact = hash_after(run, 15);
  run.train.arithmetic = Arithmetic::fused;
  if (can_fuse()) {
    const std::uint64_t fused = hash_after(run, 15);
    EXPECT_NE(fused, exact);
    EXPECT_EQ(hash_after(run, 15, reference_kernels_for), fused);
    EXPECT_EQ(fused, kFusedHash);
    return;
  }
  const Status status = validate(run.train);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find("choose exact"), std::string::npos);
  EXPECT_FALSE(status.error().korean.empty());
}

TEST(Trainer, EveryKindOfTaskTrains) {
  for (const TaskEntry& entry : all_tasks()) {
    if (entry.info.material == Material::required) continue;
    RunConfig run = small_run(entry.info.name);
    run.train.learning_rate = 3e-3;
    run.train.steps = 60;
    const auto trainer = make_trainer(run);
    const Evaluation before = trainer->evaluate();
    train(*trainer, 60);
    const Evaluation after = trainer->evaluate();
    EXPECT_LT(after.loss, before.loss) << entry.info.name;
    EXPECT_EQ(after.examples, run.train.eval_size);
    const bool answers =
        entry.info.kind != TaskKind::decoder_only && entry.info.kind != TaskKind::patch_regressor;
    EXPECT_EQ(after.exact.has_value(), answers) << entry.info.name;
    Example example;
    trainer->task().sample(Split::held_out, kExamSeed, 0, example);
    EXPECT_EQ(after.alignment.empty(), std::ranges::none_of(example.links, &Link::scored))
        << entry.info.name;
  }
}

TEST(Trainer, MetricsAreOfTheStep) {
  RunConfig run = small_run();
  run.train.clip = 1e-3;
  const auto trainer = make_trainer(run);
  const StepMetrics first = trainer->step().value();
  EXPECT_EQ(first.step, 1u);
  // An untrained model guesses: ln 12.
  EXPECT_NEAR(first.loss, std::log(12), 1);
  EXPECT_NEAR(*first.perplexity, std::exp(first.loss), 1e-6 * *first.perplexity);
  EXPECT_LE(*first.token_accuracy, 1);
  EXPECT_DOUBLE_EQ(first.learning_rate, run.train.learning_rate / 5);
  EXPECT_TRUE(first.clipped);
  EXPECT_GT(first.gradient_norm, 1e-3);
  EXPECT_EQ(first.tokens, static_cast<int>(trainer->batch().source_ids.size() +
                                           trainer->batch().target_ids.size()));
  ASSERT_EQ(first.update_ratios.size(), trainer->layers().size());
  for (double ratio : first.update_ratios) {
    EXPECT_GT(ratio, 0);
    EXPECT_LT(ratio, 1);
  }
}

// Gradients of the mean over all answers, whichever way these are cut into batches. The sums have
// another order, a product per batch and then their sum instead of one long product, so they agree
// up to rounding and not bit for bit.
TEST(Trainer, AccumulatedBatchesEqualOneLargeBatch) {
  RunConfig large = small_run(), cut = small_run();
  // Adam makes steps of one size from gradients that are zero but for rounding.
  large.train.optimiser = cut.train.optimiser = OptimiserKind::sgd;
  large.train.batch = 12;
  cut.train.batch = 3;
  cut.train.accumulation = 4;
  const auto a = make_trainer(large), b = make_trainer(cut);
  for (int i = 0; i < 3; ++i) {
    const StepMetrics in_one = a->step().value(), in_four = b->step().value();
    EXPECT_NEAR(in_one.loss, in_four.loss, 1e-5);
    EXPECT_EQ(in_one.tokens, in_four.tokens);
    EXPECT_NEAR(in_one.gradient_norm, in_four.gradient_norm, 1e-4 * in_one.gradient_norm);
    const auto expected = a->model().parameters().gradients();
    const auto got = b->model().parameters().gradients();
    for (std::size_t j = 0; j < expected.size(); ++j) ASSERT_NEAR(got[j], expected[j], 2e-5);
  }
  EXPECT_EQ(a->state().examples, b->state().examples);
}

TEST(Trainer, RecomputedLayersTakeLessMemoryAndGiveTheSameBits) {
  RunConfig run = small_run();
  run.model.encoder_layers = run.model.decoder_layers = 4;
  run.train.dropout = 0.1;
  const auto kept = make_trainer(run);
  run.train.recompute_layers = true;
  const auto recomputed = make_trainer(run);
  EXPECT_LT(recomputed->activations().arena.capacity(),
            kept->activations().arena.capacity() * 2 / 3);
  train(*kept, 10);
  train(*recomputed, 10);
  EXPECT_EQ(kept->weights_hash(), recomputed->weights_hash());
  const Evaluation a = kept->evaluate(), b = recomputed->evaluate();
  EXPECT_EQ(a.loss, b.loss);
  ASSERT_EQ(b.alignment.size(), 1u);  // of the last layer, whose weights are still there
  EXPECT_EQ(a.alignment.back().mean.share, b.alignment.back().mean.share);
}

TEST(Trainer, AFiniteSetIsSeenOncePerEpoch) {
  ExampleOrder order(3, 10);
  std::vector<std::uint64_t> first, second;
  for (std::uint64_t n = 0; n < 10; ++n) first.push_back(order[n]);
  for (std::uint64_t n = 10; n < 20; ++n) second.push_back(order[n]);
  EXPECT_NE(first, second);
  EXPECT_EQ(order[4], first[4]);  // any one can be asked for again
  std::sort(first.begin(), first.end());
  std::sort(second.begin(), second.end());
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(first[i], i);
  EXPECT_EQ(first, second);
  EXPECT_EQ(order.epoch(19), 1u);
  ExampleOrder endless(3, 0);
  EXPECT_EQ(endless[123456789], 123456789u);
}

TEST(Trainer, AFewExamplesAreLearntByHeart) {
  RunConfig run = small_run();
  run.train.train_size = 6;
  run.train.epochs = 150;
  run.train.learning_rate = 5e-3;
  const auto trainer = make_trainer(run);
  EXPECT_EQ(trainer->total_steps(), 150);
  double loss = 0;
  while (!trainer->finished()) loss = trainer->step().value().loss;
  EXPECT_LT(loss, 0.05);
  EXPECT_GT(trainer->evaluate().loss, 1);  // and nothing else was learnt
}

TEST(Trainer, AHyperParameterMayChangeBetweenSteps) {
  const RunConfig run = small_run();
  const auto trainer = make_trainer(run), untouched = make_trainer(run);
  train(*trainer, 3);
  train(*untouched, 3);
  TrainConfig changed = run.train;
  ASSERT_TRUE(trainer->reconfigure(changed).ok());  // to what it was
  train(*trainer, 1);
  train(*untouched, 1);
  EXPECT_EQ(trainer->weights_hash(), untouched->weights_hash());
  changed.learning_rate = 1e-4;
  changed.dropout = 0.2;
  changed.label_smoothing = 0.1;
  changed.optimiser = OptimiserKind::sgd;
  ASSERT_TRUE(trainer->reconfigure(changed).ok());
  const StepMetrics metrics = trainer->step().value();
  EXPECT_LE(metrics.learning_rate, 1e-4);
  EXPECT_FALSE(trainer->activations().source.input.dropout.mask.empty());
  changed.batch = 7;
  const Status refused = trainer->reconfigure(changed);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("batch"), std::string::npos);
}

TEST(Trainer, LayerRatesFallWithDepth) {
  RunConfig run = small_run();
  run.train.optimiser = OptimiserKind::sgd;  // whose updates are in proportion to the rate
  run.train.learning_rate = 1;
  const auto even = make_trainer(run);
  run.train.layer_rate_decay = 0.5;
  const auto falling = make_trainer(run);
  const auto a = even->step().value().update_ratios, b = falling->step().value().update_ratios;
  for (std::size_t l = 0; l < a.size(); ++l) {
    const double share = std::pow(0.5, even->layers()[l].depth);
    EXPECT_NEAR(b[l] / a[l], share, 0.02 * share) << even->layers()[l].name;
  }
}

TEST(Trainer, WeightDecayLeavesNormsAndBiasesAlone) {
  RunConfig run = small_run();
  run.train.optimiser = OptimiserKind::adamw;
  const auto without = make_trainer(run);
  run.train.weight_decay = 0.5;
  const auto with = make_trainer(run);
  train(*without, 1);
  train(*with, 1);
  for (const ParameterEntry& entry : with->model().parameters().entries()) {
    const auto a = without->model().parameters().values().subspan(entry.offset, entry.count);
    const auto b = with->model().parameters().values().subspan(entry.offset, entry.count);
    EXPECT_EQ(std::equal(a.begin(), a.end(), b.begin()), entry.shape.size() == 1) << entry.name;
  }
}

TEST(Trainer, ANumberThatIsNotFiniteStopsTheRunAndIsNamed) {
  const auto trainer = make_trainer(small_run());
  train(*trainer, 2);
  const std::uint64_t steps = trainer->state().steps;
  const ParameterEntry* entry =
      trainer->model().parameters().find("decoder.layers.1.linear1.weight");
  trainer->model().parameters().values()[entry->offset] = std::numeric_limits<float>::quiet_NaN();
  const auto failed = trainer->step();
  ASSERT_FALSE(failed.ok());
  EXPECT_NE(failed.error().message.find("'decoder.layers.1.linear1.weight'"), std::string::npos)
      << failed.error().message;
  EXPECT_NE(failed.error().message.find("step 3"), std::string::npos) << failed.error().message;
  EXPECT_EQ(trainer->state().steps, steps);
}

TEST(Trainer, AnOverflowOfActivationsIsFoundWhereItBegins) {
  const auto trainer = make_trainer(small_run());
  auto bias = trainer->model().parameters().get("encoder.layers.1.linear1.bias");
  for (float& value : bias.value.flat()) value = 3e38f;
  const auto failed = trainer->step();
  ASSERT_FALSE(failed.ok());
  // relu(3e38) times weights of both signs overflows in the second product.
  EXPECT_NE(failed.error().message.find("'encoder.1.residual2'"), std::string::npos)
      << failed.error().message;
}

// Exact sequences are found from one pass where that is enough; here each one is written out.
TEST(Evaluation, ExactSequencesAreThoseThatGreedyDecodingWrites) {
  RunConfig run = small_run("copy");
  run.train.steps = 300;
  run.train.learning_rate = 5e-3;
  run.train.batch = 16;
  run.train.eval_size = 50;
  const auto trainer = make_trainer(run);
  train(*trainer, 300);
  const Evaluation exam = trainer->evaluate();
  int exact = 0;
  double metric = 0;
  Example example;
  for (int i = 0; i < 50; ++i) {
    trainer->task().sample(Split::held_out, kExamSeed, static_cast<std::uint64_t>(i), example);
    const std::vector<int> written = write_answer(trainer->model(), trainer->task(), example);
    exact += written == example.target;
    metric += trainer->task().score(answer_of(example), {.tokens = written});
  }
  EXPECT_GT(exact, 0);
  EXPECT_LT(exact, 50) << "the model is too good to tell";
  EXPECT_DOUBLE_EQ(*exam.exact, exact / 50.0);
  EXPECT_DOUBLE_EQ(exam.metric, metric / 50) << "what was written wrongly differs";
}

// Answers of different lengths to sources of different lengths, written at once and one by one.
TEST(Evaluation, AnswersWrittenAtOnceAreThoseWrittenOneByOne) {
  RunConfig run = small_run("copy");
  run.train.steps = 300;
  run.train.learning_rate = 5e-3;
  run.train.batch = 16;
  const auto trainer = make_trainer(run);
  train(*trainer, 150);
  const Task& task = trainer->task();
  constexpr int kAnswers = 12;
  BatchMaker batches(task, trainer->model().config(), kAnswers);
  std::vector<Example> examples(kAnswers);
  for (int i = 0; i < kAnswers; ++i) {
    task.sample(Split::held_out, kExamSeed, static_cast<std::uint64_t>(i), examples[i]);
    batches.add(examples[i]);
  }
  batches.pack();
  const auto activations =
      trainer->model().make_activations(batch_limits(trainer->model().config(), kAnswers));
  ASSERT_TRUE(activations.ok());
  const SequenceLayout& layout = batches.packed().source_layout;
  std::vector<Block<float>::MemoryRows> rows;
  for (int i = 0; i < kAnswers; ++i) rows.push_back({layout.begin(i), layout.length(i)});
  AnswerWriter writer(trainer->model(), task);
  writer.begin(trainer->model().encode(batches.packed(), {}, *activations.value()), rows);
  while (!writer.advance()) {
  }
  std::size_t shortest = 1000, longest = 0;
  for (int i = 0; i < kAnswers; ++i) {
    EXPECT_EQ(writer.tokens(i), write_answer(trainer->model(), task, examples[i])) << i;
    shortest = std::min(shortest, writer.tokens(i).size());
    longest = std::max(longest, writer.tokens(i).size());
  }
  EXPECT_LT(shortest, longest) << "the answers end together: nothing is reordered";
}

TEST(Evaluation, AlignmentOfEvenWeightsIsGuessing) {
  const auto trainer = make_trainer(small_run());
  // Without queries all scores are equal, so all weights are 1 / length and the first is largest.
  for (const char* layer : {"decoder.layers.0", "decoder.layers.1"}) {
    auto projection =
        trainer->model().parameters().get(std::string(layer) + ".multihead_attn.in_proj_weight");
    for (float& value : projection.value.row_range(0, 16).flat()) value = 0;
  }
  const Evaluation exam = trainer->evaluate();
  double tokens = 0, sequences = 0;
  Example example;
  for (std::uint64_t i = 0; i < 20; ++i) {
    trainer->task().sample(Split::held_out, kExamSeed, i, example);
    tokens += static_cast<double>(example.target.size());
    sequences += 1;
  }
  ASSERT_EQ(exam.alignment.size(), 2u);
  for (const LayerAlignment& layer : exam.alignment) {
    ASSERT_EQ(layer.heads.size(), 2u);
    // In each sequence one token comes from the first place, and a row's true cell has 1 / length.
    EXPECT_NEAR(layer.mean.share, sequences / tokens, 1e-9);
    EXPECT_NEAR(layer.heads[1].share, sequences / tokens, 1e-9);
    EXPECT_NEAR(layer.mean.weight, sequences / tokens, 1e-6);
  }
}

}  // namespace
}  // namespace tp::test
