// The attention panel with made-up runs: needs a display (CTest runs it under Xvfb).

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>

#include "imgui_app/panels/attention_panel.h"
#include "tests/app/panel_stage.h"

namespace tp::ui {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Weights between even ones (0) and all on `column(row)` (1), over the columns that a row may see:
// the heads of one attention.
std::vector<WatchedTensor> made_heads(AttentionKind kind, int layer, int heads, int rows,
                                      int columns, double sharp,
                                      const std::function<int(int row)>& column) {
  const bool encoder = kind == AttentionKind::encoder_self, cross = kind == AttentionKind::cross;
  std::vector<WatchedTensor> tensors;
  for (int head = 0; head < heads; ++head) {
    const double own = sharp * (1 - 0.5 * head / heads);
    WatchedTensor tensor;
    tensor.path = std::string(encoder ? "encoder." : "decoder.") + std::to_string(layer) +
                  (cross ? ".cross_attn" : ".self_attn") + ".head." + std::to_string(head) +
                  ".weights";
    tensor.row_axis = encoder ? AxisKind::source_token : AxisKind::target_token;
    tensor.column_axis = encoder || cross ? AxisKind::source_token : AxisKind::target_token;
    tensor.rows = rows, tensor.columns = columns;
    for (int r = 0; r < rows; ++r) {
      const int seen = kind == AttentionKind::decoder_self ? std::min(r + 1, columns) : columns;
      tensor.visible.push_back(seen);
      for (int c = 0; c < columns; ++c) {
        const double even = c < seen ? (1 - own) / seen : 0;
        tensor.values.push_back(static_cast<float>(even + (c == column(r) ? own : 0)));
      }
    }
    tensor.reading = {
        .entropy = 1 - own,
        .on_target = cross ? own : kNone,
        .target_weight = own,
        .pattern = own > 0.4 ? AttentionPattern::anti_diagonal : AttentionPattern::uniform};
    tensors.push_back(std::move(tensor));
  }
  return tensors;
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
  const auto itself = [](int r) { return r; };
  const auto reversed = [&](int r) { return std::max(source - 1 - r, 0); };
  const auto add = [&](std::vector<WatchedTensor> made) {
    for (WatchedTensor& head : made) now.tensors.push_back(std::move(head));
  };
  for (int layer = 0; layer < layers; ++layer) {
    add(made_heads(AttentionKind::encoder_self, layer, heads, source, source, sharp, itself));
    add(made_heads(AttentionKind::decoder_self, layer, heads, target, target, sharp, itself));
    add(made_heads(AttentionKind::cross, layer, heads, target, source, sharp, reversed));
  }
  for (const std::uint64_t at : {0, 25, 50}) {
    now.stills.push_back({{0, at},
                          target,
                          source,
                          made_heads(AttentionKind::cross, 0, 1, target, source,
                                     static_cast<double>(at) / 100, reversed)[0]
                              .values});
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
    for (int i = 0; i < 2; ++i) {
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
    const AttentionLayer& map = run_.attention().back();
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

TEST_F(AttentionStage, FlatOutTakesOnePictureForNewWeights) {
  const auto draw = [&](Ui& ui, Rect rect) { panel_.draw(ui, run_, rect); };
  for (const Pace pace : {Pace::k10, Pace::kFlatOut}) {
    stage_->settings.pace = pace;
    run_.take(made_snapshot(letters(), 1, 2, 0.2, 120));
    show();
    run_.take(made_snapshot(letters(), 1, 2, 0.6, 121));
    EXPECT_EQ(stage_->frame(draw, room_), pace != Pace::kFlatOut);
  }
}

TEST_F(AttentionStage, ReadsOutWhatIsShown) {
  run_.take(made_snapshot(letters(), 1, 2, 0.6, 120));
  show();
  EXPECT_EQ(readout("attention"),
            "Cross-attention, layer 1 of 1, mean over 2 heads: anti-diagonal, entropy 0.70; on "
            "target 100%");
  EXPECT_EQ(readout("attention_heads"),
            "Mean: anti-diagonal, entropy 0.70; Head 1: anti-diagonal, entropy 0.40; Head 2: "
            "anti-diagonal, entropy 0.55");
  stage_->settings.attention.head = 2;
  stage_->settings.language = Language::kKorean;
  show();
  EXPECT_EQ(readout("attention"),
            "크로스 어텐션, 레이어 1/1, 헤드 2: 반대각선, 엔트로피 0.55; 적중 45%");
  stage_->settings.attention.kind = ShownAttention::kEncoder;
  show();
  EXPECT_EQ(readout("attention").find("적중"), std::string::npos);
}

TEST_F(AttentionStage, APointerLightsAndAClickLocks) {
  run_.take(made_snapshot(letters(), 1, 2, 0.6, 120));
  stage_->settings.attention.head = 1;
  show();
  EXPECT_EQ(readout("attention_cell"), "");
  const ImVec2 here = cell(0, 9, 11, 10), there = cell(3, 2, 11, 10);
  stage_->point(here.x, here.y);
  show("lit");
  EXPECT_EQ(readout("attention_cell"), "writes z, looks at z: 0.64");
  const Rect cells = place("attention_map");
  stage_->point(cells.min.x - 8, here.y);
  show();
  EXPECT_EQ(readout("attention_cell"), "writes z, looks most at z: 0.64");
  stage_->point(here.x, cells.min.y - 8);
  show();
  EXPECT_EQ(readout("attention_cell"), "z is looked at most from z: 0.64");
  click(there);
  stage_->point(here.x, here.y);
  show();
  EXPECT_EQ(readout("attention_cell"), "writes t, looks at a: 0.04") << "it is locked";
  click(there);
  stage_->point(1200, 900);
  show();
  EXPECT_EQ(readout("attention_cell"), "") << "a second click frees";

  EXPECT_TRUE(panel_.point_at(run_, Cell{10, 0}));
  show();
  EXPECT_EQ(readout("attention_cell"), "writes ␃, looks at k: 0.64");
  EXPECT_FALSE(panel_.point_at(run_, Cell{11, 0}));
  EXPECT_TRUE(panel_.point_at(run_, std::nullopt));

  stage_->touch = true;
  show();
  const ImVec2 finger = cell(0, 9, 11, 10);
  click(finger);
  stage_->point(there.x, there.y);
  show();
  EXPECT_EQ(readout("attention_cell"), "writes z, looks at z: 0.64") << "a tap locks";
  click(finger);
  EXPECT_EQ(readout("attention_cell"), "");
}

// A picture of 8 x 8 pixels in patches of 4 x 4: the third patch is all ink.
ShownExample picture() {
  ShownExample example;
  example.index = 0;
  example.source = {"1", "2", "3", "4"};
  example.drawn = {.width = 8, .patch = 4};
  for (int i = 0; i < 64; ++i) example.drawn.values.push_back(i / 8 >= 4 && i % 8 < 4 ? 1 : 0);
  return example;
}

TEST_F(AttentionStage, PatchesAreDrawnOnTheAxesAndLitInThePicture) {
  Snapshot now = made_snapshot(letters(), 1, 1, 0, 120);
  now.example = picture();
  now.tensors = made_heads(AttentionKind::encoder_self, 0, 2, 4, 4, 0.6, [](int r) { return r; });
  run_.take(now);
  show("patches");
  const Rect cells = place("attention_map"), whole = place("attention_whole");
  const float cell_side = cells.width() / 4;
  const auto ink_above = [&](int column) {
    return stage_->pixel(cells.min.x + (static_cast<float>(column) + 0.5f) * cell_side,
                         cells.min.y - 14) == kDarkPalette.text;
  };
  const auto ink_beside = [&](int row) {
    return stage_->pixel(cells.min.x - 18, cells.min.y + (static_cast<float>(row) + 0.5f) *
                                                             cell_side) == kDarkPalette.text;
  };
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(ink_above(i), i == 2) << i;
    EXPECT_EQ(ink_beside(i), i == 2) << i;
  }
  EXPECT_GE(whole.width(), 48);
  const auto outlined = [&](int patch) {  // its left edge
    const float half = whole.width() / 2;
    const float x = whole.min.x + static_cast<float>(patch % 2) * half;
    const float y = whole.min.y + (static_cast<float>(patch / 2) + 0.5f) * half;
    for (float d = -2; d <= 2; ++d) {
      if (stage_->pixel(x + d, y) == kDarkPalette.accent) return true;
    }
    return false;
  };
  EXPECT_FALSE(outlined(0));
  const ImVec2 at = cell(2, 2, 4, 4);
  stage_->point(at.x, at.y);
  show("patches-lit");
  EXPECT_EQ(readout("attention_cell"), "reads patch 3, looks at patch 3: 0.64");
  EXPECT_TRUE(outlined(2));
  EXPECT_FALSE(outlined(0));
  // The other way round: a patch of the picture is a row of the map.
  stage_->point(whole.min.x + whole.width() * 0.75f, whole.min.y + whole.height() * 0.25f);
  show();
  EXPECT_NE(readout("attention_cell").find("reads patch 2, looks most at patch 2"),
            std::string::npos);
  for (const float width : {536.0f, 358.0f, 300.0f}) {
    show_column(width, "patches-column");
    const std::vector<std::string> bad = stage_->badly_placed(room_);
    EXPECT_TRUE(bad.empty()) << width << ": " << (bad.empty() ? "" : bad.front());
  }
}

TEST_F(AttentionStage, PricesAreDrawnToo) {
  Snapshot now = made_snapshot(letters(), 1, 1, 0, 120);
  ShownExample example;
  example.index = 0;
  example.drawn = {.patch = 6, .stride = 3};
  for (int day = 0; day < 30; ++day) example.drawn.values.push_back(static_cast<float>(day % 7));
  for (int i = 1; i <= 9; ++i) example.source.push_back(std::to_string(i));
  now.example = example;
  now.tensors = made_heads(AttentionKind::encoder_self, 0, 2, 9, 9, 0.6, [](int r) { return r; });
  run_.take(now);
  panel_.point_at(run_, std::nullopt);
  show("prices");
  const ImVec2 at = cell(8, 0, 9, 9);
  stage_->point(at.x, at.y);
  show("prices-lit");
  EXPECT_TRUE(readout("attention_cell").starts_with("reads patch 9, looks at patch 1: 0."));
  EXPECT_GT(place("attention_whole").width(), 2 * place("attention_whole").height());
}

TEST_F(AttentionStage, LaterTokensAreHidden) {
  run_.take(made_snapshot(letters(), 1, 2, 0.6, 120));
  stage_->settings.attention.kind = ShownAttention::kDecoder;
  show("causal");
  ASSERT_TRUE(panel_.point_at(run_, Cell{2, 5}));
  show();
  EXPECT_EQ(readout("attention_cell"), "writes b, cannot see q: it comes later");
  const ImVec2 at = cell(2, 5, 11, 11);
  EXPECT_EQ(stage_->pixel(at.x, at.y + 5), kDarkPalette.page);
}

TEST_F(AttentionStage, AHeadTakesOverFromTheMeanAndSaysSo) {
  // The first head is said to be on target 30% of the time; their mean, of even weights, is 10%.
  Snapshot now = made_snapshot(letters(), 1, 2, 0.3, 100);
  for (WatchedTensor& tensor : now.tensors) std::ranges::fill(tensor.values, 0.1f);
  const auto at_step = [&](std::uint64_t step) {
    now.moment.step = step;
    return now;
  };
  run_.take(at_step(100));
  show();
  EXPECT_EQ(readout("attention").find("Head"), std::string::npos);
  run_.take(at_step(119));
  show();
  EXPECT_EQ(readout("attention").find("Head"), std::string::npos);
  run_.take(at_step(120));
  show("took-over");
  EXPECT_NE(readout("attention").find("Head 1"), std::string::npos);
  EXPECT_EQ(readout("attention_caption").find("Head 1 is shown by itself"), 0u);
  // Whoever asks for the mean now wants the mean.
  const Rect mean = place("attention_head_0");
  click({mean.min.x + 20, mean.min.y + 20});
  ASSERT_EQ(stage_->commands.size(), 1u);
  EXPECT_EQ(stage_->commands[0], R"({"type":"set","name":"attention_follow","value":"false"})");
  stage_->settings.attention.follow = false;
  show();
  EXPECT_NE(readout("attention").find("mean over 2 heads"), std::string::npos);
}

TEST_F(AttentionStage, PressesAreCommands) {
  run_.take(made_snapshot(letters(), 2, 2, 0.6, 120));
  stage_->settings.attention.layer = 1;
  stage_->settings.attention.follow = false;
  show();
  for (const char* name : {"attention_layer_1_head_2", "attention_layer_2_head_1", "still_25",
                           "still_75", "another_example"}) {
    const Rect rect = place(name);
    click({(rect.min.x + rect.max.x) / 2, (rect.min.y + rect.max.y) / 2});
  }
  const std::vector<std::string> wanted = {
      R"({"type":"set","name":"attention_head","value":"2"})",
      R"({"type":"set","values":{"attention_layer":"2","attention_head":"1"}})",
      R"({"type":"rewind","branch":0,"step":25})",  // and nothing for a step that was not reached
      R"({"type":"set","name":"example","value":"1"})"};
  EXPECT_EQ(stage_->commands, wanted);
  for (const Action& action : stage_->mirror.actions()) {
    EXPECT_EQ(action.enabled, action.name != "still_75" && action.name != "still_100" &&
                                  action.name != "still_150" && action.name != "still_200" &&
                                  action.name != "still_300")
        << action.name;
  }
}

TEST_F(AttentionStage, ItCanBeOfWhatIsTyped) {
  run_.take(made_snapshot(letters(), 1, 2, 0.6, 120));
  show();
  EXPECT_FALSE(stage_->mirror.places().contains("example_of"));  // nothing is typed
  stage_->settings.attempt.input = "kdam";
  show();
  const Rect choice = place("example_of");
  click({choice.max.x - 8, choice.min.y + 8});
  EXPECT_EQ(stage_->settings.attention.of, ExampleOf::kTyped);
  Snapshot typed = made_snapshot(letters(), 1, 2, 0.6, 120);
  typed.example->index = kTypedExample;
  run_.take(std::move(typed));
  show("typed");
  const Rect another = place("another_example");
  click({another.min.x + 8, another.min.y + 8});
  EXPECT_EQ(stage_->commands.back(),
            R"({"type":"set","values":{"example":"1","example_of":"held_out"}})");
}

// Letters that have no room are not left out one by one, which spells nonsense.
TEST_F(AttentionStage, ATextIsReadAsWords) {
  const std::string text = "the cat sat on the mat, and the dog looked at it for a long time";
  ShownExample example;
  example.index = 0;
  for (const char c : text) example.read.emplace_back(1, c);
  example.written = example.read;
  const int length = static_cast<int>(text.size());
  Snapshot now;
  now.run = 1;
  now.state = RunState::running;
  now.tensors =
      made_heads(AttentionKind::decoder_self, 0, 2, length, length, 0.5, [](int r) { return r; });
  now.example = example;
  run_.take(now);
  show("text-words");
  std::vector<std::string> pieces;
  for (const DrawnText& drawn : stage_->mirror.texts()) {
    if (drawn.rect.max.y <= place("attention_map").max.y) pieces.push_back(drawn.text);
  }
  for (const char* word : {"the", "cat", "sat", "mat,", "looked", "long", "time"}) {
    EXPECT_GE(std::ranges::count(pieces, word), 2) << word;  // of both axes
  }
  EXPECT_EQ(std::ranges::count(pieces, "c") + std::ranges::count(pieces, "t"), 0);
  EXPECT_EQ(stage_->badly_placed(room_), std::vector<std::string>());
}

TEST_F(AttentionStage, ValuesGlideUnlessAskedNotTo) {
  stage_->settings.attention.head = 1;
  const auto draw = [&](Ui& ui, Rect rect) { panel_.draw(ui, run_, rect); };
  run_.take(made_snapshot(letters(), 1, 2, 0, 0));
  show();
  const ImVec2 at = cell(0, 9, 11, 10);
  const Colour before = stage_->pixel(at.x, at.y);
  run_.take(made_snapshot(letters(), 1, 2, 1, 1));
  int frames = 0;
  while (stage_->frame(draw, room_)) ++frames;
  EXPECT_GE(frames, 5) << "120 ms of 20 each";
  show();
  const Colour after = stage_->pixel(at.x, at.y);
  EXPECT_GT(distance(before, after), 80);
  stage_->reduced_motion = true;
  run_.take(made_snapshot(letters(), 1, 2, 0, 2));
  frames = 0;
  while (stage_->frame(draw, room_)) ++frames;
  EXPECT_LE(frames, 2);
  show();
  EXPECT_EQ(stage_->pixel(at.x, at.y), before);
}

TEST_F(AttentionStage, NothingAndNonsenseAreDrawnToo) {
  stage_->reduced_motion = true;
  show("empty");
  EXPECT_NE(readout("attention").find("Here you will see"), std::string::npos);
  EXPECT_FALSE(panel_.point_at(run_, Cell{0, 0}));

  const Snapshot good = made_snapshot(letters(), 2, 2, 0.5, 10);
  std::vector<Snapshot> cases(9, good);
  cases[0].tensors.clear();
  cases[1].example.reset();
  cases[2].example->source.resize(2), cases[2].example->written.clear();
  cases[3].example->links = {{-1, 0, true}, {0, 99, true}, {99, 0, false}};
  for (WatchedTensor& tensor : cases[4].tensors) tensor.values.resize(7);
  for (WatchedTensor& tensor : cases[5].tensors) tensor.reading.reset(), tensor.visible.clear();
  for (WatchedTensor& tensor : cases[6].tensors) tensor.rows = 0, tensor.columns = -1;
  for (Still& still : cases[7].stills) still.weights.clear(), still.rows = -3;
  cases[8].example->source.assign(10, std::string("\xff long and broken"));
  std::uint32_t number = 1;
  for (Snapshot& snapshot : cases) {
    for (const bool lines : {false, true}) {
      snapshot.run = ++number;
      run_.take(snapshot);
      stage_->settings.attention.view = lines ? AttentionView::kLines : AttentionView::kMap;
      panel_.point_at(run_, Cell{10, 9});
      show();
      EXPECT_NE(readout("attention"), "");
      run_.take(good);  // of another run
      show();
    }
  }
}

TEST_F(AttentionStage, TexturesOfMapsNoLongerDrawnAreFreed) {
  run_.take(made_snapshot(letters(), 2, 4, 0.6, 120));
  show();
  EXPECT_EQ(stage_->heatmaps.textures(), 1 + 10 + 3) << "the map, the heads and means, the stills";
  run_.take([&] {
    Snapshot other = made_snapshot(letters(), 1, 1, 0.6, 0);
    other.run = 2;
    other.stills.clear();
    return other;
  }());
  show();
  EXPECT_EQ(stage_->heatmaps.textures(), 1 + 2);
}

TEST_F(AttentionStage, EveryTextIsWholeAndApartFromTheOthers) {
  stage_->reduced_motion = true;
  stage_->blind = std::getenv("TP_PICTURES") == nullptr;
  struct Room {
    float width, height, scale;  // a height of 0: as in a single column
    bool touch;
  };
  struct Case {
    int layers, heads;
    bool words, lines;
  };
  std::uint32_t number = 0;
  for (const Language language : {Language::kEnglish, Language::kKorean}) {
    for (const Room& room : {Room{536, 624, 1, false},
                             {536, 570, 1, false},
                             {424, 352, 1, false},
                             {340, 250, 1, false},
                             {900, 800, 1, false},
                             {568, 0, 1, false},
                             {366, 0, 1, true},
                             {296, 0, 1, true},
                             {1248, 0, 2, false}}) {
      for (const Case& run : {Case{1, 2, false, false},
                              {1, 2, false, true},
                              {2, 4, true, false},
                              {2, 4, true, true},
                              {1, 8, true, false},
                              {4, 8, false, false},
                              {6, 12, false, false}}) {
        stage_->settings.language = language;
        stage_->settings.attempt.input = number % 2 == 0 ? "" : "kdam";
        stage_->settings.attention.view = run.lines ? AttentionView::kLines : AttentionView::kMap;
        stage_->scale = room.scale;
        stage_->touch = room.touch;
        Snapshot now =
            made_snapshot(run.words ? words() : letters(), run.layers, run.heads, 0.5, 40);
        now.run = ++number;
        run_.take(std::move(now));
        room_ = {ImVec2(8, 8), ImVec2(8 + room.width, 8 + room.height)};
        const std::string name = std::to_string(static_cast<int>(room.width)) + "x" +
                                 std::to_string(static_cast<int>(room.height)) +
                                 (language == Language::kKorean ? "-ko-" : "-en-") +
                                 std::to_string(run.layers) + "x" + std::to_string(run.heads) +
                                 (run.words ? "-words" : "-letters") + (run.lines ? "-lines" : "");
        if (room.height > 0) show(name);
        if (room.height == 0) show_column(room.width, name);
        for (const std::string& problem : stage_->badly_placed(room_)) {
          ADD_FAILURE() << name << ": " << problem;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tp::ui
