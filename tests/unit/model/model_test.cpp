#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <set>

#include "engine/io/parameters_file.h"
#include "engine/model/transformer.h"
#include "engine/train/optimiser.h"

namespace tp {
namespace {

ModelConfig encoder_stack(int d_model, int heads, int d_ff, int layers, bool final_norm) {
  ModelConfig config;
  config.architecture = Architecture::encoder_only;
  config.activation = Activation::gelu;
  config.d_model = d_model;
  config.heads = heads;
  config.d_ff = d_ff;
  config.encoder_layers = layers;
  config.final_norm = final_norm;
  return config;
}

std::size_t count_under(const ModelConfig& config, std::string_view prefix) {
  std::size_t total = 0;
  for (const ParameterSpec& spec : list_parameters(config).specs) {
    if (!spec.name.starts_with(prefix)) continue;
    std::size_t count = 1;
    for (int size : spec.shape) count *= static_cast<std::size_t>(size);
    total += count;
  }
  return total;
}

TEST(Parameters, CountsOfTheLesson) {
  EXPECT_EQ(count_under(encoder_stack(256, 8, 1024, 6, true), "encoder."), 4'739'072u);
  EXPECT_EQ(count_under(encoder_stack(512, 8, 2048, 1, false), "encoder."), 3'152'384u);
}

TEST(Parameters, HavePyTorchsNamesAndShapes) {
  ModelConfig config;
  config.d_model = 8;
  config.heads = 2;
  config.d_ff = 12;
  config.encoder_layers = config.decoder_layers = 1;
  config.source_vocabulary = 5;
  config.target_vocabulary = 6;
  config.max_source_length = 7;
  config.max_target_length = 9;
  config.positions = PositionKind::learned;
  const std::vector<std::pair<std::string, std::vector<int>>> expected = {
      {"src_embed.weight", {5, 8}},
      {"src_pos.weight", {7, 8}},
      {"tgt_embed.weight", {6, 8}},
      {"tgt_pos.weight", {9, 8}},
      {"encoder.layers.0.self_attn.in_proj_weight", {24, 8}},
      {"encoder.layers.0.self_attn.in_proj_bias", {24}},
      {"encoder.layers.0.self_attn.out_proj.weight", {8, 8}},
      {"encoder.layers.0.self_attn.out_proj.bias", {8}},
      {"encoder.layers.0.linear1.weight", {12, 8}},
      {"encoder.layers.0.linear1.bias", {12}},
      {"encoder.layers.0.linear2.weight", {8, 12}},
      {"encoder.layers.0.linear2.bias", {8}},
      {"encoder.layers.0.norm1.weight", {8}},
      {"encoder.layers.0.norm1.bias", {8}},
      {"encoder.layers.0.norm2.weight", {8}},
      {"encoder.layers.0.norm2.bias", {8}},
      {"encoder.norm.weight", {8}},
      {"encoder.norm.bias", {8}},
      {"decoder.layers.0.self_attn.in_proj_weight", {24, 8}},
      {"decoder.layers.0.self_attn.in_proj_bias", {24}},
      {"decoder.layers.0.self_attn.out_proj.weight", {8, 8}},
      {"decoder.layers.0.self_attn.out_proj.bias", {8}},
      {"decoder.layers.0.multihead_attn.in_proj_weight", {24, 8}},
      {"decoder.layers.0.multihead_attn.in_proj_bias", {24}},
      {"decoder.layers.0.multihead_attn.out_proj.weight", {8, 8}},
      {"decoder.layers.0.multihead_attn.out_proj.bias", {8}},
      {"decoder.layers.0.linear1.weight", {12, 8}},
      {"decoder.layers.0.linear1.bias", {12}},
      {"decoder.layers.0.linear2.weight", {8, 12}},
      {"decoder.layers.0.linear2.bias", {8}},
      {"decoder.layers.0.norm1.weight", {8}},
      {"decoder.layers.0.norm1.bias", {8}},
      {"decoder.layers.0.norm2.weight", {8}},
      {"decoder.layers.0.norm2.bias", {8}},
      {"decoder.layers.0.norm3.weight", {8}},
      {"decoder.layers.0.norm3.bias", {8}},
      {"decoder.norm.weight", {8}},
      {"decoder.norm.bias", {8}},
      {"generator.weight", {6, 8}},
      {"generator.bias", {6}},
  };
  const ParameterList list = list_parameters(config);
  ASSERT_EQ(list.specs.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(list.specs[i].name, expected[i].first);
    EXPECT_EQ(list.specs[i].shape, expected[i].second);
  }
  config.biases = false;
  for (const ParameterSpec& spec : list_parameters(config).specs) {
    EXPECT_EQ(spec.name.find("bias"), std::string::npos) << spec.name;
  }
}

TEST(Parameters, StartAsStated) {
  ModelConfig config;
  config.positions = PositionKind::learned;
  ParameterStore<float> store(list_parameters(config));
  store.initialise(5);
  for (const ParameterEntry& entry : store.entries()) {
    const auto values = store.values().subspan(entry.offset, entry.count);
    double sum = 0, squares = 0, largest = 0;
    for (float value : values) {
      sum += value;
      squares += double{value} * value;
      largest = std::max(largest, std::abs(double{value}));
    }
    const auto n = static_cast<double>(entry.count);
    const double deviation = std::sqrt(squares / n);
    if (entry.name.ends_with("bias")) {
      EXPECT_EQ(largest, 0) << entry.name;
    } else if (entry.shape.size() == 1) {
      EXPECT_EQ(sum, n) << entry.name;
    } else if (entry.name.find("embed") != std::string::npos ||
               entry.name.find("_pos") != std::string::npos) {
      EXPECT_NEAR(deviation, 1 / 8.0, 0.01) << entry.name;
    } else {
      const double bound = std::sqrt(6.0 / (entry.shape[0] + entry.shape[1]));
      EXPECT_LE(largest, bound) << entry.name;
      EXPECT_GT(largest, 0.99 * bound) << entry.name;
      EXPECT_NEAR(deviation, bound / std::sqrt(3.0), 0.05 * bound) << entry.name;
    }
    EXPECT_NEAR(sum / n,
                entry.name.find("norm") != std::string::npos && entry.shape.size() == 1 &&
                        !entry.name.ends_with("bias")
                    ? 1
                    : 0,
                5 * deviation / std::sqrt(n) + 1e-12)
        << entry.name;
  }
  const std::vector<float> first(store.values().begin(), store.values().end());
  store.initialise(6);
  EXPECT_FALSE(std::equal(first.begin(), first.end(), store.values().begin()));
  store.initialise(5);
  EXPECT_TRUE(std::equal(first.begin(), first.end(), store.values().begin()));
}

TEST(Parameters, TiedOnesAreOneEntry) {
  ModelConfig config;
  config.tying = Tying::all;
  ParameterStore<float> store(list_parameters(config));
  EXPECT_EQ(store.find("src_embed.weight"), store.find("tgt_embed.weight"));
  EXPECT_EQ(store.find("generator.weight"), store.find("tgt_embed.weight"));
  EXPECT_EQ(store.get("generator.weight").value.data, store.get("src_embed.weight").value.data);
  std::set<std::string> names;
  for (const ParameterEntry& entry : store.entries()) names.insert(entry.name);
  EXPECT_FALSE(names.contains("generator.weight"));
}

// A vector that crosses the border of two lines is read twice. The count here is no multiple of
// one.
TEST(Parameters, BlocksBeginOnLinesOfTheCache) {
  ModelConfig config;
  config.target_vocabulary = 13;
  ParameterStore<float> store(list_parameters(config));
  ASSERT_NE(store.count() % (Arena::kAlignment / sizeof(float)), 0u);
  for (const std::span<float> block :
       {store.values(), store.gradients(), store.first_moments(), store.second_moments()}) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block.data()) % Arena::kAlignment, 0u);
  }
}

