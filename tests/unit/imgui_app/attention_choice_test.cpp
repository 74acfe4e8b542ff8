#include "imgui_app/model/attention_choice.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tp::ui {
namespace {

AttentionLayer made_map(AttentionKind kind, int layer, int heads) {
  AttentionLayer map;
  map.kind = kind;
  map.layer = layer, map.heads = heads, map.rows = 2, map.columns = 3;
  for (int i = 0; i < heads * 6; ++i) map.weights.push_back(static_cast<float>(i));
  map.readings.resize(static_cast<std::size_t>(heads) + 1);
  return map;
}

// Heads of one attention as they are watched, each row on one column.
std::vector<WatchedTensor> made_heads(const std::string& attention, AxisKind rows, AxisKind columns,
                                      int heads, int column) {
  std::vector<WatchedTensor> tensors;
  for (int head = 0; head < heads; ++head) {
    WatchedTensor tensor;
    tensor.path = attention + ".head." + std::to_string(head) + ".weights";
    tensor.row_axis = rows, tensor.column_axis = columns;
    tensor.rows = 2, tensor.columns = 3;
    tensor.visible = {3, 3};
    tensor.values.assign(6, 0.0f);
    for (int row = 0; row < 2; ++row) {
      tensor.values[static_cast<std::size_t>(3 * row + column)] = static_cast<float>(head + 1);
    }
    tensor.reading = HeadReading{.entropy = 0.1 * head};
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

TEST(AttentionLayers, GatherTheHeadsOfEachAttentionWithTheirMean) {
  constexpr AxisKind kSource = AxisKind::source_token, kTarget = AxisKind::target_token;
  Snapshot now;
  const auto add = [&](const std::vector<WatchedTensor>& tensors) {
    now.tensors.insert(now.tensors.end(), tensors.begin(), tensors.end());
  };
  add(made_heads("encoder.0.self_attn", kSource, kSource, 2, 0));
  add(made_heads("decoder.0.self_attn", kTarget, kTarget, 2, 0));
  add(made_heads("decoder.0.cross_attn", kTarget, kSource, 2, 0));
  add(made_heads("decoder.1.cross_attn", kTarget, kSource, 2, 1));
  now.tensors.push_back({.path = "src_pos.weight", .rows = 1, .columns = 1, .values = {1}});
  now.example.emplace().links = {{0, 1, true}, {1, 2, true}, {1, 9, true}};
  const std::vector<AttentionLayer> layers = attention_layers(now);
  ASSERT_EQ(layers.size(), 4u);
  EXPECT_EQ(layers[0].kind, AttentionKind::encoder_self);
  EXPECT_EQ(layers[1].kind, AttentionKind::decoder_self);
  const AttentionLayer& last = layers[3];
  EXPECT_EQ(last.kind, AttentionKind::cross);
  EXPECT_EQ(last.layer, 1);
  EXPECT_EQ(last.heads, 2);
  EXPECT_EQ(weights_of(last, 2)[1], 2);
  EXPECT_EQ(weights_of(last, 0)[1], 1.5f);
  EXPECT_EQ(reading_of(last, 2).entropy, 0.1);
  EXPECT_EQ(reading_of(last, 0).entropy, 0) << "each row on one column";
  EXPECT_EQ(reading_of(last, 0).on_target, 0.5) << "one of two rows";
  EXPECT_TRUE(std::isnan(reading_of(layers[0], 0).on_target));
}

TEST(AttentionLayers, TensorsWithWrongSizesAreLeftOut) {
  constexpr AxisKind kTarget = AxisKind::target_token;
  const std::vector<WatchedTensor> good = made_heads("decoder.0.self_attn", kTarget, kTarget, 2, 0);
  std::vector<Snapshot> wrong(4);
  for (Snapshot& snapshot : wrong) snapshot.tensors = good;
  wrong[0].tensors[1].values.pop_back();
  wrong[1].tensors[0].rows = -2, wrong[1].tensors[0].columns = -3;
  wrong[2].tensors[1].rows = 3, wrong[2].tensors[1].columns = 2;
  for (WatchedTensor& tensor : wrong[3].tensors) tensor.example = 4;  // not the one shown
  for (const Snapshot& snapshot : wrong) EXPECT_TRUE(attention_layers(snapshot).empty());
  Snapshot bare;
  bare.tensors = good;
  for (WatchedTensor& tensor : bare.tensors) tensor.reading.reset(), tensor.visible.clear();
  ASSERT_EQ(attention_layers(bare).size(), 1u);
  EXPECT_TRUE(std::isnan(reading_of(attention_layers(bare)[0], 1).entropy));
}

TEST(AttentionChoice, TakesTheNearestThatThereIs) {
  EXPECT_EQ(choose_attention({}, {}).map(), nullptr);
  const std::vector<AttentionLayer> now = {made_map(AttentionKind::decoder_self, 1, 2),
                                           made_map(AttentionKind::decoder_self, 0, 2)};
  AttentionSettings wanted;  // cross-attention, which a decoder alone has not
  AttentionChoice choice = choose_attention(now, wanted);
  EXPECT_EQ(choice.kinds, std::vector{ShownAttention::kDecoder});
  EXPECT_EQ(choice.kind, ShownAttention::kDecoder);
  EXPECT_EQ(choice.map()->layer, 1) << "the last";
  wanted.layer = 1, wanted.head = 2;
  choice = choose_attention(now, wanted);
  EXPECT_EQ(choice.map()->layer, 0);
  EXPECT_EQ(choice.head, 2);
  wanted.layer = 7, wanted.head = 3;
  choice = choose_attention(now, wanted);
  EXPECT_EQ(choice.map()->layer, 1);
  EXPECT_EQ(choice.head, 0) << "there is no third head";
}

TEST(AttentionChoice, MarksAndBlanksCanBeSeen) {
  ShownExample example;
  example.read = {"<bos>", "a", " b"};
  example.written = {"a"};
  AttentionLayer map = made_map(AttentionKind::decoder_self, 0, 1);
  const std::vector<ShownToken> columns = column_tokens(map, &example),
                                rows = row_tokens(map, &example);
  EXPECT_EQ(columns, (std::vector<ShownToken>{{"␂", true}, {"a", false}, {"▁b", false}}));
  EXPECT_EQ(rows, (std::vector<ShownToken>{{"a", false}, {"", false}})) << "as many as rows";
}

TEST(AttentionChoice, OnlyCellsOfTheMapAreTargets) {
  ShownExample example;
  example.links = {{0, 0, true}, {2, 0, true}, {0, 3, true}, {-1, 0, true}, {1, 2, false}};
  EXPECT_EQ(targets_of(made_map(AttentionKind::cross, 0, 1), &example).size(), 2u);
  EXPECT_TRUE(targets_of(made_map(AttentionKind::encoder_self, 0, 1), &example).empty());
}

class Takeover : public testing::Test {
 protected:
  int look(std::uint64_t step, double first, double second, double mean) {
    map_.readings[0].on_target = first;
    map_.readings[1].on_target = second;
    map_.readings[2].on_target = mean;
    return watch_.look(run_, {0, step}, map_);
  }
  AttentionLayer map_ = made_map(AttentionKind::cross, 0, 2);
  HeadWatch watch_;
  std::uint32_t run_ = 1;
};

TEST_F(Takeover, AHeadTakesOverAfterTwentyStepsInTheLead) {
  EXPECT_EQ(look(10, 0.5, 0.2, 0.4), 0);
  EXPECT_EQ(look(29, 0.5, 0.2, 0.4), 0);
  EXPECT_EQ(look(30, 0.5, 0.2, 0.4), 1);
  EXPECT_EQ(look(31, 0.45, 0.7, 0.4), 1) << "no hopping while it is ahead at all";
  EXPECT_EQ(look(60, 0.4, 0.7, 0.4), 2) << "back at the mean: the other one is steady by now";
}

TEST_F(Takeover, AStumbleStartsTheCountAgain) {
  look(10, 0.5, 0, 0.4);
  look(25, 0.45, 0, 0.4);
  EXPECT_EQ(look(30, 0.5, 0, 0.4), 0);
  EXPECT_EQ(look(49, 0.5, 0, 0.4), 0);
  EXPECT_EQ(look(50, 0.5, 0, 0.4), 1);
}

TEST_F(Takeover, AnotherRunOrAStepBackForgets) {
  look(10, 0.9, 0, 0.4);
  EXPECT_EQ(look(40, 0.9, 0, 0.4), 1);
  EXPECT_EQ(look(20, 0.9, 0, 0.4), 0);
  EXPECT_EQ(look(40, 0.9, 0, 0.4), 1);
  ++run_;
  EXPECT_EQ(look(41, 0.9, 0, 0.4), 0);
}

TEST_F(Takeover, WithoutTargetsNobodyTakesOver) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  look(10, none, none, none);
  EXPECT_EQ(look(90, none, none, none), 0);
}

TEST(Blended, ValuesGlideToNewOnes) {
  Blend blend;
  const std::vector<float> zero(3, 0.0f), one(3, 1.0f);
  blend.aim(zero, "map", 0, false);
  EXPECT_FALSE(blend.advance(0)) << "the first are there at once";
  blend.aim(one, "map", 1000, false);
  EXPECT_TRUE(blend.advance(1060));
  EXPECT_FLOAT_EQ(blend.values()[1], 0.5f);
  blend.aim(zero, "map", 1060, false);  // from where it is
  EXPECT_TRUE(blend.advance(1090));
  EXPECT_FLOAT_EQ(blend.values()[1], 0.375f);
  EXPECT_FALSE(blend.advance(1180));
  EXPECT_EQ(blend.values()[1], 0);
  blend.aim(one, "another map", 2000, false);
  EXPECT_FALSE(blend.advance(2000));
  EXPECT_EQ(blend.values()[1], 1);
  blend.aim(zero, "another map", 3000, false);
  EXPECT_FALSE(blend.advance(2900)) << "a clock that went back";
  EXPECT_EQ(blend.values()[1], 0);
}

}  // namespace
}  // namespace tp::ui
