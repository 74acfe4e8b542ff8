// The story and what it offers, in a real window: needs a display (CTest runs it under Xvfb).

#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "imgui_app/platform/native_window.h"
#include "tests/subjects/series_points.h"

namespace tp::ui {
namespace {

using Json = nlohmann::json;

class StoryWindow : public testing::Test {
 protected:
  void open(int width, int height) {
    window_.reset();
    window_ = std::make_unique<NativeWindow>(width, height, TP_FONT_FOLDER, false);
    ASSERT_TRUE(window_->ok()) << window_->error();
  }
  App& app() { return window_->app(); }
  Json state() { return Json::parse(app().state_json(), nullptr, false); }

  // As if a session had said so.
  void arrives(RunState state, std::uint64_t step, double exact) {
    Snapshot s;
    s.run = 1;
    s.state = state;
    s.task = "reverse";
    s.vocabulary = 32;
    s.config = RunSettings("reverse", "first-look").json();
    s.total_steps = 400;
    s.moment = {0, step};
    s.example.emplace();
    s.example->index = 0;
    s.example->source = {"k", "d"};
    s.example->source_text = "k d a m o p q r s t";
    s.example->answer_text = "t s r q p o m a d k";
    test::add_row(s, step, {{"loss", 1}, {"heldout_loss", 1}, {"heldout_exact", exact}});
    app().snapshot_arrived(encode(s));
    window_->settle();
  }
  std::vector<std::string> offered() {
    std::vector<std::string> names;
    const Json mirror = Json::parse(app().mirror_json());
    for (const Json& action : mirror["actions"]) {
      const std::string name = action["name"];
      if (name == "remedy" || name.starts_with("next_") || name.starts_with("predict_")) {
        names.push_back(name);
      }
    }
    return names;
  }