struct Refusal {
  const char* says;
  void (*spoil)(ModelConfig&);
};

TEST(Configuration, ThatCannotWorkIsRefusedWithWhatToChange) {
  const Refusal refusals[] = {
      {"multiple of heads, for example 68", [](ModelConfig& c) { c.d_model = 65; }},
      {"even",
       [](ModelConfig& c) {
         c.positions = PositionKind::rotary;
         c.d_model = 20;
       }},
      {"d_model is 0", [](ModelConfig& c) { c.d_model = 0; }},
      {"heads is -1", [](ModelConfig& c) { c.heads = -1; }},
      {"d_ff", [](ModelConfig& c) { c.d_ff = 1 << 30; }},
      {"encoder_layers", [](ModelConfig& c) { c.encoder_layers = 0; }},
      {"decoder_layers", [](ModelConfig& c) { c.decoder_layers = 100000; }},
      {"source_vocabulary", [](ModelConfig& c) { c.source_vocabulary = 0; }},
      {"max_target_length", [](ModelConfig& c) { c.max_target_length = -3; }},
      {"dropout", [](ModelConfig& c) { c.dropout = 1; }},
      {"dropout", [](ModelConfig& c) { c.dropout = std::nan(""); }},
      {"smoothing", [](ModelConfig& c) { c.label_smoothing = -0.1; }},
      {"norm_eps", [](ModelConfig& c) { c.norm_eps = 0; }},
      {"position_base", [](ModelConfig& c) { c.position_base = 0; }},
      {"reach", [](ModelConfig& c) { c.sparsity = Sparsity::local; }},
      {"patch_size", [](ModelConfig& c) { c.input = InputKind::patches; }},
      {"choose encoder-only",
       [](ModelConfig& c) {
         c.head = HeadKind::classification;
         c.outputs = 2;
       }},
      {"outputs", [](ModelConfig& c) { c.head = HeadKind::regression; }},
      {"one vocabulary",
       [](ModelConfig& c) {
         c.tying = Tying::all;
         c.source_vocabulary = 31;
       }},
      {"tie the output",
       [](ModelConfig& c) {
         c.tying = Tying::all;
         c.architecture = Architecture::decoder_only;
       }},
      {"turn tying off",
       [](ModelConfig& c) {
         c.tying = Tying::output;
         c.architecture = Architecture::encoder_only;
         c.head = HeadKind::classification;
         c.outputs = 2;
       }},
      {"no vocabulary",
       [](ModelConfig& c) {
         c.architecture = Architecture::encoder_only;
         c.input = InputKind::patches;
         c.patch_size = 4;
       }},
      {"architecture that has one",
       [](ModelConfig& c) {
         c.architecture = Architecture::decoder_only;
         c.input = InputKind::patches;
         c.patch_size = 4;
       }},
      {"longest sequence",
       [](ModelConfig& c) {
         c.d_model = 1 << 10;
         c.max_source_length = 1 << 20;
       }},
      // 2^20 squared in every matrix: refused by arithmetic, without trying.
      {"lower d_model",
       [](ModelConfig& c) {
         c.d_model = 1 << 20;
         c.encoder_layers = 512;
       }},
  };
  EXPECT_TRUE(validate(ModelConfig{}).ok());
  for (const Refusal& refusal : refusals) {
    ModelConfig config;
    refusal.spoil(config);
    const auto made = Transformer<float>::create(config);
    ASSERT_FALSE(made.ok()) << refusal.says;
    EXPECT_NE(made.error().message.find(refusal.says), std::string::npos) << made.error().message;
  }
}

