// How texts are broken and shortened: needs a display (CTest runs it under Xvfb).

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "imgui_app/app/story_line.h"
#include "tests/app/panel_stage.h"

namespace tp::ui {
namespace {

class TextStage : public testing::Test {
 protected:
  void SetUp() override {
    stage_ = std::make_unique<PanelStage>(1280, 200);
    ASSERT_TRUE(stage_->ok()) << stage_->error();
    stage_->blind = true;
  }
  void draw(const std::function<void(Ui& ui)>& what) {
    stage_->settle([&](Ui& ui, Rect) { what(ui); }, rect_);
  }

  Rect rect_{ImVec2(0, 0), ImVec2(1280, 200)};
  std::unique_ptr<PanelStage> stage_;
};

TEST_F(TextStage, LinesEndAtSpacesAlone) {
  draw([](Ui& ui) {
    const auto width = [&](const char* text) { return ui.measure(FontRole::kLabel, text).x; };
    const float line = ui.measure(FontRole::kLabel, " ").y;
    // A number is not broken at its point.
    const ImVec2 number = ui.measure(FontRole::kLabel, "about 4.8 steps/s", width("about 4.8") - 1);
    EXPECT_EQ(number.x, std::max({width("about"), width("4.8"), width("steps/s")}));
    EXPECT_EQ(number.y, 3 * line);
    const ImVec2 sentence = ui.measure(FontRole::kLabel, "one, two 76.89", width("one, two 76."));
    EXPECT_EQ(sentence.x, width("one, two"));
    EXPECT_EQ(sentence.y, 2 * line);
    // What is wider than a line goes on below, and line ends that are there stay.
    EXPECT_EQ(ui.measure(FontRole::kLabel, "aaaaaaaa", width("aaaa")).y, 2 * line);
    EXPECT_EQ(ui.measure(FontRole::kLabel, "a\nb c", width("b c")).y, 2 * line);
  });
}

TEST_F(TextStage, OneLineKeepsBothEnds) {
  draw([](Ui& ui) {
    const auto width = [&](const std::string& text) { return ui.measure(FontRole::kBody, text).x; };
    EXPECT_EQ(ui.in_one_line(FontRole::kBody, "short\none", 1000), "short one");
    const std::string text = "the beginning, a long middle part, and the end";
    for (const float room : {80.0f, 120.0f, 200.0f}) {
      const std::string shown = ui.in_one_line(FontRole::kBody, text, room);
      EXPECT_LE(width(shown), room) << shown;
      EXPECT_GT(width(shown), room - 24) << shown;
      EXPECT_TRUE(shown.starts_with("the")) << shown;
      EXPECT_TRUE(shown.ends_with("end")) << shown;
    }
  });
}

// Whatever the task: the example of the story fits beside how far it is.
TEST_F(TextStage, TheStoryTakesOneLine) {
  const std::string rows = "................ ....########.... ....########....";
  for (const char* task : {"shapes", "forecast", "text"}) {
    Snapshot s;
    s.run = 1;
    s.state = RunState::paused;
    s.task = task;
    s.vocabulary = 9;
    s.example.emplace();
    if (std::string(task) != "text") s.example->source = {"1"};
    for (int i = 0; i < 6; ++i) s.example->source_text += rows + "\n";
    s.example->answer_text = std::string(task) == "text" ? s.example->source_text : "square";
    RunView run;
    run.take(s);
    const Diagnosis nothing;
    const Experiments none;
    const Story story{run, nothing, none};
    float height = 0, line = 0;
    draw([&](Ui& ui) {
      height = draw_story(ui, story, ImVec2(16, 16), 1248);
      line = ui.measure(FontRole::kBody, " ").y;
    });
    EXPECT_EQ(height, line) << task;
    const std::string& shown = stage_->mirror.texts().front().text;
    EXPECT_NE(shown.find("…"), std::string::npos) << shown;
    EXPECT_EQ(shown.ends_with("→ square"), std::string(task) != "text") << shown;
    EXPECT_NE(stage_->readout("story")->find(s.example->source_text), std::string::npos);
    // Narrow: one line, and one for how far it is.
    draw([&](Ui& ui) { height = draw_story(ui, story, ImVec2(16, 16), 366); });
    EXPECT_LE(height, 3 * line) << task;
  }
}

}  // namespace
}  // namespace tp::ui