  std::unique_ptr<NativeWindow> window_;
};

// What is below the story stays where it is, whatever the story offers.
TEST_F(StoryWindow, ASuggestionMovesNothing) {
  for (const auto& [width, height] : {std::pair{1280, 800}, {1000, 800}, {600, 800}, {390, 844}}) {
    for (const char* language : {"en", "ko"}) {
      open(width, height);
      ASSERT_TRUE(app().set("language", language).ok());
      arrives(RunState::running, 10, 0.2);
      const Json before = state()["shown"];
      EXPECT_TRUE(offered().empty());
      arrives(RunState::solved, 290, 1);
      const Json after = state()["shown"];
      EXPECT_EQ(offered(), (std::vector<std::string>{"next_1", "next_2", "next_3"}));
      for (const char* place : {"attention", "tab_attention", "play_pause"}) {
        EXPECT_EQ(before["places"].value(place, Json()), after["places"].value(place, Json()))
            << width << " " << language << " " << place;
      }
      EXPECT_EQ(before["content_height"], after["content_height"]) << width << " " << language;
      EXPECT_LE(after["content_height"], width == 1280 ? 800 : 1600) << width;
      // All of them on the page, and no two over each other.
      double right = -1, bottom = -1;
      for (const char* name : {"next_1", "next_2", "next_3"}) {
        const Json& place = after["places"][name];
        EXPECT_GE(place["x"], 0) << width;
        EXPECT_LE(place["x"].get<double>() + place["width"].get<double>(), width);
        EXPECT_TRUE(place["x"] >= right || place["y"] >= bottom) << width << " " << name;
        right = place["x"].get<double>() + place["width"].get<double>();
        bottom = place["y"].get<double>() + place["height"].get<double>();
      }
    }
  }
}

TEST_F(StoryWindow, AnExperimentAsksForAPredictionFirst) {
  open(1280, 800);
  arrives(RunState::solved, 290, 1);
  EXPECT_EQ(state()["matter"], "solved");
  ASSERT_TRUE(app().press("next_1").ok());
  window_->settle();
  EXPECT_EQ(offered(), (std::vector<std::string>{"predict_1", "predict_2", "predict_3"}));
  const std::string story = state()["shown"]["readouts"]["story"];
  EXPECT_NE(story.find("Take positions away: what will happen?"), std::string::npos) << story;
  EXPECT_TRUE(app().key("Escape"));
  window_->settle();
  EXPECT_EQ(offered().size(), 3u);
  EXPECT_FALSE(app().command(R"({"type":"predict","number":1})").ok());
  ASSERT_TRUE(app().press("next_1").ok());
  window_->settle();
  ASSERT_TRUE(app().press("predict_3").ok());
  EXPECT_EQ(state()["settings"]["positions"], "none");
  EXPECT_EQ(state()["settings"]["steps"], 800);
}

TEST_F(StoryWindow, ThePlanThatIsUsedUpGoesOnByAButton) {
  for (const int width : {1280, 390}) {
    open(width, 844);
    arrives(RunState::finished, 400, 0.7);
    EXPECT_EQ(state()["matter"], "plan_used_up");
    EXPECT_EQ(offered(), std::vector<std::string>{"remedy"});
    const std::string story = state()["shown"]["readouts"]["story"];
    EXPECT_NE(story.find("All 400 planned steps are done"), std::string::npos) << story;
    ASSERT_TRUE(app().press("remedy").ok());
    EXPECT_EQ(state()["settings"]["steps"], 800);
  }
}

// Every step points at something that is there, from a card that is seen whole.
TEST_F(StoryWindow, TheTourPointsAtWhatItSpeaksOf) {
  for (const auto& [width, height] : {std::pair{1280, 800}, {600, 800}, {390, 844}}) {
    for (const char* language : {"en", "ko"}) {
      open(width, height);
      app().surroundings.reduced_motion = true;  // nothing plays
      ASSERT_TRUE(app().set("language", language).ok());
      ASSERT_TRUE(app().set("panel", "curves").ok());
      window_->begin();
      ASSERT_TRUE(app().key("?"));
      const auto places = [&] { return state()["shown"]["places"]; };
      for (int i = 0; i < 200 && !places().contains("attention_map"); ++i) window_->settle();
      EXPECT_EQ(state()["panel"], "attention");
      std::string said;
      for (int step = 1; step <= 7; ++step) {
        window_->settle();
        const Json now = state()["shown"];
        const std::string text = now["readouts"].value("tour", "");
        EXPECT_TRUE(text.starts_with(std::to_string(step) + " / 7. ")) << text;
        EXPECT_NE(text.substr(7), said);
        said = text.substr(7);
        EXPECT_TRUE(now["places"].contains("tour_target")) << width << " " << text;
        const Json card = now["places"]["tour_card"];
        EXPECT_GE(card["x"], 0) << width << " " << text;
        EXPECT_GE(card["y"], 0) << width << " " << text;
        EXPECT_LE(card["x"].get<double>() + card["width"].get<double>(), width) << text;
        EXPECT_LE(card["y"].get<double>() + card["height"].get<double>(), height) << text;
        EXPECT_TRUE(app().key("ArrowRight"));
      }
      window_->settle();
      EXPECT_FALSE(places().contains("tour_card")) << width;
    }
  }
}

TEST_F(StoryWindow, TheTourIsOfferedOnceAndSkipped) {
  open(1280, 800);
  const auto shown = [&](const char* name) { return state()["shown"]["places"].contains(name); };
  arrives(RunState::running, 10, 0.2);
  EXPECT_FALSE(shown("tour_offer"));
  app().offer_tour();
  window_->settle();
  ASSERT_TRUE(app().press("tour_offer").ok());
  window_->settle();
  EXPECT_FALSE(shown("tour_offer"));
  ASSERT_TRUE(app().press("tour_next").ok());
  window_->settle();
  ASSERT_TRUE(app().press("keys_tab").ok());  // the shortcuts are a tab of it
  window_->settle();
  EXPECT_TRUE(shown("close_keys"));
  EXPECT_FALSE(shown("tour_card"));
  ASSERT_TRUE(app().press("tour_tab").ok());
  window_->settle();
  EXPECT_TRUE(shown("tour_card"));
  EXPECT_TRUE(app().key("Escape"));
  window_->settle();
  EXPECT_FALSE(shown("tour_card"));
  EXPECT_FALSE(app().key("Escape"));
  // What there is to do comes before an offer, which does not come back.
  app().offer_tour();
  arrives(RunState::solved, 290, 1);
  arrives(RunState::running, 291, 0.2);
  EXPECT_FALSE(shown("tour_offer"));
}

}  // namespace
}  // namespace tp::ui
