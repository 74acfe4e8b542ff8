#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "engine/core/hash.h"
#include "engine/layers/layer_norm.h"
#include "engine/layers/rotary.h"
#include "engine/model/transformer.h"
#include "tests/subjects/composed.h"
#include "tests/subjects/random_batch.h"

// What must hold for any weights and any input. (That a shift of sinusoidal positions is one linear
// map is shown in unit/positions_test.cpp.)

namespace tp::test {
namespace {

ModelConfig small(Architecture architecture) {
  ModelConfig config;
  config.architecture = architecture;
  config.d_model = 16;
  config.heads = 4;
  config.d_ff = 24;
  config.source_vocabulary = config.target_vocabulary = 9;
  config.max_source_length = config.max_target_length = 12;
  return config;
}

// A model with a batch and everything it computes from it.
template <class T>
struct ModelRun {
  std::unique_ptr<Transformer<T>> model;
  std::unique_ptr<Activations<T>> activations;
  Batch<T> batch;

  ModelRun(const ModelConfig& config, std::uint64_t seed,
           GradientMemory memory = GradientMemory::shared) {
    auto made = Transformer<T>::create(config);
    TP_CHECK(made.ok(), made.error().message.c_str());
    model = std::move(made.value());
    model->parameters().initialise(seed);
    auto buffers = model->make_activations({8, 12, 12}, memory);
    TP_CHECK(buffers.ok(), buffers.error().message.c_str());
    activations = std::move(buffers.value());
  }
  void pack_batch(const PaddedBatch<T>& padded) {
    const Status packed = pack(model->config(), padded, batch);
    TP_CHECK(packed.ok(), packed.error().message.c_str());
  }
  void forward() { model->forward(batch, model->training_run(1, 1), *activations); }
  void forward_and_backward() {
    forward();
    model->loss(batch, *activations);
    model->parameters().zero_gradients();
    model->backward(*activations);
  }
  std::uint64_t hash() {
    return Hash()
        .add(std::span<const T>(activations->logits().flat()))
        .add(std::span<const T>(model->parameters().gradients()))
        .value();
  }
};

// Every [queries, keys] matrix of an attention sums to 1 along its rows and is 0 where hidden.
template <class T>
int check_weights(const Attention<T>& attention, typename Attention<T>::Cache& cache, bool causal) {
  int rows = 0;
  for (int s = 0; s < cache.queries->sequences(); ++s) {
    for (int h = 0; h < attention.heads(); ++h) {
      const Matrix<T> weights = attention.of_head(cache.weights, cache, s, h);
      for (int q = 0; q < weights.rows; ++q, ++rows) {
        double sum = 0;
        for (int k = 0; k < weights.columns; ++k) {
          sum += weights(q, k);
          EXPECT_GE(weights(q, k), 0);
          if (causal && k > q) {
            EXPECT_EQ(weights(q, k), 0);
          }
        }
        EXPECT_NEAR(sum, 1, 1e-6);
      }
    }
  }
  return rows;
}

TEST(Property, SoftmaxRowsSumToOne) {
  const ModelConfig config = small(Architecture::encoder_decoder);
  ModelRun<float> run(config, 1);
  Rng rng(1);
  const RandomBatch<float> random(config, {7, 3, 12}, {12, 1, 6}, rng);
  run.pack_batch(random.padded(config));
  run.forward();
  int rows = 0;
  for (int i = 0; i < config.encoder_layers; ++i) {
    rows += check_weights(run.model->source()->stack.layers()[i].self_attention(),
                          run.activations->source.stack.layers[i].self_attention, false);
  }
  for (int i = 0; i < config.decoder_layers; ++i) {
    const auto& layer = run.model->target()->stack.layers()[i];
    auto& cache = run.activations->target.stack.layers[i];
    rows += check_weights(layer.self_attention(), cache.self_attention, true);
    rows += check_weights(*layer.cross_attention(), cache.cross_attention, false);
  }
  EXPECT_EQ(rows, 4 * (2 * 22 + 4 * 19));
}

// Where only position t has a label, nothing after t may receive a gradient, and what is after t
// may not change the answer at t.
TEST(Property, TheFutureIsNotSeen) {
  for (auto architecture : {Architecture::decoder_only, Architecture::encoder_decoder}) {
    for (auto sparsity : {Sparsity::full, Sparsity::local, Sparsity::strided}) {
      ModelConfig config = small(architecture);
      config.sparsity = sparsity;
      config.reach = 2;
      ModelRun<float> run(config, 2);
      Rng rng(2);
      RandomBatch<float> random(config, {5}, {9}, rng);
      const int t = 4;
      std::fill(random.labels.begin(), random.labels.end(), kIgnoredLabel);
      random.labels[t] = 3;
      run.pack_batch(random.padded(config));
      run.forward_and_backward();
      const Matrix<float> d_input = run.activations->target.input.d_output;
      double past = 0;
      for (int i = 0; i < 9; ++i) {
        for (int j = 0; j < config.d_model; ++j) {
          if (i <= t) {
            past += std::abs(d_input(i, j));
          } else {
            EXPECT_EQ(d_input(i, j), 0.0f) << i;
          }
        }
      }
      EXPECT_GT(past, 0);

      const ConstMatrix<float> logits = run.activations->logits();
      const std::vector<float> before(logits.data, logits.row(t + 1));
      random.target_ids[t + 1] = (random.target_ids[t + 1] + 1) % 9;
      random.target_ids[8] = (random.target_ids[8] + 4) % 9;
      run.pack_batch(random.padded(config));
      run.forward();
      EXPECT_EQ(
          std::memcmp(before.data(), run.activations->logits().data, before.size() * sizeof(float)),
          0);
    }
  }
}

TEST(Property, PaddingChangesNothingBitForBit) {
  for (auto architecture :
       {Architecture::encoder_decoder, Architecture::encoder_only, Architecture::decoder_only}) {
    for (double dropout : {0.0, 0.2}) {
      ModelConfig config = small(architecture);
      config.dropout = dropout;
      ModelRun<float> run(config, 3);
      std::uint64_t hashes[3];
      for (int padding : {0, 1, 7}) {
        Rng rng(3);
        const std::vector<int> source = {4, 1, 5}, target = {2, 5, 3};
        RandomBatch<float> random(config, source, target, rng);
        // The same tokens in wider rows, with other rubbish behind them.
        RandomBatch<float> wide(config, source, target, rng, padding);
        const bool labels_beside_source = !config.has_decoder();
        for (int s = 0; s < 3; ++s) {
          for (int i = 0; i < source[s]; ++i) {
            const int narrow_at = s * random.source_width + i, wide_at = s * wide.source_width + i;
            wide.source_ids[wide_at] = random.source_ids[narrow_at];
            if (labels_beside_source) wide.labels[wide_at] = random.labels[narrow_at];
          }
          for (int i = 0; i < target[s]; ++i) {
            const int narrow_at = s * random.target_width + i, wide_at = s * wide.target_width + i;
            wide.target_ids[wide_at] = random.target_ids[narrow_at];
            if (!labels_beside_source) wide.labels[wide_at] = random.labels[narrow_at];
          }
        }
        run.pack_batch(wide.padded(config));
        run.forward_and_backward();
        hashes[padding == 0 ? 0 : padding == 1 ? 1 : 2] = run.hash();
      }
      EXPECT_EQ(hashes[0], hashes[1]);
      EXPECT_EQ(hashes[0], hashes[2]);
    }
  }
}

// Nor does the company a sequence is in.
TEST(Property, ASequenceGivesTheSameAloneAndInABatch) {
  const ModelConfig config = small(Architecture::encoder_decoder);
  ModelRun<float> run(config, 4);
  Rng rng(4);
  const RandomBatch<float> random(config, {4, 9, 5}, {6, 2, 3}, rng);
  run.pack_batch(random.padded(config));
  run.forward();
  const ConstMatrix<float> logits = run.activations->logits().row_range(6, 2);
  const std::vector<float> together(logits.data, logits.data + 2 * logits.columns);
  const std::span<const int> source(random.source_ids), target(random.target_ids);
  PaddedBatch<float> alone;
  const std::vector<int> source_length = {9}, target_length = {2};
  alone.source = {source.subspan(9, 9), 9, source_length};
  alone.target = {target.subspan(6, 6), 6, target_length};
  run.pack_batch(alone);
  run.forward();
  ASSERT_EQ(run.activations->logits().rows, 2);
  EXPECT_EQ(
      std::memcmp(together.data(), run.activations->logits().data, together.size() * sizeof(float)),
      0);
}

TEST(Property, WithoutPositionsAttentionIsPermutationEquivariant) {
  ModelConfig config = small(Architecture::encoder_only);
  for (auto positions : {PositionKind::none, PositionKind::sinusoidal}) {
    config.positions = positions;
    ModelRun<double> run(config, 5);
    const std::vector<int> ids = {3, 1, 4, 1, 5, 0, 2}, order = {6, 2, 0, 5, 1, 4, 3};
    const std::vector<int> length = {7};
    std::vector<int> permuted;
    for (int from : order) permuted.push_back(ids[from]);
    PaddedBatch<double> padded;
    padded.source = {ids, 7, length};
    run.pack_batch(padded);
    run.forward();
    const auto flat = run.activations->logits().flat();
    const std::vector<double> plain(flat.begin(), flat.end());
    padded.source = {permuted, 7, length};
    run.pack_batch(padded);
    run.forward();
    const ConstMatrix<double> shuffled = run.activations->logits();
    double difference = 0;
    for (int i = 0; i < 7; ++i) {
      for (int j = 0; j < shuffled.columns; ++j) {
        difference = std::max(
            difference, std::abs(shuffled(i, j) -
                                 plain[static_cast<std::size_t>(order[i] * shuffled.columns + j)]));
      }
    }
    if (positions == PositionKind::none) {
      EXPECT_LT(difference, 1e-12);
    } else {
      EXPECT_GT(difference, 1e-3);  // with positions, order matters
    }
  }
}

TEST(Property, LayerNormIgnoresShiftAndScale) {
  Composed<double> numbers(6);
  const auto x = numbers.variable("x", 4, 20), gamma = numbers.variable("gamma", 1, 20);
  const auto beta = numbers.variable("beta", 1, 20);
  const LayerNorm<double> norm(fast_kernels<double>(), gamma, beta, 1e-14);
  Arena arena(1 << 12);
  LayerNorm<double>::Cache cache;
  norm.prepare(arena, 4, cache);
  std::vector<double> plain(80), moved(80);
  norm.forward(x.value, {plain.data(), 4, 20}, cache);
  for (double& value : x.value.flat()) value = 3 * value - 7;
  norm.forward(x.value, {moved.data(), 4, 20}, cache);
  for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_NEAR(plain[i], moved[i], 1e-11);
}

TEST(Property, RotaryScoresDependOnDistanceAlone) {
  Composed<double> numbers(7);
  const auto query = numbers.variable("q", 1, 8), key = numbers.variable("k", 1, 8);
  const Rotary<double> rotary(fast_kernels<double>(), 64, 8, 10000);
  const auto score = [&](int query_position, int key_position) {
    std::vector<double> q(query.values().begin(), query.values().end());
    std::vector<double> k(key.values().begin(), key.values().end());
    rotary.turn_from({q.data(), 1, 8}, query_position, 1);
    rotary.turn_from({k.data(), 1, 8}, key_position, 1);
    double sum = 0;
    for (int j = 0; j < 8; ++j) sum += q[j] * k[j];
    return sum;
  };
  for (int distance = -5; distance <= 5; ++distance) {
    for (int position = 5; position < 50; position += 4) {
      EXPECT_NEAR(score(position, position + distance), score(20, 20 + distance), 1e-12);
    }
  }
  EXPECT_GT(std::abs(score(20, 21) - score(20, 23)), 1e-3);
}

// Writing over what nobody needs any more, and over other layers' gradients, must not change any
// of them.
TEST(Property, SharedGradientMemoryGivesTheSameGradients) {
  for (auto architecture :
       {Architecture::encoder_decoder, Architecture::encoder_only, Architecture::decoder_only}) {
    for (int variant = 0; variant < 16; ++variant) {
      ModelConfig config = small(architecture);
      config.encoder_layers = config.decoder_layers = 3;
      config.norm = (variant & 1) != 0 ? NormPlacement::pre : NormPlacement::post;
      config.dropout = (variant & 2) != 0 ? 0.1 : 0;
      config.activation = (variant & 4) != 0 ? Activation::relu : Activation::gelu;
      config.sparsity = (variant & 8) != 0 ? Sparsity::strided : Sparsity::full;
      config.reach = 2;
      std::uint64_t hashes[2];
      for (auto memory : {GradientMemory::shared, GradientMemory::kept}) {
        ModelRun<float> run(config, 8, memory);
        Rng rng(8);
        const RandomBatch<float> random(config, {4, 9, 5}, {6, 2, 3}, rng);
        run.pack_batch(random.padded(config));
        run.forward_and_backward();
        hashes[memory == GradientMemory::kept] = run.hash();
      }
      EXPECT_EQ(hashes[0], hashes[1]) << "variant " << variant;
    }
  }
}

// A mask is a function of seed, step and place: another step drops something else, the same one the
// same.
TEST(Property, DropoutDependsOnSeedAndStepAlone) {
  ModelConfig config = small(Architecture::encoder_decoder);
  config.dropout = 0.3;
  ModelRun<float> run(config, 9);
  Rng rng(9);
  const RandomBatch<float> random(config, {4, 9}, {6, 2}, rng);
  run.pack_batch(random.padded(config));
  const auto logits_at = [&](std::uint64_t seed, std::uint64_t step) {
    run.model->forward(run.batch, run.model->training_run(seed, step), *run.activations);
    return Hash().add(std::span<const float>(run.activations->logits().flat())).value();
  };
  const std::uint64_t first = logits_at(1, 1);
  EXPECT_NE(first, logits_at(1, 2));
  EXPECT_NE(first, logits_at(2, 1));
  EXPECT_EQ(first, logits_at(1, 1));
  run.model->forward(run.batch, {}, *run.activations);  // evaluation drops nothing
  const float expected = run.activations->logits()(0, 0);
  double mean = 0;
  for (std::uint64_t step = 0; step < 2000; ++step) {
    run.model->forward(run.batch, run.model->training_run(7, step), *run.activations);
    mean += run.activations->source.input.output(0, 1) / 2000;
  }
  run.model->forward(run.batch, {}, *run.activations);
  EXPECT_EQ(run.activations->logits()(0, 0), expected);
  EXPECT_NEAR(mean, run.activations->source.input.output(0, 1),
              0.1 * (1 + std::abs(run.activations->source.input.output(0, 1))));
}

}  // namespace
}  // namespace tp::test