TEST(Configuration, TheSideThatIsNotThereMayBeAnything) {
  ModelConfig config;
  config.architecture = Architecture::decoder_only;
  config.source_vocabulary = config.max_source_length = config.encoder_layers = -1;
  EXPECT_TRUE(Transformer<float>::create(config).ok());
}

TEST(Memory, IsEstimatedExactlyAndRefusedBeforeItIsTaken) {
  const auto model = std::move(Transformer<float>::create(ModelConfig{}).value());
  const BatchLimits limits{16, 20, 30};
  const std::size_t bytes = model->activation_bytes(limits, GradientMemory::shared);
  EXPECT_GT(model->activation_bytes(limits, GradientMemory::kept), bytes);
  EXPECT_TRUE(model->make_activations(limits, GradientMemory::shared, bytes).ok());
  const auto refused = model->make_activations(limits, GradientMemory::shared, bytes - 1);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("batch smaller"), std::string::npos);
  EXPECT_FALSE(model->make_activations({1 << 20, 64, 64}).ok());
  EXPECT_FALSE(model->make_activations({1, 65, 1}).ok());  // longer than the model's sequences
  EXPECT_FALSE(model->make_activations({0, 1, 1}).ok());
}

TEST(Packing, RefusesWhatDoesNotFitWithWhatToChange) {
  ModelConfig config;
  config.max_source_length = 4;
  config.source_vocabulary = config.target_vocabulary = 9;
  const std::vector<int> ids = {1, 2, 3, 4, 5, 6}, one_row = {3}, two_rows = {3, 2};
  const std::vector<int> too_long = {6}, zero = {0, 3}, bad_ids = {1, 9, 3}, negative = {1, -1, 3};
  Batch<float> batch;
  const auto refused = [&](const PaddedBatch<float>& padded, const char* words) {
    const Status status = pack(config, padded, batch);
    ASSERT_FALSE(status.ok()) << words;
    EXPECT_NE(status.error().message.find(words), std::string::npos) << status.error().message;
  };
  PaddedBatch<float> good;
  good.source = {ids, 3, two_rows};
  good.target = {ids, 3, two_rows};
  good.labels = ids;
  EXPECT_TRUE(pack(config, good, batch).ok());
  EXPECT_EQ(batch.source_ids, (std::vector<int>{1, 2, 3, 4, 5}));
  EXPECT_EQ(batch.labels, (std::vector<int>{1, 2, 3, 4, 5}));
  const auto changed = [&](auto change) {
    PaddedBatch<float> padded = good;
    change(padded);
    return padded;
  };
  refused(changed([&](auto& p) { p.source = {}; }), "at least one");
  refused(changed([&](auto& p) { p.source = {ids, 4, two_rows}; }), "width");
  refused(changed([&](auto& p) { p.source = {ids, 6, too_long}; }), "raise max_source_length");
  refused(changed([&](auto& p) { p.source = {ids, 3, zero}; }), "between 1 and");
  refused(changed([&](auto& p) { p.source = {bad_ids, 3, one_row}; }), "from 0 to 8");
  refused(changed([&](auto& p) { p.target = {negative, 3, one_row}; }), "token -1");
  refused(changed([&](auto& p) {
            p.target = {std::span(ids).first(3), 3, one_row};
          }),
          "one target for each source");
  refused(changed([&](auto& p) { p.labels = std::span(ids).first(3); }), "same size");
  const std::vector<int> bad_labels = {1, 2, 9, 4, 5, 6};
  refused(changed([&](auto& p) { p.labels = bad_labels; }), "label 9");
}

