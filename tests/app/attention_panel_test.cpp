// The attention panel with made-up runs: needs a display (CTest runs it under Xvfb).

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "imgui_app/panels/attention_panel.h"
#include "tests/app/panel_stage.h"

namespace tp {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Weights between even ones (0) and all on `column(row)` (1), over the columns that a row may see.
AttentionMap made_map(AttentionKind kind, int layer, int heads, int rows, int columns, double sharp,
                      const std::function<int(int row)>& column) {
  AttentionMap map;
  map.kind = kind;
  map.layer = layer, map.heads = heads, map.rows = rows, map.columns = columns;
  for (int head = 0; head < heads; ++head) {
    const double own = sharp * (1 - 0.5 * head / heads);
    for (int r = 0; r < rows; ++r) {
      const int seen = kind == AttentionKind::decoder_self ? std::min(r + 1, columns) : columns;
      for (int c = 0; c < columns; ++c) {
        const double even = c < seen ? (1 - own) / seen : 0;
        map.weights.push_back(static_cast<float>(even + (c == column(r) ? own : 0)));
      }
    }
    map.readings.push_back(
        {.entropy = 1 - own,
         .on_target = kind == AttentionKind::cross ? own : kNone,
         .target_weight = own,
         .pattern = own > 0.4 ? AttentionPattern::anti_diagonal : AttentionPattern::uniform});
  }
  map.readings.push_back({.entropy = 1 - sharp,
                          .on_target = kind == AttentionKind::cross ? sharp : kNone,
                          .target_weight = sharp,
                          .pattern = AttentionPattern::none});
  return map;
}

ShownExample letters() {
  ShownExample example;
  example.index = 0;
  for (const char c : std::string("kdamxqtbfz")) example.source.emplace_back(1, c);
  for (std::size_t i = example.source.size(); i-- > 0;) {
    example.written.push_back(example.source[i]);
    example.links.push_back({static_cast<int>(example.links.size()), static_cast<int>(i), true});
  }
  example.read = example.written;
  example.read.insert(example.read.begin(), "<bos>");
  example.written.push_back("<eos>");
  return example;
}

ShownExample words() {
  ShownExample example;
  example.index = 3;
  for (const char* word :
       {"학생", "들", "은", "내일", "도서관", "에서", "친구", "를", "안", "만날", "것이다"}) {
    example.source.emplace_back(word);
  }
  for (const char* word : {"the", "students", "will", "not", "meet", "the", "friend", "at", "the",
                           "library", "tomorrow"}) {
    example.written.emplace_back(word);
  }
  example.links = {{0, 0, false}, {1, 0, true},  {1, 1, true},  {2, 10, true},
                   {3, 8, true},  {4, 9, true},  {5, 6, false}, {6, 6, true},
                   {7, 5, true},  {8, 4, false}, {9, 4, true},  {10, 3, true}};
  example.read = example.written;
  example.read.insert(example.read.begin(), "<bos>");
  example.written.push_back("<eos>");
  return example;
}

Snapshot made_snapshot(const ShownExample& example, int layers, int heads, double sharp,
                       std::uint64_t step) {
  Snapshot now;
  now.run = 1;
  now.state = RunState::running;
  now.moment = {0, step};
  const int source = static_cast<int>(example.source.size());
  const int target = static_cast<int>(example.written.size());
  for (int layer = 0; layer < layers; ++layer) {
    now.attention.push_back(made_map(AttentionKind::encoder_self, layer, heads, source, source,
                                     sharp, [](int r) { return r; }));
    now.attention.push_back(made_map(AttentionKind::decoder_self, layer, heads, target, target,
                                     sharp, [](int r) { return r; }));
    now.attention.push_back(made_map(AttentionKind::cross, layer, heads, target, source, sharp,
                                     [&](int r) { return std::max(source - 1 - r, 0); }));
  }
  for (const std::uint64_t at : {0, 25, 50}) {
    AttentionMap still =
        made_map(AttentionKind::cross, 0, 1, target, source, static_cast<double>(at) / 100,
                 [&](int r) { return std::max(source - 1 - r, 0); });
    now.stills.push_back({{0, at}, target, source, std::move(still.weights)});
  }
  now.example = example;
  return now;
}

class AttentionStage : public testing::Test {
 protected:
  void SetUp() override {
    stage_ = std::make_unique<PanelStage>(1280, 1000);
    ASSERT_TRUE(stage_->ok()) << stage_->error();
  }

