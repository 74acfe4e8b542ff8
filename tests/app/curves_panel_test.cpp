// The curves panel with made-up runs: needs a display (CTest runs it under Xvfb).

#include "imgui_app/panels/curves_panel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "imgui_app/app/play_bar.h"
#include "tests/app/panel_stage.h"
#include "tests/subjects/command_text.h"
#include "tests/subjects/series_points.h"

namespace tp::ui {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// A run that learns at about step 100 * slowness (an answer in words, or in numbers), with the
// moments of every 20th step kept.
Snapshot part(std::uint32_t run, std::int32_t branch, int from, int to, double slowness = 1,
              bool numbers = false) {
  Snapshot s;
  s.run = run;
  s.state = RunState::paused;
  s.vocabulary = 29;
  s.moment = {branch, static_cast<std::uint64_t>(to)};
  for (int i = from; i <= to; ++i) {
    const double t = i / slowness, wobble = 0.1 * std::sin(1000.0 * i) * std::exp(-t / 100);
    const auto step = static_cast<std::uint64_t>(i);
    const double loss = 3.4 / (1 + std::exp((t - 90) / 15)) + 0.02 + wobble;
    if (i > 0) {
      test::add_row(s, step,
                    {{"loss", loss},
                     {"perplexity", std::exp(loss)},
                     {"token_accuracy", 1 - loss / 4},
                     {"learning_rate", 0.002 * std::cos(i / 300.0)},
                     {"gradient_norm", 1 + wobble},
                     {"update_ratio", 0.0012 + 0.001 * wobble}});
    }
    if (i % 10 != 0) continue;
    const double right = 1 / (1 + std::exp(-(t - 130) / 14));
    test::add_row(s, step,
                  {{"heldout_loss", 1.1 * loss},
                   {"heldout_perplexity", std::exp(1.1 * loss)},
                   {"heldout_exact", numbers ? kNone : right},
                   {"heldout_token_accuracy", numbers ? kNone : right},
                   {"heldout_metric", numbers ? 1.1 * loss : right},
                   {"heldout_baseline", numbers ? 2 : kNone},
                   {"heldout_alignment", right},
                   {"heldout_mean_alignment", 1 / (1 + std::exp(-(t - 104) / 12))}});
  }
  s.history_bytes = 12u << 20;
  s.history_limit = 96u << 20;
  for (int i = from - from % 20; i <= to; i += 20) {
    s.kept.push_back({branch, static_cast<std::uint64_t>(i)});
  }
  return s;
}

Snapshot with_config(Snapshot s, double rate) {
  s.config = R"({"train":{"learning_rate":)" + std::to_string(rate) + R"(,"seed":1}})";
  return s;
}

RunView learned() {
  RunView view;
  Snapshot s = part(1, 0, 0, 300);
  s.events = {{.step = 40,
               .kind = EventKind::setting_changed,
               .name = "learning_rate",
               .before = "0.002",
               .after = "0.001"}};
  s.branches = {{0, -1, 0, 300}};
  view.take(s);
  return view;
}

// Earlier runs, and a branch that left at step 160 and is at 220.
RunView with_a_past() {
  RunView view;
  for (std::uint32_t run = 1; run <= 3; ++run) {
    view.take(with_config(part(run, 0, 0, 260, 1 + 0.3 * run), 0.001 * run));
  }
  Snapshot s = with_config(part(4, 0, 0, 300), 0.01);
  s.branches = {{0, -1, 0, 300}};
  view.take(s);
  Snapshot fork = part(4, 1, 161, 220, 0.9);
  fork.branches = {{0, -1, 0, 300}, {1, 0, 160, 220}};
  fork.kept.insert(fork.kept.begin(), s.kept.begin(), s.kept.end());
  fork.events = {{160, EventKind::rewound, "", "", ""}};
  view.take(fork);
  return view;
}

Rect room(float width, float height, float scale = 1) {
  return {ImVec2(8, 8), ImVec2(8 + std::round(width * scale), 8 + std::round(height * scale))};
}

struct Shown {
  RunView view;
  CurvesPanel curves;
  bool complete = true;
  PanelStage::Draw draw() {
    return [this](Ui& ui, Rect rect) { curves.draw(ui, view, rect, complete); };
  }
  PanelStage::Draw mini() {
    return [this](Ui& ui, Rect rect) { curves.draw_mini(ui, view, rect); };
  }
};

const Action* action(const PanelStage& stage, const std::string& name) {
  for (const Action& one : stage.mirror.actions()) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

bool says(const PanelStage& stage, const std::string& words) {
  for (const DrawnText& text : stage.mirror.texts()) {
    if (text.text.find(words) != std::string::npos) return true;
  }
  return false;
}

bool shows(const PanelStage& stage, const std::string& label) {
  return std::ranges::any_of(stage.mirror.texts(),
                             [&](const DrawnText& text) { return text.text == label; });
}

// The middle of the loss plot, from where it says that a finger may drag.
ImVec2 in_loss(const PanelStage& stage, Rect rect, float share) {
  float left = rect.max.x, right = rect.min.x, y = 0;
  for (float at_y = rect.min.y + 60; at_y < rect.max.y && right <= left; at_y += 4) {
    for (float x = rect.min.x; x < rect.max.x; ++x) {
      if (!stage.mirror.grabs_at(ImVec2(x, at_y))) continue;
      left = std::min(left, x);
      right = std::max(right, x);
      y = at_y;
    }
  }
  return ImVec2(left + share * (right - left), y + 8);
}

// The height half way between the numbers at the two ends of a plot's scale, which end at the same
// place; the value in the caption may read like one of them.
float in_plot(const PanelStage& stage, const std::string& low, const std::string& high) {
  const auto& texts = stage.mirror.texts();
  const auto first = std::ranges::find(texts, low, &DrawnText::text);
  float sum = 0;
  for (const DrawnText& text : texts) {
    const bool on_scale = std::abs(text.rect.max.x - first->rect.max.x) < 1;
    if (on_scale && (text.text == low || text.text == high)) {
      sum += text.rect.min.y + text.rect.max.y;
    }
  }
  return sum / 4;
}

// Texts of which a part is in a plot, where lines are.
std::vector<std::string> texts_in_plots(const PanelStage& stage) {
  std::vector<std::string> found;
  for (const DrawnText& text : stage.mirror.texts()) {
    const float air = 0.25f * text.rect.height();  // above and below the letters
    for (float x = text.rect.min.x + 1; x < text.rect.max.x; x += 4) {
      if (stage.mirror.zooms_at(ImVec2(x, text.rect.min.y + air)) ||
          stage.mirror.zooms_at(ImVec2(x, text.rect.max.y - air))) {
        found.push_back(text.text);
        break;
      }
    }
  }
  return found;
}

// Presses at `from`, goes to `to` and lets go.
void drag(PanelStage& stage, const PanelStage::Draw& draw, Rect rect, ImVec2 from, ImVec2 to) {
  stage.point(from.x, from.y);
  stage.settle(draw, rect);
  ImGui::GetIO().AddMouseButtonEvent(0, true);
  stage.settle(draw, rect);
  stage.point((from.x + to.x) / 2, (from.y + to.y) / 2);
  stage.settle(draw, rect);
  stage.point(to.x, to.y);
  stage.settle(draw, rect);
  ImGui::GetIO().AddMouseButtonEvent(0, false);
  stage.settle(draw, rect);
}

TEST(CurvesPanel, TextsAreWholeAndApartEverywhere) {
  PanelStage stage(1300, 3000);
  ASSERT_TRUE(stage.ok()) << stage.error();
  stage.blind = std::getenv("TP_PICTURES") == nullptr;
  struct Size {
    const char* name;
    float width, height, scale;  // 0: as high as it asks for
    bool complete, touch;
  };
  for (const Size& size :
       {Size{"right", 424, 264, 1, false, false}, Size{"centre", 536, 624, 1, true, false},
        Size{"column", 568, 0, 1, true, false}, Size{"phone", 358, 0, 1, true, true},
        Size{"phone", 304, 0, 1, true, true}, Size{"projector", 608, 0, 2, true, false},
        Size{"large phone", 179, 0, 2, true, true}}) {
    for (const Language language : {Language::kEnglish, Language::kKorean}) {
      for (const bool everything : {false, true}) {
        Shown panel{.view = everything ? with_a_past() : learned(), .curves = {}};
        CurveSettings& s = stage.settings.curves;
        s.perplexity = s.token_accuracy = s.learning_rate = s.gradient_norm = s.update_ratio =
            s.logarithmic = everything;
        stage.settings.language = language;
        stage.dark = !everything;
        stage.scale = size.scale;
        stage.touch = size.touch;
        float height = size.height * size.scale;
        const auto draw = [&](Ui& ui, Rect rect) {
          if (size.height == 0) height = panel.curves.height_for(ui, rect.width());
          rect.max.y = rect.min.y + height;
          panel.curves.draw(ui, panel.view, rect, size.complete);
        };
        Rect rect = room(size.width, 100, size.scale);
        const std::string name = std::string("curves ") + size.name + " " +
                                 std::to_string(static_cast<int>(size.width)) +
                                 (language == Language::kKorean ? " ko" : "") +
                                 (everything ? " all" : "");
        stage.settle(draw, rect, name);
        rect.max.y = rect.min.y + height;
        EXPECT_EQ(stage.badly_placed(rect), std::vector<std::string>{}) << name;
        EXPECT_EQ(texts_in_plots(stage), std::vector<std::string>{}) << name;
      }
    }
  }
}

TEST(CurvesPanel, SaysWhatItShows) {
  PanelStage stage(640, 700);
  ASSERT_TRUE(stage.ok()) << stage.error();
  Shown panel{.view = learned(), .curves = {}};
  const Rect rect = room(536, 624);
  stage.settle(panel.draw(), rect);
  ASSERT_NE(stage.readout("curves"), nullptr);
  EXPECT_EQ(stage.readout("curves")->find("Step 300: loss 0.0"), 0u) << *stage.readout("curves");
  EXPECT_NE(stage.readout("curves")->find("held-out accuracy 100%"), std::string::npos);
  EXPECT_NE(stage.readout("curve_event")->find("Step 110"), std::string::npos)
      << *stage.readout("curve_event");
  EXPECT_TRUE(says(stage, "history 12 of 96 MB"));
  EXPECT_TRUE(says(stage, "guessing (ln 29)"));
  EXPECT_TRUE(says(stage, "solved"));
  EXPECT_TRUE(stage.mirror.places().contains("curves"));
  stage.settings.curves.learning_rate = true;
  stage.settle(panel.draw(), rect);
  EXPECT_NE(stage.readout("curves")->find("learning rate 0.00108"), std::string::npos)
      << *stage.readout("curves");
}

TEST(CurvesPanel, NumbersAreRoundAndEnoughAtEveryWidth) {
  PanelStage stage(700, 900);
  ASSERT_TRUE(stage.ok()) << stage.error();
  stage.blind = true;
  for (const int last : {30, 60, 100, 130, 180, 240, 300, 900, 12'345}) {
    for (const float width : {304.0f, 358.0f, 536.0f}) {
      Shown panel;
      Snapshot s = part(1, 0, 0, std::min(last, 400));
      s.moment.step = static_cast<std::uint64_t>(last);
      for (SeriesRows& rows : s.series) {  // the last step is later
        if (rows.steps[0] == static_cast<std::uint64_t>(std::min(last, 400))) {
          rows.steps[0] = s.moment.step;
        }
      }
      panel.view.take(s);
      stage.settle(panel.draw(), room(width, 860));
      float floor = 0;  // of the numbers of the steps, which are the lowest of "0"
      for (const DrawnText& text : stage.mirror.texts()) {
        if (text.text == "0") floor = std::max(floor, text.rect.min.y);
      }
      std::vector<double> numbers;
      for (const DrawnText& text : stage.mirror.texts()) {
        if (std::abs(text.rect.min.y - floor) > 1) continue;
        std::string digits = text.text;
        std::erase(digits, ',');
        numbers.push_back(std::atof(digits.c_str()));
      }
      EXPECT_GE(numbers.size(), width < 500 && last > 1000 ? 2u : 3u) << last << " in " << width;
      EXPECT_LE(numbers.size(), 12u) << last << " in " << width;
    }
  }
}

TEST(CurvesPanel, BeforeTheFirstStepThereIsASentence) {
  PanelStage stage(640, 700);
  ASSERT_TRUE(stage.ok()) << stage.error();
  Shown panel;
  const Rect rect = room(536, 624);
  stage.settle(panel.draw(), rect, "curves empty");
  EXPECT_EQ(*stage.readout("curves"), "The curves begin with the first step.");
  EXPECT_EQ(stage.badly_placed(rect), std::vector<std::string>{});
  Snapshot fresh;
  fresh.run = 1;
  panel.view.take(fresh);
  stage.settle(panel.draw(), rect);
  EXPECT_TRUE(says(stage, "The curves begin"));
  stage.settle(panel.mini(), room(358, 72));
  EXPECT_EQ(stage.badly_placed(room(358, 72)), std::vector<std::string>{});
}

TEST(CurvesPanel, ButtonsOfTheHeadingAskForFiles) {
  PanelStage stage(640, 700);
  ASSERT_TRUE(stage.ok()) << stage.error();
  Shown panel{.view = learned(), .curves = {}};
  panel.complete = false;
  const Rect rect = room(424, 264);
  stage.settle(panel.draw(), rect);
  for (const auto& [name, label, command] :
       {std::tuple("download_csv", "CSV", R"({"type":"download_csv"})"),
        std::tuple("download_curves_png", "PNG", R"({"type":"download_png","place":"curves"})")}) {
    const Action* found = action(stage, name);
    ASSERT_NE(found, nullptr) << name;
    EXPECT_EQ(found->label, label);
    EXPECT_EQ(as_json(found->command), command);
    const Rect place = found->rect;
    stage.commands.clear();
    stage.click(panel.draw(), rect, place.min.x + 4, place.min.y + 8);
    EXPECT_EQ(stage.commands, std::vector<std::string>{command});
  }
  EXPECT_EQ(action(stage, "earlier"), nullptr);  // complete panels have them
}

TEST(CurvesPanel, DraggingAsksForEachKeptMomentOnce) {
  PanelStage stage(640, 700);
  ASSERT_TRUE(stage.ok()) << stage.error();
  Shown panel{.view = learned(), .curves = {}};
  panel.complete = false;
  const Rect rect = room(424, 264);
  const PanelStage::Draw draw = panel.draw();
  stage.settle(draw, rect);
  const ImVec2 from = in_loss(stage, rect, 1);
  stage.point(from.x, from.y);
  stage.settle(draw, rect);
  ImGui::GetIO().AddMouseButtonEvent(0, true);
  stage.settle(draw, rect);
  stage.commands.clear();
  for (float share = 1; share >= 0.795f; share -= 0.005f) {  // 300 steps in all
    const ImVec2 to = in_loss(stage, rect, share);
    stage.point(to.x, to.y);
    stage.frame(draw, rect);
    stage.frame(draw, rect);
  }
  const std::vector<std::string> expected = {R"({"type":"rewind","branch":0,"step":280})",
                                             R"({"type":"rewind","branch":0,"step":260})",
                                             R"({"type":"rewind","branch":0,"step":240})"};
  EXPECT_EQ(stage.commands, expected);
  // The values follow before the engine has answered.
  EXPECT_EQ(stage.readout("curves")->find("Step 240"), 0u) << *stage.readout("curves");
  ImGui::GetIO().AddMouseButtonEvent(0, false);
  stage.settle(draw, rect);
  EXPECT_EQ(stage.commands, expected);
}

TEST(CurvesPanel, APressOnTheMomentShownAsksForNothing) {
  PanelStage stage(640, 700);
  ASSERT_TRUE(stage.ok()) << stage.error();
  Shown panel;
  panel.view.take(part(1, 0, 0, 298));  // kept are 0 to 280
  panel.complete = false;
  const Rect rect = room(424, 264);
  stage.settle(panel.draw(), rect);
  const ImVec2 tip = in_loss(stage, rect, 298 / 300.0f);
  stage.click(panel.draw(), rect, tip.x, tip.y);
  EXPECT_EQ(stage.commands, std::vector<std::string>{});
}

TEST(CurvesPanel, EarlierAndLaterGoAlongTheBranch) {
  PanelStage stage(640, 700);
  ASSERT_TRUE(stage.ok()) << stage.error();
  Shown panel{.view = with_a_past(), .curves = {}};
  const Rect rect = room(536, 624);
  stage.settle(panel.draw(), rect);
  EXPECT_EQ(as_json(action(stage, "earlier")->command),
            R"({"type":"rewind","branch":1,"step":200})");
  EXPECT_FALSE(action(stage, "later")->enabled);
  const auto go = [&](Moment moment) {
    Snapshot s;
    s.run = 4;
    s.moment = moment;
    s.kept = panel.view.now().kept;
    s.branches = {{0, -1, 0, 300}, {1, 0, 160, 220}};
    panel.view.take(s);
    stage.settle(panel.draw(), rect);
  };
  go({0, 160});  // where the branch began: later leads into it again
  EXPECT_EQ(as_json(action(stage, "earlier")->command),
            R"({"type":"rewind","branch":0,"step":140})");
  EXPECT_EQ(as_json(action(stage, "later")->command), R"({"type":"rewind","branch":1,"step":180})");
  go({0, 240});  // on the branch that was left
  EXPECT_EQ(as_json(action(stage, "later")->command), R"({"type":"rewind","branch":0,"step":260})");
}

TEST(CurvesPanel, APressOnAnotherBranchGoesThere) {
  PanelStage stage(640, 700);
  ASSERT_TRUE(stage.ok()) << stage.error();
  Shown panel;
  Snapshot s = part(1, 0, 0, 300);
  s.branches = {{0, -1, 0, 300}};
  panel.view.take(s);
  Snapshot fork = part(1, 1, 21, 300, 3);  // still high where the first one is low
  fork.branches = {{0, -1, 0, 300}, {1, 0, 20, 300}};
  fork.kept.insert(fork.kept.begin(), s.kept.begin(), s.kept.end());
  panel.view.take(fork);
  const Rect rect = room(536, 624);
  stage.settle(panel.draw(), rect);
  const ImVec2 middle = in_loss(stage, rect, 0.667f);
  // The floor of the plot, just above the axis.
  float floor = middle.y;
  while (stage.mirror.grabs_at(ImVec2(middle.x, floor + 1))) ++floor;
  stage.commands.clear();
  stage.click(panel.draw(), rect, middle.x, floor - 3);
  EXPECT_EQ(stage.commands, std::vector<std::string>{R"({"type":"rewind","branch":0,"step":200})"});
}

TEST(CurvesPanel, ZoomShowsFewerStepsAndFollowsTheMoment) {
  PanelStage stage(640, 700);
  ASSERT_TRUE(stage.ok()) << stage.error();
  Shown panel{.view = learned(), .curves = {}};
  const Rect rect = room(536, 624);
  stage.settle(panel.draw(), rect);
  EXPECT_TRUE(shows(stage, "100"));
  EXPECT_FALSE(action(stage, "zoom_all")->enabled);
  EXPECT_EQ(as_json(action(stage, "zoom_in")->command), R"({"type":"zoom_curves","factor":2})");
  panel.curves.zoom(panel.view, 2);
  stage.settle(panel.draw(), rect);
  EXPECT_FALSE(shows(stage, "100")) << "steps 150 to 300";
  EXPECT_TRUE(shows(stage, "200"));
  EXPECT_TRUE(action(stage, "zoom_all")->enabled);
  Snapshot back;
  back.run = 1;
  back.moment = {0, 100};
  back.branches = {{0, -1, 0, 300}};
  panel.view.take(back);
  stage.settle(panel.draw(), rect);
  EXPECT_TRUE(shows(stage, "100"));
  for (int i = 0; i < 20; ++i) panel.curves.zoom(panel.view, 2);
  stage.settle(panel.draw(), rect);
  EXPECT_EQ(stage.badly_placed(rect), std::vector<std::string>{});
  EXPECT_EQ(texts_in_plots(stage), std::vector<std::string>{});
  panel.curves.zoom(panel.view, 0);
  stage.settle(panel.draw(), rect);
  EXPECT_FALSE(panel.curves.plots().zoomed());
}

TEST(CurvesPanel, DraggingAlongTheAccuracyZoomsAndADoubleClickShowsAll) {
  PanelStage stage(640, 700);
  ASSERT_TRUE(stage.ok()) << stage.error();
  Shown panel{.view = learned(), .curves = {}};
  const Rect rect = room(536, 624);
  const PanelStage::Draw draw = panel.draw();
  stage.settle(draw, rect);
  const float y = in_plot(stage, "0%", "100%");
  stage.point(in_loss(stage, rect, 0.3f).x, y);
  stage.settle(draw, rect);
  ImGui::GetIO().AddMouseButtonEvent(0, true);
  stage.settle(draw, rect);
  stage.point(in_loss(stage, rect, 0.6f).x, y);
  stage.settle(draw, rect, "curves selecting");
  ImGui::GetIO().AddMouseButtonEvent(0, false);
  stage.settle(draw, rect, "curves zoomed");
  EXPECT_TRUE(panel.curves.plots().zoomed());
  EXPECT_TRUE(shows(stage, "100") && !shows(stage, "300"));  // and not where the moment is
  EXPECT_TRUE(stage.commands.empty());
  stage.time += 1000;
  stage.click(draw, rect, in_loss(stage, rect, 0.4f).x, y);
  EXPECT_TRUE(panel.curves.plots().zoomed());
  stage.click(draw, rect, in_loss(stage, rect, 0.4f).x, y);
  EXPECT_FALSE(panel.curves.plots().zoomed());
}

TEST(CurvesPanel, TheWheelZoomsAllPlotsAroundThePointer) {
  PanelStage stage(640, 700);
  ASSERT_TRUE(stage.ok()) << stage.error();
  stage.blind = true;
  Shown panel{.view = learned(), .curves = {}};
  const Rect rect = room(536, 624);
  const PanelStage::Draw draw = panel.draw();
  const auto turn = [&](float share, int notches) {
    stage.point(in_loss(stage, rect, share).x, in_plot(stage, "0%", "100%"));
    stage.settle(draw, rect);
    const auto before = static_cast<double>(panel.curves.plots().shown_step());
    for (int i = 0; i < std::abs(notches); ++i) {
      ImGui::GetIO().AddMouseWheelEvent(0, notches > 0 ? 1.0f : -1.0f);
      stage.settle(draw, rect);
    }
    if (notches > 0) {
      EXPECT_NEAR(static_cast<double>(panel.curves.plots().shown_step()), before, 2);
    }
    stage.point(0, 0);
    stage.settle(draw, rect);
  };
  stage.settle(draw, rect);
  turn(0.34f, 10);
  EXPECT_TRUE(panel.curves.plots().zoomed());
  EXPECT_FALSE(shows(stage, "200"));
  EXPECT_TRUE(stage.commands.empty());
  turn(0.34f, 60);  // it ends at a few steps
  EXPECT_TRUE(panel.curves.plots().zoomed());
  EXPECT_EQ(stage.badly_placed(rect), std::vector<std::string>{});
  turn(0.5f, -80);
  EXPECT_FALSE(panel.curves.plots().zoomed());
}

TEST(CurvesPanel, DraggingTheNumbersMovesAlong) {
  PanelStage stage(640, 700);
  ASSERT_TRUE(stage.ok()) << stage.error();
  Shown panel{.view = learned(), .curves = {}};
  const Rect rect = room(536, 624);
  stage.settle(panel.draw(), rect);
  panel.curves.zoom(panel.view, 4);  // steps 225 to 300
  stage.settle(panel.draw(), rect);
  EXPECT_FALSE(shows(stage, "160"));
  float y = 0;
  for (const DrawnText& text : stage.mirror.texts()) {
    if (text.text == "300") y = (text.rect.min.y + text.rect.max.y) / 2;
  }
  const float from = in_loss(stage, rect, 0.05f).x, to = in_loss(stage, rect, 0.95f).x;
  drag(stage, panel.draw(), rect, ImVec2(from, y), ImVec2(to, y));
  stage.point(0, 0);
  stage.settle(panel.draw(), rect);
  EXPECT_TRUE(shows(stage, "200") && !shows(stage, "300")) << "about 157 to 232";
  EXPECT_TRUE(panel.curves.plots().zoomed());
  EXPECT_TRUE(stage.commands.empty());
}

TEST(CurvesPanel, AFingerTakesTheMomentInEveryPlotAndMovesAlongWhatIsZoomed) {
  PanelStage stage(640, 700);
  ASSERT_TRUE(stage.ok()) << stage.error();
  stage.touch = true;
  Shown panel{.view = learned(), .curves = {}};
  const Rect rect = room(536, 680);
  const PanelStage::Draw draw = panel.draw();
  stage.settle(draw, rect);
  const float y = in_plot(stage, "0%", "100%"), end = in_loss(stage, rect, 0.97f).x;
  const float middle = in_loss(stage, rect, 0.5f).x;
  // 44 pixels around the line; elsewhere the finger scrolls the page.
  EXPECT_TRUE(stage.mirror.grabs_at(ImVec2(end - 10, y)));
  EXPECT_FALSE(stage.mirror.grabs_at(ImVec2(middle, y)));
  drag(stage, draw, rect, ImVec2(end, y), ImVec2(middle, y));
  ASSERT_FALSE(stage.commands.empty());
  EXPECT_EQ(stage.commands.back().find(R"({"type":"rewind","branch":0,"step":1)"), 0u)
      << stage.commands.back();
  EXPECT_FALSE(panel.curves.plots().zoomed());

  stage.commands.clear();
  drag(stage, draw, rect, ImVec2(middle - 100, y), ImVec2(middle, y));
  EXPECT_FALSE(panel.curves.plots().zoomed());
  EXPECT_TRUE(stage.commands.empty());
  panel.curves.zoom(panel.view, 4);
  stage.settle(draw, rect);
  EXPECT_TRUE(stage.mirror.grabs_at(ImVec2(middle, y)));
  EXPECT_FALSE(shows(stage, "200"));
  drag(stage, draw, rect, ImVec2(middle - 100, y), ImVec2(middle + 100, y));
  EXPECT_TRUE(shows(stage, "200"));
  EXPECT_TRUE(stage.commands.empty());
}

TEST(CurvesPanel, AFingerThatArrivesAndPressesAtOnceIsFelt) {
  PanelStage stage(640, 700);
  ASSERT_TRUE(stage.ok()) << stage.error();
  stage.touch = true;
  Shown panel{.view = learned(), .curves = {}};
  const Rect rect = room(536, 680);
  stage.point(0, 0);
  stage.settle(panel.draw(), rect);
  const ImVec2 middle = in_loss(stage, rect, 0.5f);
  stage.point(middle.x, middle.y);
  ImGui::GetIO().AddMouseButtonEvent(0, true);
  stage.settle(panel.draw(), rect);
  ImGui::GetIO().AddMouseButtonEvent(0, false);
  stage.settle(panel.draw(), rect);
  EXPECT_EQ(stage.commands.size(), 1u);
}

TEST(CurvesPanel, PlotsAreHighEnoughAndShareOneWhereTwoDoNotFit) {
  PanelStage stage(1300, 3000);
  ASSERT_TRUE(stage.ok()) << stage.error();
  stage.blind = std::getenv("TP_PICTURES") == nullptr;
  for (const bool complete : {false, true}) {
    for (const float height : {264.0f, 400.0f, 624.0f}) {
      if (complete && height < 600) continue;
      Shown panel{.view = with_a_past(), .curves = {}};
      panel.complete = complete;
      const Rect rect = room(424, height);
      stage.settle(panel.draw(), rect);
      int plots = 0, run = 0;
      for (float y = rect.min.y; y < rect.max.y; ++y) {
        const bool inside = stage.mirror.zooms_at(ImVec2(rect.min.x + 200, y));
        run += inside;
        if (inside || run == 0) continue;
        EXPECT_GE(run, 120) << height;
        ++plots;
        run = 0;
      }
      EXPECT_EQ(plots, height < 300 ? 1 : 2) << height;
      EXPECT_TRUE(says(stage, "Held-out accuracy"));
      EXPECT_TRUE(says(stage, "guessing"));
      EXPECT_TRUE(says(stage, "solved"));
    }
  }
}

TEST(CurvesPanel, MarksSayWhatHappened) {
  PanelStage stage(640, 700);
  ASSERT_TRUE(stage.ok()) << stage.error();
  Shown panel{.view = learned(), .curves = {}};
  panel.complete = false;
  const Rect rect = room(424, 264);
  stage.settle(panel.draw(), rect);
  const ImVec2 loss = in_loss(stage, rect, 40 / 300.0f);
  float y = loss.y;
  while (stage.mirror.grabs_at(ImVec2(loss.x, y - 1))) --y;
  stage.point(loss.x, y - 5);
  stage.settle(panel.draw(), rect, "curves mark");
  EXPECT_TRUE(says(stage, "0.002 → 0.001"));
  EXPECT_NE(stage.readout("curve_event")->find("Step 40: "), std::string::npos)
      << *stage.readout("curve_event");

  Snapshot end = part(1, 0, 301, 310);
  end.events = {{310, EventKind::stopped, "solved", "", ""}};
  panel.view.take(end);
  stage.point(0, 0);
  stage.settle(panel.draw(), rect);
  EXPECT_EQ(*stage.readout("curve_event"), "Step 310: solved, so training paused.");
}

TEST(CurvesPanel, RunsAreListedAndForgotten) {
  PanelStage stage(640, 700);
  ASSERT_TRUE(stage.ok()) << stage.error();
  Shown panel{.view = with_a_past(), .curves = {}};
  const Rect rect = room(536, 624);
  stage.settle(panel.draw(), rect);
  EXPECT_TRUE(says(stage, "Run 4, shown: "));
  EXPECT_TRUE(says(stage, "0.002 → 0.003"));
  EXPECT_NE(stage.readout("curve_runs")->find("Run 1: the first one"), std::string::npos);
  EXPECT_EQ(as_json(action(stage, "forget_ghosts")->command), R"({"type":"forget_ghosts"})");
  panel.view.forget_ghosts();
  stage.settle(panel.draw(), rect);
  EXPECT_EQ(action(stage, "forget_ghosts"), nullptr);
  EXPECT_EQ(*stage.readout("curve_runs"), "Branch 1: from step 0; Branch 2, shown: from step 160");
}

TEST(CurvesPanel, WhatIsBehindTheLineIsNamedAtItsLine) {
  PanelStage stage(640, 900);
  ASSERT_TRUE(stage.ok()) << stage.error();
  Shown panel{.view = with_a_past(), .curves = {}};
  const Rect rect = room(536, 824);
  stage.settle(panel.draw(), rect, "curves named");
  for (const char* name : {"run 1", "run 2", "run 3", "branch 1"}) {
    EXPECT_TRUE(says(stage, name)) << name;
  }
  EXPECT_EQ(stage.badly_placed(rect), std::vector<std::string>{});
}

TEST(CurvesPanel, RunsOfAnotherTaskAreNotListed) {
  PanelStage stage(640, 700);
  ASSERT_TRUE(stage.ok()) << stage.error();
  Shown panel;
  for (std::uint32_t run = 1; run <= 3; ++run) {
    Snapshot s = part(run, 0, 0, 100);
    s.task = run == 2 ? "sort" : "reverse";
    panel.view.take(s);
  }
  const Rect rect = room(536, 624);
  stage.settle(panel.draw(), rect);
  EXPECT_EQ(*stage.readout("curve_runs"), "Run 1: the first one; Run 3, shown: the same settings");
  EXPECT_TRUE(says(stage, "run 1"));
  EXPECT_FALSE(says(stage, "run 2"));
}

TEST(CurvesPanel, AForkHasAWayBack) {
  PanelStage stage(640, 700);
  ASSERT_TRUE(stage.ok()) << stage.error();
  Shown panel{.view = with_a_past(), .curves = {}};
  const Rect rect = room(536, 624);
  for (const bool complete : {true, false}) {
    panel.complete = complete;
    stage.settle(panel.draw(), rect);
    ASSERT_NE(action(stage, "parent_branch"), nullptr) << complete;
    EXPECT_EQ(action(stage, "parent_branch")->label, "Back to branch 1");
    EXPECT_EQ(as_json(action(stage, "parent_branch")->command), R"({"type":"parent_branch"})");
  }
  Shown straight{.view = learned(), .curves = {}};
  stage.settle(straight.draw(), rect);
  EXPECT_EQ(action(stage, "parent_branch"), nullptr);
}

TEST(CurvesPanel, TheStripShowsBothAndCanBeDragged) {
  PanelStage stage(640, 200);
  ASSERT_TRUE(stage.ok()) << stage.error();
  for (const auto& [width, height] : {std::pair(568.0f, 124.0f), std::pair(358.0f, 72.0f)}) {
    for (const Language language : {Language::kEnglish, Language::kKorean}) {
      stage.settings.language = language;
      stage.dark = language == Language::kEnglish;
      Shown panel{.view = learned(), .curves = {}};
      const Rect rect = room(width, height);
      stage.point(0, 0);
      stage.settle(panel.mini(), rect, "curves mini " + std::to_string(static_cast<int>(width)));
      EXPECT_EQ(stage.badly_placed(rect), std::vector<std::string>{});
      EXPECT_TRUE(says(stage, "100%"));
      stage.commands.clear();
      stage.click(panel.mini(), rect, rect.min.x + 100, rect.min.y + 40);
      ASSERT_EQ(stage.commands.size(), 1u);
      EXPECT_EQ(stage.commands[0].find(R"({"type":"rewind","branch":0,"step":)"), 0u);
    }
  }
}

TEST(CurvesPanel, StillFramesComputeNothing) {
  PanelStage stage(640, 700);
  ASSERT_TRUE(stage.ok()) << stage.error();
  Shown panel{.view = with_a_past(), .curves = {}};
  const Rect rect = room(536, 624);
  stage.settle(panel.draw(), rect);
  const int builds = panel.curves.plots().builds();
  for (int i = 0; i < 20; ++i) EXPECT_FALSE(stage.frame(panel.draw(), rect));
  EXPECT_EQ(panel.curves.plots().builds(), builds);
}

TEST(CurvesPanel, TasksWithoutWholeAnswersShowWhatTheyHave) {
  PanelStage stage(640, 700);
  ASSERT_TRUE(stage.ok()) << stage.error();
  Shown panel;
  Snapshot s = part(1, 0, 0, 100, 1, true);
  s.vocabulary = 0;
  panel.view.take(s);
  const Rect rect = room(536, 624);
  stage.settle(panel.draw(), rect, "curves error");
  EXPECT_TRUE(says(stage, "Held-out error"));
  EXPECT_TRUE(says(stage, "without learning"));
  EXPECT_FALSE(says(stage, "guessing"));
  EXPECT_FALSE(says(stage, "solved"));
  EXPECT_EQ(stage.badly_placed(rect), std::vector<std::string>{});
}

TEST(CurvesPanel, TheFigureOfATextIsTheMeasureOfItsCurve) {
  PanelStage stage(640, 200);
  ASSERT_TRUE(stage.ok()) << stage.error();
  Snapshot s;
  s.run = 1;
  s.state = RunState::paused;
  s.vocabulary = 60;
  for (const std::uint64_t step : {0, 10, 20}) {
    test::add_row(s, step, {{"loss", 2}, {"token_accuracy", 0.5}});
    test::add_row(s, step, {{"heldout_loss", 2}, {"heldout_token_accuracy", 0.25}});
  }
  s.moment.step = 20;
  Shown panel;
  panel.view.take(s);
  PlayBar bar;
  const Rect rect = room(568, 124);
  stage.settle([&](Ui& ui, Rect in) { bar.draw(ui, panel.view, in.min, in.width()); }, rect);
  EXPECT_TRUE(says(stage, "25%"));
  EXPECT_FALSE(says(stage, "50%"));
  EXPECT_TRUE(says(stage, "tokens right"));
  stage.settle(panel.mini(), rect);
  EXPECT_TRUE(says(stage, "tokens right"));
}

}  // namespace
}  // namespace tp::ui
