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
      EXPECT_TRUE(is_drawn(" …"));
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

TEST_F(TryStage, EveryTokenHasItsOwnChances) {
  Snapshot s = with_example("reverse", "c b a", "a b c");
  s.tried = tried("c b a", {"a", "b", "c"});
  s.tried->moment.step = 1234;
  for (TryStep& step : s.tried->steps) {
    step.candidates = {{step.token, 0.75}, {"not" + step.token, 0.25}};
  }
  show(s);
  EXPECT_TRUE(is_drawn("The model writes, step 1,234"));
  EXPECT_TRUE(is_drawn("Token 3 of 3: how likely"));
  EXPECT_TRUE(is_drawn("notc"));
  EXPECT_EQ(readout("try_chances"), "c 75%, notc 25%");

  RunView run;
  run.take(s);
  EXPECT_TRUE(panel_.perform(ui_command::Point{"answer", 1}, run));
  EXPECT_FALSE(panel_.perform(ui_command::Point{"answer", 3}, run));
  EXPECT_FALSE(panel_.perform(ui_command::Point{"heatmap", 1}, run));
  show(s);
  EXPECT_TRUE(is_drawn("Token 2 of 3: how likely"));
  EXPECT_TRUE(is_drawn("notb"));

  // The pointer, then a click that stays, then the buttons.
  const auto place = std::ranges::find(stage_->mirror.texts(), "a", &DrawnText::text);
  ASSERT_NE(place, stage_->mirror.texts().end());
  const ImVec2 at = place->rect.min;
  stage_->point(at.x + 2, at.y + 2);
  show(s);
  EXPECT_TRUE(is_drawn("nota"));
  stage_->click([&](Ui& ui, Rect rect) { panel_.draw(ui, run, rect, false); }, rect_, at.x + 2,
                at.y + 2);
  stage_->point(1, 1);
  show(s);
  EXPECT_TRUE(is_drawn("Token 1 of 3: how likely"));
  const Rect after = stage_->mirror.places().at("token_after");
  stage_->click([&](Ui& ui, Rect rect) { panel_.draw(ui, run, rect, false); }, rect_,
                after.min.x + 4, after.min.y + 4);
  EXPECT_EQ(stage_->commands.back(), R"({"type":"point","map":"answer","row":1})");
  s.tried->input = "another";
  stage_->point(1, 1);
  show(s);
  EXPECT_TRUE(is_drawn("Token 3 of 3: how likely"));
}

TEST_F(TryStage, WhatIsNotTrainedForSaysSoAndOffersToTrain) {
  for (const bool answered : {true, false}) {
    for (const Language language : {Language::kEnglish, Language::kKorean}) {
      stage_->settings.language = language;
      Snapshot s = with_example("reverse", "c b a", "a b c");
      for (int i = 0; i < 6; ++i) s.samples.push_back({"abc def", "ghi", "ghi jkl", true});
      s.tried = tried("hello", answered ? std::vector<std::string>{"o", "l", "l", "e", "h"}
                                        : std::vector<std::string>());
      s.tried->expected = "o l l e x";
      const Sentence why{"5 letters are fewer than it is trained for, always 10: expect mistakes.",
                         "학습한 것보다 짧아 틀리기 쉽습니다. 글자 수: 5, 최소: 10."};
      (answered ? s.tried->untrained : s.tried->problem) = why;
      s.tried->remedy = {{"min_length", "5"}};
      show(std::move(s), answered ? "try-short" : "try-long-input");
      EXPECT_TRUE(is_drawn(in_language(why, language)));
      ASSERT_TRUE(stage_->mirror.places().contains("train_for_input"));
      const Rect button = stage_->mirror.places().at("train_for_input");
      for (const DrawnText& text : stage_->mirror.texts()) {
        const bool below = text.rect.min.y >= button.max.y - 1;
        const bool inside = text.rect.min.y >= button.min.y && text.rect.max.y <= button.max.y + 2;
        EXPECT_TRUE(below || inside || text.rect.max.y <= button.min.y + 2) << text.text;
      }
      const std::vector<std::string> bad = badly_placed();
      EXPECT_TRUE(bad.empty()) << (bad.empty() ? "" : bad.front());
    }
  }
}

