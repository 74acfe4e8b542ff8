#include "imgui_app/model/attention_choice.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tp::ui {
namespace {

AttentionMap made_map(AttentionKind kind, int layer, int heads) {
  AttentionMap map;
  map.kind = kind;
  map.layer = layer, map.heads = heads, map.rows = 2, map.columns = 3;
  for (int i = 0; i < heads * 6; ++i) map.weights.push_back(static_cast<float>(i));
  map.readings.resize(static_cast<std::size_t>(heads) + 1);
  return map;
}

TEST(AttentionChoice, TakesTheNearestThatThereIs) {
  Snapshot now;
  EXPECT_EQ(choose_attention(now, {}).map(), nullptr);
  now.attention = {made_map(AttentionKind::decoder_self, 1, 2),
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

TEST(AttentionChoice, MapsWithWrongSizesAreLeftOut) {
  Snapshot now;
  now.attention.assign(4, made_map(AttentionKind::cross, 0, 2));
  now.attention[0].weights.pop_back();
  now.attention[1].rows = -2, now.attention[1].columns = -3;
  now.attention[2].heads = 0;
  EXPECT_EQ(choose_attention(now, {}).layers.size(), 1u);
}

TEST(AttentionChoice, WeightsOfAHeadAndOfTheMean) {
  const AttentionMap map = made_map(AttentionKind::cross, 0, 2);
  std::vector<float> mean;
  EXPECT_EQ(weights_of(map, 2, mean)[0], 6);
  EXPECT_EQ(weights_of(map, 0, mean)[1], (1 + 7) / 2.0f);
  EXPECT_EQ(mean.size(), 6u);
}

TEST(AttentionChoice, MarksAndBlanksCanBeSeen) {
  ShownExample example;
  example.read = {"<bos>", "a", " b"};
  example.written = {"a"};
  AttentionMap map = made_map(AttentionKind::decoder_self, 0, 1);
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

class Watch : public testing::Test {
 protected:
  int look(std::uint64_t step, double first, double second, double mean) {
    map_.readings[0].on_target = first;
    map_.readings[1].on_target = second;
    map_.readings[2].on_target = mean;
    return watch_.look(run_, {0, step}, map_);
  }
  AttentionMap map_ = made_map(AttentionKind::cross, 0, 2);
  HeadWatch watch_;
  std::uint32_t run_ = 1;
};

TEST_F(Watch, AHeadTakesOverAfterTwentyStepsInTheLead) {
  EXPECT_EQ(look(10, 0.5, 0.2, 0.4), 0);
  EXPECT_EQ(look(29, 0.5, 0.2, 0.4), 0);
  EXPECT_EQ(look(30, 0.5, 0.2, 0.4), 1);
  EXPECT_EQ(look(31, 0.45, 0.7, 0.4), 1) << "no hopping while it is ahead at all";
  EXPECT_EQ(look(60, 0.4, 0.7, 0.4), 2) << "back at the mean: the other one is steady by now";
}

TEST_F(Watch, AStumbleStartsTheCountAgain) {
  look(10, 0.5, 0, 0.4);
  look(25, 0.45, 0, 0.4);
  EXPECT_EQ(look(30, 0.5, 0, 0.4), 0);
  EXPECT_EQ(look(49, 0.5, 0, 0.4), 0);
  EXPECT_EQ(look(50, 0.5, 0, 0.4), 1);
}

TEST_F(Watch, AnotherRunOrAStepBackForgets) {
  look(10, 0.9, 0, 0.4);
  EXPECT_EQ(look(40, 0.9, 0, 0.4), 1);
  EXPECT_EQ(look(20, 0.9, 0, 0.4), 0);
  EXPECT_EQ(look(40, 0.9, 0, 0.4), 1);
  ++run_;
  EXPECT_EQ(look(41, 0.9, 0, 0.4), 0);
}

TEST_F(Watch, WithoutTargetsNobodyTakesOver) {
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
