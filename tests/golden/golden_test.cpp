#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine/io/safetensors.h"
#include "engine/model/transformer.h"
#include "engine/train/optimiser.h"

// The engine against PyTorch. tools/make_goldens.py made the files beside this one and says how.

namespace tp::test {
namespace {

ModelConfig golden_config(Architecture architecture, NormPlacement norm, Activation activation) {
  ModelConfig config;
  config.architecture = architecture;
  config.norm = norm;
  config.activation = activation;
  config.d_model = 16;
  config.heads = 4;
  config.d_ff = 24;
  config.source_vocabulary = config.target_vocabulary = 11;
  config.max_source_length = config.max_target_length = 8;
  return config;
}

struct GoldenCase {
  const char* name;
  ModelConfig config;
};

std::vector<GoldenCase> golden_cases() {
  using enum Architecture;
  constexpr auto kPre = NormPlacement::pre, kPost = NormPlacement::post;
  constexpr auto kRelu = Activation::relu, kGelu = Activation::gelu;
  std::vector<GoldenCase> cases = {
      {"encoder_decoder_pre_relu", golden_config(encoder_decoder, kPre, kRelu)},
      {"encoder_decoder_post_gelu", golden_config(encoder_decoder, kPost, kGelu)},
      {"encoder_pre_gelu_classification", golden_config(encoder_only, kPre, kGelu)},
      {"encoder_post_relu_masked", golden_config(encoder_only, kPost, kRelu)},
      {"encoder_pre_relu_regression", golden_config(encoder_only, kPre, kRelu)},
      {"decoder_pre_gelu", golden_config(decoder_only, kPre, kGelu)},
      {"decoder_post_relu", golden_config(decoder_only, kPost, kRelu)},
  };
  cases[1].config.label_smoothing = 0.1;
  cases[2].config.head = HeadKind::classification;
  cases[2].config.outputs = 3;
  cases[4].config.head = HeadKind::regression;
  cases[4].config.outputs = 2;
  cases[4].config.input = InputKind::patches;
  cases[4].config.patch_size = 5;
  cases[4].config.pooling = PoolingKind::first;
  cases[6].config.positions = PositionKind::learned;
  return cases;
}

class Golden : public testing::TestWithParam<GoldenCase> {
 protected:
  void SetUp() override {
    const std::string path =
        std::string(TP_SOURCE_DIR "/tests/golden/") + GetParam().name + ".safetensors";
    auto file = Safetensors::read(path);
    ASSERT_TRUE(file.ok()) << file.error().message;
    file_ = std::make_unique<Safetensors>(std::move(file.value()));
    auto model = Transformer<float>::create(GetParam().config);
    ASSERT_TRUE(model.ok()) << model.error().message;
    model_ = std::move(model.value());
    for (const ParameterEntry& entry : model_->parameters().entries()) {
      const std::vector<float> values = tensor("weight/" + entry.name);
      ASSERT_EQ(values.size(), entry.count) << entry.name;
      std::copy(values.begin(), values.end(),
                model_->parameters().values().begin() + static_cast<std::ptrdiff_t>(entry.offset));
    }
    read_batch();
    auto activations = model_->make_activations({8, 8, 8});
    ASSERT_TRUE(activations.ok()) << activations.error().message;
    activations_ = std::move(activations.value());
  }

  std::vector<float> tensor(const std::string& name) {
    const TensorEntry* entry = file_->find(name);
    if (entry == nullptr) return {};
    std::vector<float> values(entry->elements());
    const Status status = file_->read_into(*entry, std::span(values));
    EXPECT_TRUE(status.ok()) << name;
    return values;
  }
  std::vector<int> integers(const std::string& name) {
    const std::vector<float> values = tensor("batch/" + name);
    return {values.begin(), values.end()};
  }