TEST_F(TryStage, NoWordIsCutWhereThereIsRoom) {
  for (const char* word : {"unbalanced", "yesterday"}) {
    Snapshot s = with_example("balance", "(()", "unbalanced");
    s.tried = tried("(()", {word});
    show(std::move(s));
    EXPECT_TRUE(is_drawn(word));
    EXPECT_EQ(stage_->badly_placed(rect_), std::vector<std::string>());
    EXPECT_TRUE(is_drawn("How likely"));
  }
}

TEST_F(TryStage, NothingIsDrawnByChanceOfAClassOrANumber) {
  for (const auto& [task, vocabulary, there] :
       {std::tuple("reverse", 29, true), {"balance", 2, false}, {"forecast", 0, false}}) {
    Snapshot s = with_example(task, "source", "answer");
    s.vocabulary = vocabulary;
    show(std::move(s), "", true);
    EXPECT_EQ(stage_->mirror.places().contains("temperature"), there) << task;
    EXPECT_EQ(stage_->mirror.places().contains("top_k"), there) << task;
  }
}

TEST_F(TryStage, AFreeTextIsNeitherRightNorWrong) {
  Snapshot s = with_example("text", "source", "answer");
  for (int i = 0; i < 6; ++i) {
    s.samples.push_back({"abc def", "ghi", "jkl", false, false, {0, 70}});
  }
  show(std::move(s));
  EXPECT_TRUE(is_drawn("Held-out samples, step 70"));
  EXPECT_EQ(readout("samples").find("wrong"), std::string::npos);
}

TEST_F(TryStage, WhatNoFontHasIsNamed) {
  Snapshot s = with_example("reverse", "source", "answer");
  s.tried = tried("😀", {});
  s.tried->problem = {"\"😀\" is not known, and neither is \"❤️\".", "😀"};
  show(std::move(s));
  EXPECT_TRUE(is_drawn("\"U+1F600\" is not known, and neither is \"U+2764\"."));
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
    EXPECT_TRUE(is_drawn("Held-out samples, step 0: 2 of " + std::to_string(rows) + " right"));
    const std::vector<std::string> bad = badly_placed();
    EXPECT_TRUE(bad.empty()) << (bad.empty() ? "" : bad.front());
  }
}

Depiction drawn_square() {
  Depiction drawn{.width = 8, .patch = 4};
  for (int i = 0; i < 64; ++i) drawn.values.push_back(i % 8 < 4 ? 1 : 0);
  return drawn;
}

Depiction drawn_price() {
  Depiction drawn{.patch = 6, .stride = 3};
  for (int day = 0; day < 30; ++day) drawn.values.push_back(static_cast<float>(70 + day % 5));
  drawn.truth = {71, 72, 73};
  drawn.predicted = {70, 71, 75};
  return drawn;
}

