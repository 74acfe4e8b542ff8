#include "engine/inspect/bad_number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "engine/inspect/trace.h"
#include "tests/subjects/random_batch.h"

namespace tp::test {
namespace {

struct Pass {
  std::unique_ptr<Transformer<float>> model;
  std::unique_ptr<Activations<float>> activations;
  Batch<float> batch;

  Pass(const ModelConfig& config, GradientMemory memory) {
    model = std::move(Transformer<float>::create(config).value());
    Rng rng(1);
    const RandomBatch<float> random(config, {5, 3}, {4, 6}, rng);
    const Status packed = pack(config, random.padded(config), batch);
    TP_CHECK(packed.ok(), packed.error().message.c_str());
    activations = std::move(model->make_activations({2, 8, 8}, memory).value());
    model->forward(batch, model->training_run(1, 1), *activations);
    model->loss(batch, *activations);
  }
  std::string search() const { return first_bad_activation(*model, *activations, batch); }
};

struct Place {
  std::string path;
  ConstMatrix<float> values;

  bool holds(const float* number) const {
    for (int i = 0; i < values.rows; ++i) {
      if (number >= values.row(i) && number < values.row(i) + values.columns) return true;
    }
    return false;
  }
};

// What the layers describe, whatever is kept.
class Places : public PassVisitor<float> {
 public:
  using PassVisitor::PassVisitor;
  std::vector<Place> list;

 private:
  void visit(const DescribedTensor<float>& tensor) override {
    list.push_back({path(tensor.name), tensor.values});
  }
};

std::vector<ModelConfig> configurations() {
  std::vector<ModelConfig> list;
  for (auto architecture :
       {Architecture::encoder_decoder, Architecture::encoder_only, Architecture::decoder_only}) {
    for (auto norm : {NormPlacement::pre, NormPlacement::post}) {
      ModelConfig config;
      config.architecture = architecture;
      config.norm = norm;
      config.d_model = 12;
      config.heads = 3;
      config.d_ff = 20;
      config.source_vocabulary = config.target_vocabulary = 9;
      config.max_source_length = config.max_target_length = 8;
      list.push_back(config);
    }
  }
  list[1].dropout = 0.2;
  list[2].head = HeadKind::classification;
  list[2].outputs = 4;
  list[4].activation = Activation::gelu;
  list[4].norm_kind = list[5].norm_kind = NormKind::rms;
  list[4].positions = PositionKind::alibi;
  return list;
}

// Also of what only the second sequence has, and where most of the pass was written over.
TEST(BadNumber, IsFoundUnderThePathThatTheTraceGivesIt) {
  for (const ModelConfig& config : configurations()) {
    const Pass traced(config, GradientMemory::kept);
    std::set<std::string> paths;
    for (const auto& tensor :
         trace(*traced.model, *traced.activations, traced.batch, 1, TraceParts::forward)) {
      paths.insert(tensor.path);
    }
    for (auto memory : {GradientMemory::kept, GradientMemory::shared, GradientMemory::recomputed}) {
      const Pass pass(config, memory);
      ASSERT_EQ(pass.search(), "");  // hidden scores are minus infinity, and good
      Places places(1);
      pass.model->describe(places, *pass.activations, pass.batch);
      if (memory == GradientMemory::kept) {
        EXPECT_EQ(places.list.size(), paths.size());
      }
      for (const Place& place : places.list) {
        EXPECT_TRUE(paths.contains(place.path)) << place.path;
        const int row = place.values.rows - 1, column = place.values.columns - 1;
        float& number = const_cast<float&>(place.values(row, column));
        // A head's context is also a part of all heads' context: the first one counts.
        const auto first = std::ranges::find_if(
            places.list, [&](const Place& other) { return other.holds(&number); });
        for (const float bad : {NAN, INFINITY}) {
          const float good = std::exchange(number, bad);
          EXPECT_EQ(pass.search(), first->path);
          number = good;
        }
      }
      EXPECT_EQ(pass.search(), "");
    }
  }
}

TEST(BadNumber, OfTwoTheFirstIsNamedWhicheverSequenceHasIt) {
  const Pass pass(configurations()[0], GradientMemory::shared);
  Places first(0), second(1);
  pass.model->describe(first, *pass.activations, pass.batch);
  pass.model->describe(second, *pass.activations, pass.batch);
  ASSERT_EQ(first.list.size(), second.list.size());
  const auto spoil = [](const Places& places, std::string_view path) {
    const auto place = std::ranges::find(places.list, path, &Place::path);
    ASSERT_NE(place, places.list.end());
    const_cast<float&>(place->values(0, 0)) = NAN;
  };
  spoil(first, "decoder.0.norm2.output");
  EXPECT_EQ(pass.search(), "decoder.0.norm2.output");
  spoil(second, "encoder.1.feed_forward.activated");
  EXPECT_EQ(pass.search(), "encoder.1.feed_forward.activated");
  spoil(second, "head.logits");
  EXPECT_EQ(pass.search(), "encoder.1.feed_forward.activated");
}

TEST(BadNumber, AParameterComesBeforeWhatIsComputedFromIt) {
  const Pass pass(configurations()[0], GradientMemory::shared);
  Places places(0);
  pass.model->describe(places, *pass.activations, pass.batch);
  const_cast<float&>(places.list[0].values(0, 0)) = NAN;
  pass.model->parameters().get("decoder.layers.1.linear2.bias").value(0, 2) = NAN;
  EXPECT_EQ(pass.search(), "decoder.layers.1.linear2.bias");
}

}  // namespace
}  // namespace tp::test