  void read_batch() {
    const auto source_ids = integers("source_ids"), target_ids = integers("target_ids");
    source_lengths_ = integers("source_lengths");
    target_lengths_ = integers("target_lengths");
    const auto labels = integers("labels");
    const auto patches = tensor("batch/patches"), target_values = tensor("batch/target_values");
    PaddedBatch<float> padded;
    padded.source = {source_ids, 6, source_lengths_};
    padded.source_patches = {patches, 6, source_lengths_};
    padded.target = {target_ids, 5, target_lengths_};
    padded.labels = labels;
    padded.target_values = target_values;
    const Status status = pack(GetParam().config, padded, batch_);
    ASSERT_TRUE(status.ok()) << status.error().message;
  }

  float step() {
    model_->forward(batch_, {}, *activations_);
    const float loss = model_->loss(batch_, *activations_);
    model_->parameters().zero_gradients();
    model_->backward(*activations_);
    return loss;
  }

  std::unique_ptr<Safetensors> file_;
  std::unique_ptr<Transformer<float>> model_;
  std::vector<int> source_lengths_, target_lengths_;
  Batch<float> batch_;
  std::unique_ptr<Activations<float>> activations_;
};

TEST_P(Golden, OutputsAgreeWithin1e5) {
  step();
  const std::vector<float> expected = tensor("logits");
  const ConstMatrix<float> logits = activations_->logits();
  const bool per_token = GetParam().config.head == HeadKind::tokens;
  const SequenceLayout& layout = batch_.head_layout(GetParam().config);
  const int width = GetParam().config.has_decoder() ? 5 : 6;
  double worst = 0;
  int compared = 0;
  for (int s = 0; s < layout.sequences(); ++s) {
    for (int i = 0; i < (per_token ? layout.length(s) : 1); ++i) {
      const int row = per_token ? layout.begin(s) + i : s;
      const int padded_row = per_token ? s * width + i : s;
      for (int v = 0; v < logits.columns; ++v, ++compared) {
        const float want = expected.at(static_cast<std::size_t>(padded_row * logits.columns + v));
        worst = std::max(worst, std::abs(double{logits(row, v)} - want));
      }
    }
  }
  EXPECT_GT(compared, 0);
  EXPECT_LE(worst, 1e-5);
  std::printf("  %d outputs, worst difference %.1e\n", compared, worst);
}

TEST_P(Golden, GradientsAgreeWithin1e4OfTheLargest) {
  step();
  double worst = 0;
  for (const ParameterEntry& entry : model_->parameters().entries()) {
    const std::vector<float> expected = tensor("gradient/" + entry.name);
    ASSERT_EQ(expected.size(), entry.count) << entry.name;
    const auto gradient = model_->parameters().gradients().subspan(entry.offset, entry.count);
    double largest = 0, difference = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      largest = std::max(largest, std::abs(double{expected[i]}));
      difference = std::max(difference, std::abs(double{gradient[i]} - expected[i]));
    }
    ASSERT_GT(largest, 0) << entry.name;
    EXPECT_LE(difference, 1e-4 * largest) << entry.name;
    worst = std::max(worst, difference / largest);
  }
  std::printf("  worst difference %.1e of the tensor's largest\n", worst);
}

TEST_P(Golden, HundredStepsOfAdamAgreeWithin1e4) {
  const std::vector<float> expected = tensor("losses");
  ASSERT_EQ(expected.size(), 100u);
  Adam<float> adam(model_->kernels(), {0.9, 0.98, 1e-9});
  double worst = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const float loss = step();
    EXPECT_NEAR(loss, expected[i], 1e-4) << "step " << i;
    worst = std::max(worst, std::abs(double{loss} - expected[i]));
    adam.step(model_->parameters(), 1e-3);
  }
  EXPECT_LT(expected.back(), expected.front() / 2);  // it is a curve, not a line
  std::printf("  worst difference %.1e\n", worst);
}

INSTANTIATE_TEST_SUITE_P(PyTorch, Golden, testing::ValuesIn(golden_cases()),
                         [](const auto& golden) { return std::string(golden.param.name); });

}  // namespace
}  // namespace tp::test