TEST(ParameterFile, ComesBackAsItWasAndNamesWhatDoesNotFit) {
  ModelConfig config;
  config.d_model = 8;
  config.heads = 2;
  config.d_ff = 8;
  config.tying = Tying::output;
  ParameterStore<float> saved(list_parameters(config)), loaded(list_parameters(config));
  saved.initialise(3);
  loaded.initialise(4);
  const std::string path = testing::TempDir() + "/parameters.safetensors";
  ASSERT_TRUE(save_parameters(path, saved, {{"seed", "3"}}).ok());
  const auto file = Safetensors::read(path);
  ASSERT_TRUE(file.ok()) << file.error().message;
  ASSERT_TRUE(load_parameters(file.value(), loaded).ok());
  EXPECT_TRUE(std::equal(saved.values().begin(), saved.values().end(), loaded.values().begin()));

  config.tying = Tying::none;
  ParameterStore<float> other(list_parameters(config));
  other.initialise(5);
  const std::vector<float> before(other.values().begin(), other.values().end());
  const Status refused = load_parameters(file.value(), other);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("generator.weight"), std::string::npos)
      << refused.error().message;
  EXPECT_TRUE(std::equal(before.begin(), before.end(), other.values().begin()));
}

TEST(Clipping, AsInTheLesson) {
  ModelConfig config;
  ParameterStore<float> store(list_parameters(config));
  const Kernels<float>& kernels = fast_kernels<float>();
  store.gradients()[3] = 9;  // length of (9, 12) is 15
  store.gradients()[70] = -12;
  EXPECT_NEAR(gradient_norm(kernels, store), 15, 1e-12);
  clip_gradients(kernels, store, 15, 1);
  EXPECT_NEAR(store.gradients()[3], 9.0 / 15, 1e-7);
  EXPECT_NEAR(store.gradients()[70], -12.0 / 15, 1e-7);
  EXPECT_NEAR(gradient_norm(kernels, store), 1, 1e-6);
  clip_gradients(kernels, store, 1, 2);
  EXPECT_NEAR(store.gradients()[3], 9.0 / 15, 1e-7);  // short enough: left alone
}

TEST(AdamOptimiser, FollowsTheFormula) {
  ModelConfig config;
  ParameterStore<double> store(list_parameters(config));
  store.initialise(1);
  Adam<double> adam(fast_kernels<double>(), {0.9, 0.98, 1e-9});
  double value = store.values()[7], m = 0, v = 0;
  for (int t = 1; t <= 20; ++t) {
    const double gradient = std::sin(t * 0.7) + 0.2;
    store.gradients()[7] = gradient;
    adam.step(store, 1e-2);
    m = 0.9 * m + 0.1 * gradient;
    v = 0.98 * v + 0.02 * gradient * gradient;
    const double m_hat = m / (1 - std::pow(0.9, t)), v_hat = v / (1 - std::pow(0.98, t));
    value -= 1e-2 * m_hat / (std::sqrt(v_hat) + 1e-9);
    EXPECT_NEAR(store.values()[7], value, 1e-13);
  }
}

}  // namespace
}  // namespace tp
