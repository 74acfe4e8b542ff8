// The panel of positions with the positions of a model, in a real window.

#include "imgui_app/panels/positions_panel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/app/panel_stage.h"

namespace tp::ui {
namespace {

class Positions : public testing::Test {
 protected:
  void SetUp() override {
    stage_ = std::make_unique<PanelStage>(1280, 700);
    ASSERT_TRUE(stage_->ok()) << stage_->error();
  }

  void show(const ModelPositions& model, const std::string& picture = "") {
    stage_->settle([&](Ui& ui, Rect rect) { panel_.draw(ui, model, rect); }, rect_, picture);
  }
  std::string readout(const std::string& name) {
    const std::string* text = stage_->readout(name);
    return text ? *text : "";
  }
  // The middle of a cell of the map of [rows, columns].
  Colour cell(int row, int column, int rows, int columns) {
    const Rect& map = stage_->mirror.places().at("heatmap");
    return stage_->pixel(
        map.min.x + map.width() * (static_cast<float>(column) + 0.5f) / static_cast<float>(columns),
        map.min.y + map.height() * (static_cast<float>(row) + 0.5f) / static_cast<float>(rows));
  }

  PanelStage& stage() { return *stage_; }

  Rect rect_{ImVec2(16, 16), ImVec2(1264, 684)};
  std::unique_ptr<PanelStage> stage_;
  RunEditor editor_;
  PositionsPanel panel_{editor_};
};

// A table whose values are known: row + column / 10, over 2.
WatchedTensor table(const char* path, int rows, int columns, float by) {
  WatchedTensor made;
  made.path = path;
  made.rows = rows, made.columns = columns;
  for (int i = 0; i < rows * columns; ++i) {
    made.values.push_back(by * (static_cast<float>(i % columns) - static_cast<float>(i / columns)));
  }
  return made;
}

TEST_F(Positions, LearnedOnesAreShownAsTheyAreNow) {
  Snapshot before, after;
  before.tensors = {table("src_pos.weight", 5, 8, 0.05f), table("tgt_pos.weight", 6, 8, -0.05f),
                    table("tgt_embed.weight", 6, 8, 1), table("src_pos.weight", 5, 0, 1)};
  after.tensors = {table("src_pos.weight", 5, 8, 0.01f), before.tensors[1]};
  ModelPositions model{
      .kind = PositionKind::learned, .learned = learned_positions(before), .step = 7};
  EXPECT_EQ(model.learned.size(), 2u);
  stage().settings.pe.position = 1;
  stage().settings.pe.dimension = 6;
  show(model, "positions-learned");
  EXPECT_NE(readout("cell").find("0.2500"), std::string::npos) << readout("cell");
  EXPECT_NE(readout("cell").find("after 7 steps"), std::string::npos) << readout("cell");
  EXPECT_NE(readout("positions").find("5 × 8"), std::string::npos) << readout("positions");
  const Colour strong = cell(0, 7, 5, 8);
  model.learned = learned_positions(after);
  model.step = 8;
  show(model);
  EXPECT_NE(readout("cell").find("0.0500"), std::string::npos) << readout("cell");
  EXPECT_NE(readout("cell").find("after 8 steps"), std::string::npos) << readout("cell");
  EXPECT_FALSE(strong == cell(0, 2, 5, 8));
  // The other side, and the formula.
  stage().settings.pe.side = PositionsSide::kTarget;
  show(model);
  EXPECT_NE(readout("positions").find("6 × 8"), std::string::npos) << readout("positions");
  EXPECT_NE(readout("cell").find("−0.2500"), std::string::npos) << readout("cell");
  stage().settings.pe.source = PositionsSource::kFormula;
  show(model);
  EXPECT_NE(readout("cell").find("PE(1, 6)"), std::string::npos) << readout("cell");
  EXPECT_EQ(readout("positions"), "");
}

TEST_F(Positions, RotaryOnesAreRotationsOfOneHead) {
  stage().settings.pe.position = 3;
  stage().settings.pe.dimension = 3;  // the second pair: w = 10000^(-2/4) = 0.01
  show({.kind = PositionKind::rotary, .d_head = 4, .base = 10000}, "positions-rotary");
  EXPECT_NE(readout("cell").find("pair 1 is turned by 3 × 0.0100 = 0.0300 rad"), std::string::npos)
      << readout("cell");
  EXPECT_NE(readout("cell").find("0.9996"), std::string::npos) << readout("cell");  // cos 0.03
  EXPECT_NE(readout("clock").find("0: 6.3 positions a turn"), std::string::npos)
      << readout("clock");
}

TEST_F(Positions, WithoutAnyThatIsSaid) {
  show({.kind = PositionKind::none});
  EXPECT_NE(readout("positions").find("no positions"), std::string::npos);
  EXPECT_NE(readout("cell").find("PE(7, 10)"), std::string::npos);
  // What is shown instead is not the model's, and says so.
  const auto titled = [&](const char* title) {
    return std::ranges::any_of(stage().mirror.texts(),
                               [&](const DrawnText& text) { return text.text == title; });
  };
  EXPECT_TRUE(titled("For comparison: sinusoidal positions"));
  show({.kind = PositionKind::alibi});
  EXPECT_NE(readout("positions").find("ALiBi"), std::string::npos) << readout("positions");
  EXPECT_TRUE(titled("For comparison: sinusoidal positions"));
  show({.kind = PositionKind::sinusoidal});
  EXPECT_FALSE(titled("For comparison: sinusoidal positions"));
}

// The formula and the clock are explained beside them, in both languages.
TEST_F(Positions, WhatIsShownIsExplained) {
  const auto drawn = [&](std::string_view text) {
    return std::ranges::any_of(stage().mirror.texts(),
                               [&](const DrawnText& one) { return one.text == text; });
  };
  Snapshot now;
  now.tensors = {table("src_pos.weight", 5, 8, 0.05f)};
  for (const Language language : {Language::kEnglish, Language::kKorean}) {
    stage().settings.language = language;
    const auto said = [&](Text text) { return drawn(tr(text, language)); };
    show({.kind = PositionKind::sinusoidal},
         language == Language::kEnglish ? "positions" : "positions-ko");
    EXPECT_TRUE(said(Text::positions_story) && said(Text::clock_caption));
    EXPECT_EQ(readout("positions_story"), tr(Text::positions_story, language));
    EXPECT_EQ(readout("clock").find(tr(Text::clock_caption, language)), 0u);
    show({.kind = PositionKind::rotary, .d_head = 4});
    EXPECT_TRUE(!said(Text::positions_story) && said(Text::clock_caption));
    show({.kind = PositionKind::learned, .learned = learned_positions(now)});
    EXPECT_TRUE(!said(Text::positions_story) && !said(Text::clock_caption));
  }
  stage().settings = {};
  stage().settings.pe.sentence = "one two three four five";
  stage().settings.pe.positions = 3;
  show({.kind = PositionKind::sinusoidal});
  EXPECT_TRUE(drawn("2 more words than positions"));
  EXPECT_EQ(stage().badly_placed(rect_), std::vector<std::string>{});
  stage().settings.pe.positions = 5;
  show({.kind = PositionKind::sinusoidal});
  EXPECT_FALSE(drawn("0 more words than positions"));
}

TEST_F(Positions, NothingIsCutOrLiesOverAnother) {
  Snapshot now;
  now.tensors = {table("src_pos.weight", 34, 64, 0.003f), table("tgt_pos.weight", 34, 64, 0.003f)};
  for (const PositionKind kind : {PositionKind::sinusoidal, PositionKind::learned,
                                  PositionKind::rotary, PositionKind::alibi, PositionKind::none}) {
    ModelPositions model{.kind = kind, .d_head = 16};
    if (kind == PositionKind::learned) model.learned = learned_positions(now);
    for (const float width : {1248.0f, 868.0f, 568.0f, 366.0f}) {
      rect_.max = ImVec2(rect_.min.x + width, rect_.min.y + 2400);
      stage().blind = true;
      show(model);
      std::vector<std::string> bad = stage().badly_placed(rect_);
      EXPECT_TRUE(bad.empty()) << static_cast<int>(kind) << " " << width << ": "
                               << (bad.empty() ? "" : bad.front());
    }
  }
}

}  // namespace
}  // namespace tp::ui