TEST_F(TryStage, PicturesAreDrawnAndCanBePicked) {
  Snapshot s = with_example("shapes", "....", "square");
  for (int i = 0; i < 6; ++i) {
    s.samples.push_back({"####....", "square", "triangle", i < 2, true, {}, drawn_square()});
  }
  show(s, "try-pictures");
  for (const std::string& text : drawn()) EXPECT_EQ(text.find("##"), std::string::npos) << text;
  EXPECT_EQ(std::ranges::count(drawn(), "triangle"), 6);
  EXPECT_NE(readout("samples").find("####.... → triangle"), std::string::npos);
  const Rect first = stage_->mirror.places().at("sample_0");
  EXPECT_EQ(stage_->pixel(first.min.x + 6, first.min.y + 6), kDarkPalette.text);
  EXPECT_EQ(stage_->pixel(first.min.x + 36, first.min.y + 6), kDarkPalette.page);
  RunView run;
  run.take(s);
  stage_->click([&](Ui& ui, Rect rect) { panel_.draw(ui, run, rect, false); }, rect_,
                first.min.x + 10, first.min.y + 10);
  EXPECT_EQ(stage_->commands, (std::vector<std::string>{R"({"type":"try","text":"####...."})"}));
  for (const float width : {240.0f, 300.0f, 600.0f}) {
    rect_.max.x = rect_.min.x + width;
    show(s, "try-pictures-" + std::to_string(static_cast<int>(width)));
    const std::vector<std::string> bad = badly_placed();
    EXPECT_TRUE(bad.empty()) << (bad.empty() ? "" : bad.front());
  }
}

TEST_F(TryStage, PricesAreDrawnAndTheirRuleIsSaid) {
  Snapshot s = with_example("forecast", "80 81", "72");
  s.vocabulary = 0;
  for (int i = 0; i < 6; ++i) {
    s.samples.push_back({"70 71 72", "71 72 73", "70 71 75", i < 2, true, {}, drawn_price()});
  }
  show(s, "try-prices");
  for (const std::string& text : drawn()) EXPECT_EQ(text.find("70 71"), std::string::npos) << text;
  EXPECT_NE(readout("samples").find("70 71 72 → 70 71 75"), std::string::npos);
  EXPECT_TRUE(is_drawn("Right: closer than repeating the last price."));
  const std::vector<std::string> bad = badly_placed();
  EXPECT_TRUE(bad.empty()) << (bad.empty() ? "" : bad.front());
}

TEST_F(TryStage, BracketsHaveTheColourOfTheirDepth) {
  Snapshot s = with_example("balance", "(()", "unbalanced");
  Depiction drawn;
  drawn.depths = {-1, 0, 0};
  s.samples.push_back({"(()", "unbalanced", "balanced", false, true, {}, drawn});
  show(s, "try-brackets");
  Rect place{};
  for (const DrawnText& text : stage_->mirror.texts()) {
    if (text.text == "(() → balanced") place = text.rect;
  }
  ASSERT_GT(place.width(), 0);
  // The letters are thin: the nearest that a pixel of a column comes to the colour.
  const float letter = place.width() / 14;
  const auto nearest = [&](int i, Colour colour) {
    int least = 255;
    for (float x = place.min.x + letter * static_cast<float>(i);
         x < place.min.x + letter * static_cast<float>(i + 1); ++x) {
      for (float y = place.min.y; y < place.max.y; ++y) {
        const Colour at = stage_->pixel(x, y);
        least = std::min(least, std::max({std::abs(at.r - colour.r), std::abs(at.g - colour.g),
                                          std::abs(at.b - colour.b)}));
      }
    }
    return least;
  };
  EXPECT_LT(nearest(0, kDarkPalette.wrong), 60);
  EXPECT_LT(nearest(1, kDarkPalette.series[0]), 60);
  EXPECT_LT(nearest(2, kDarkPalette.series[0]), 60);
  EXPECT_GT(nearest(1, kDarkPalette.text), 60);
  s.tried = tried("()(", {"balanced"});
  s.tried->source = {"(", ")", "("};
  s.tried->drawn.depths = {0, 0, -1};
  show(s, "try-brackets-typed");
  EXPECT_TRUE(is_drawn("()("));
  const std::vector<std::string> bad = badly_placed();
  EXPECT_TRUE(bad.empty()) << (bad.empty() ? "" : bad.front());
}

TEST_F(TryStage, WhatWasGivenAndWhatWasWrittenStandApart) {
  Snapshot s = with_example("text", "once upon", "a time");
  s.example->source.clear();
  s.samples.push_back({"once upon", " a time", " a tame", false, false});
  show(s, "try-text");
  EXPECT_TRUE(is_drawn("once upon"));
  EXPECT_TRUE(is_drawn(" a tame"));
}

TEST_F(TryStage, DigitsStandUnderEachOther) {
  Snapshot s = with_example("add", "57+8", "65");
  Depiction drawn;
  drawn.digits = true;
  s.samples.push_back({"57+8", "65", "65", true, true, {}, drawn});
  s.samples.push_back({"999+999", "1998", "1998", true, true, {}, drawn});
  show(s, "try-digits");
  EXPECT_TRUE(is_drawn("   57+8 →   65"));
  EXPECT_TRUE(is_drawn("999+999 → 1998"));
  EXPECT_NE(readout("samples").find("; 57+8 → 65 right"), std::string::npos);
}

TEST_F(TryStage, APictureIsDrawnWithThePointer) {
  Snapshot s = with_example("shapes", "", "square");
  s.example->drawn = drawn_square();
  s.tried = tried("", {"square"});
  for (int i = 0; i < 6; ++i) {
    s.samples.push_back({"####....", "square", "triangle", i < 2, true, {}, drawn_square()});
  }
  RunView run;
  run.take(s);
  show(s, "try-draw");
  const auto draw = [&](Ui& ui, Rect rect) { panel_.draw(ui, run, rect, false); };
  Rect field = stage_->mirror.places().at("picture_field");
  EXPECT_TRUE(stage_->mirror.grabs_at(ImVec2(field.min.x + 5, field.min.y + 5)));
  const float pixel = field.width() / 8;
  stage_->click(draw, rect_, field.min.x + 5.5f * pixel, field.min.y + 0.5f * pixel);
  ASSERT_FALSE(stage_->commands.empty());
  std::string rows = "####.#..";
  for (int y = 1; y < 8; ++y) rows += " ####....";
  EXPECT_EQ(stage_->commands.front(), R"({"type":"try","text":")" + rows + R"("})");
  // Ink becomes paper, and what was drawn before is still there.
  stage_->settings.attempt.input = rows;
  stage_->commands.clear();
  stage_->click(draw, rect_, field.min.x + 0.5f * pixel, field.min.y + 0.5f * pixel);
  ASSERT_FALSE(stage_->commands.empty());
  rows[0] = '.';
  EXPECT_EQ(stage_->commands.front(), R"({"type":"try","text":")" + rows + R"("})");
  for (const bool complete : {false, true}) {
    if (complete) rect_.max.y = 616;
    show(s, complete ? "try-draw-complete" : "try-draw", complete);
    const std::vector<std::string> bad = badly_placed();
    EXPECT_TRUE(bad.empty()) << (bad.empty() ? "" : bad.front());
  }
  EXPECT_EQ(stage_->mirror.places().count("clear_picture"), 1u);
}

TEST_F(TryStage, ThePriceTypedIsPlottedWithItsPrediction) {
  Snapshot s = with_example("forecast", "70 71", "71 72 73");
  s.vocabulary = 0;
  s.example->drawn = drawn_price();
  s.example->drawn.predicted.clear();
  s.tried = tried("70 71", {});
  s.tried->output = "70 71 75";
  s.tried->drawn = drawn_price();
  s.tried->drawn.truth.clear();
  for (int i = 0; i < 6; ++i) {
    s.samples.push_back({"70 71 72", "71 72 73", "70 71 75", i < 2, true, {}, drawn_price()});
  }
  for (const bool complete : {false, true}) {
    if (complete) rect_.max.y = 616;
    show(s, complete ? "try-plot-complete" : "try-plot", complete);
    EXPECT_EQ(stage_->mirror.places().count("price_plot"), 1u);
    EXPECT_TRUE(is_drawn("truth"));
    EXPECT_TRUE(is_drawn("prediction"));
    const std::vector<std::string> bad = badly_placed();
    EXPECT_TRUE(bad.empty()) << (bad.empty() ? "" : bad.front());
  }
  s.tried->input = "80 81";  // somebody's own numbers: nobody knows how they go on
  show(s);
  EXPECT_TRUE(is_drawn("prediction"));
  EXPECT_FALSE(is_drawn("truth"));
}

}  // namespace
}  // namespace tp::ui