  void show(const std::string& name = "") {
    stage_->settle([&](Ui& ui, Rect rect) { panel_.draw(ui, run_, rect); }, room_, name);
  }
  // As the app does it in a single column.
  void show_column(float width, const std::string& name = "") {
    for (int i = 0; i < 3; ++i) {
      stage_->settle(
          [&](Ui& ui, Rect rect) {
            room_ = {rect.min,
                     ImVec2(rect.min.x + width, rect.min.y + panel_.height_for(ui, width))};
            panel_.draw(ui, run_, room_);
          },
          room_, name);
    }
  }
  void click(ImVec2 at) {
    stage_->click([&](Ui& ui, Rect rect) { panel_.draw(ui, run_, rect); }, room_, at.x, at.y);
  }
  Rect place(const std::string& name) {
    const auto found = stage_->mirror.places().find(name);
    EXPECT_NE(found, stage_->mirror.places().end()) << name;
    return found == stage_->mirror.places().end() ? Rect{} : found->second;
  }
  ImVec2 cell(int row, int column, int rows, int columns) {
    const Rect cells = place("attention_map");
    return {
        cells.min.x +
            (static_cast<float>(column) + 0.5f) / static_cast<float>(columns) * cells.width(),
        cells.min.y + (static_cast<float>(row) + 0.5f) / static_cast<float>(rows) * cells.height()};
  }
  std::string readout(const std::string& name) {
    const std::string* text = stage_->readout(name);
    return text ? *text : "";
  }

  std::unique_ptr<PanelStage> stage_;
  AttentionPanel panel_;
  RunView run_;
  Rect room_{ImVec2(8, 8), ImVec2(544, 632)};
};

int distance(Colour a, Colour b) {
  return std::max({std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b)});
}

TEST_F(AttentionStage, CellsHaveTheColourOfTheirWeightInBothThemes) {
  run_.take(made_snapshot(letters(), 1, 2, 0.6, 120));
  stage_->settings.attention.head = 1;
  for (const bool dark : {true, false}) {
    stage_->dark = dark;
    show(dark ? "letters-dark" : "letters-light");
    const ColourTable colours =
        interpolate_colours((dark ? kDarkPalette : kLightPalette).map_weights);
    const AttentionMap& map = run_.now().attention.back();
    for (int r = 0; r < 11; ++r) {
      for (int c = 0; c < 10; ++c) {
        const double weight = map.weights[static_cast<std::size_t>(r * 10 + c)];
        const Colour wanted = colours[static_cast<std::size_t>(std::pow(weight, 0.6) * 255 + 0.5)];
        const ImVec2 at = cell(r, c, 11, 10);
        EXPECT_LE(distance(stage_->pixel(at.x, at.y), wanted), 3) << r << "," << c;
      }
    }
  }
}

TEST_F(AttentionStage, PicturesToLookAt) {
  stage_->settings.attention.follow = false;
  run_.take(made_snapshot(words(), 2, 4, 0.7, 50));
  show("words-dark");
  stage_->settings.language = Language::kKorean;
  stage_->settings.attention.view = AttentionView::kLines;
  show("words-lines-ko");
  stage_->settings.attention.kind = ShownAttention::kDecoder;
  stage_->settings.attention.view = AttentionView::kMap;
  stage_->dark = false;
  show("words-decoder-light-ko");
  run_.take(made_snapshot(letters(), 4, 8, 0.7, 60));
  show("grid-4x8");
  show_column(568, "column-600");
  stage_->touch = true;
  show_column(374, "column-390");
  show_column(304, "column-320");
}

}  // namespace
}  // namespace tp
