// The panel to try things in, with made-up answers: needs a display (CTest runs it under Xvfb).

#include "imgui_app/panels/try_panel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "tests/app/panel_stage.h"

namespace tp::ui {
namespace {

Snapshot with_example(const std::string& task, const std::string& source,
                      const std::string& answer) {
  Snapshot s;
  s.run = 1;
  s.state = RunState::paused;
  s.task = task;
  s.vocabulary = 29;
  ShownExample example;
  example.index = 0;
  example.source = {"1", "2"};
  example.source_text = source;
  example.answer_text = answer;
  s.example = std::move(example);
  return s;
}

TryResult tried(const std::string& input, const std::vector<std::string>& tokens) {
  TryResult result;
  result.input = input;
  for (const std::string& token : tokens) {
    result.steps.push_back({token, 1, true, {{token, 1}}});
    result.output += token;
  }
  result.done = true;
  return result;
}

class TryStage : public testing::Test {
 protected:
  void SetUp() override {
    stage_ = std::make_unique<PanelStage>(640, 720);
    ASSERT_TRUE(stage_->ok()) << stage_->error();
  }

  void show(Snapshot snapshot, const std::string& picture = "", bool complete = false) {
    RunView run;
    run.take(std::move(snapshot));
    stage_->settle([&](Ui& ui, Rect rect) { panel_.draw(ui, run, rect, complete); }, rect_,
                   picture);
  }
  std::vector<std::string> drawn() const {
    std::vector<std::string> all;
    for (const DrawnText& text : stage_->mirror.texts()) all.push_back(text.text);
    return all;
  }
  bool is_drawn(const std::string& text) const { return std::ranges::count(drawn(), text) > 0; }
  // Of those that lie over each other or outside; shortened ones are meant to be.
  std::vector<std::string> badly_placed() const {
    std::vector<std::string> bad = stage_->badly_placed(rect_);
    std::erase_if(bad, [](const std::string& text) { return text.starts_with("shortened"); });
    return bad;
  }
  std::string readout(const std::string& name) const {
    const std::string* text = stage_->readout(name);
    return text ? *text : "";
  }

  Rect rect_{ImVec2(16, 16), ImVec2(440, 362)};  // as beside the attention map
  std::unique_ptr<PanelStage> stage_;
  TryPanel panel_;
};

TEST_F(TryStage, ALongAnswerStaysAboveTheSamples) {
  std::vector<std::string> tokens;
  for (int i = 0; i < 200; ++i) tokens.push_back(i % 7 == 0 ? " " : "ab");
  for (const bool known : {false, true}) {
    for (const bool complete : {false, true}) {
      Snapshot s = with_example("text", "source", "answer");
      for (int i = 0; i < 6; ++i) s.samples.push_back({"abc def", "ghi", "ghi jkl", true});
      s.tried = tried("typed", tokens);
      if (known) s.tried->expected = "something else";
      const std::string whole = s.tried->output;
      show(std::move(s), "try-long", complete);
      const std::vector<std::string> bad = badly_placed();
      EXPECT_TRUE(bad.empty()) << (bad.empty() ? "" : bad.front());
      EXPECT_TRUE(is_drawn("…"));
      EXPECT_TRUE(readout("try_output").starts_with(whole));
    }
  }
}

TEST_F(TryStage, NumbersAreWrittenOut) {
  Snapshot s = with_example("forecast", "70 69.5", "69 68 67");
  s.vocabulary = 0;
  s.tried = tried("70 69.5", {});
  s.tried->output = "69.31 69.01 70.98";
  show(std::move(s));
  EXPECT_TRUE(is_drawn("69.31 69.01 70.98"));
  EXPECT_TRUE(is_drawn("Right would be: 69 68 67"));
  EXPECT_EQ(readout("try_output"), "69.31 69.01 70.98");  // neither right nor wrong
}

TEST_F(TryStage, ThePictureShownHasAKnownAnswer) {
  for (const char* output : {"square", "circle"}) {
    Snapshot s = with_example("shapes", "..#.. .###.", "square");
    s.tried = tried("..#.. .###.", {output});
    show(std::move(s));
    const bool right = std::string(output) == "square";
    EXPECT_EQ(readout("try_output"), output + std::string(right ? " · right" : " · wrong"));
    EXPECT_EQ(is_drawn("Right would be: square"), !right);
  }
  Snapshot other = with_example("shapes", "..#.. .###.", "square");
  other.tried = tried("##### #####", {"circle"});
  show(std::move(other));
  EXPECT_EQ(readout("try_output"), "circle");
}

TEST_F(TryStage, SamplesShowTheirQuestionAndAreCounted) {
  Snapshot s = with_example("translate", "source", "answer");
  const std::string question = "first the beginning of a question that goes on and on, and its end";
  for (int i = 0; i < 6; ++i) {
    s.samples.push_back({question, "", i % 2 ? "short" : question + question, i < 2});
  }
  for (const float height : {346.0f, 300.0f}) {
    rect_.max.y = rect_.min.y + height;
    show(s, "try-samples");
    int rows = 0;
    for (const std::string& text : drawn()) {
      if (!text.starts_with("first")) continue;
      ++rows;
      EXPECT_NE(text.find("…"), std::string::npos) << text;
      EXPECT_NE(text.find("end → "), std::string::npos) << text;
    }
    EXPECT_GE(rows, 3);
    EXPECT_EQ(rows == 6, height > 340);
    EXPECT_TRUE(is_drawn("Held-out samples: 2 of " + std::to_string(rows) + " right"));
    const std::vector<std::string> bad = badly_placed();
    EXPECT_TRUE(bad.empty()) << (bad.empty() ? "" : bad.front());
  }
}

}  // namespace
}  // namespace tp::ui
