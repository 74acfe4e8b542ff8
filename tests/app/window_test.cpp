// The native app in a real window: needs a display (CTest runs it under Xvfb).

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "engine/layers/positions.h"
#include "imgui_app/platform/native_window.h"

namespace tp::ui {
namespace {

using Json = nlohmann::json;

class Window : public testing::Test {
 protected:
  void open(int width, int height) {
    window_.reset();  // ImGui has one context
    window_ = std::make_unique<NativeWindow>(width, height, TP_FONT_FOLDER, false);
    ASSERT_TRUE(window_->ok()) << window_->error();
  }

  void SetUp() override {
    open(1280, 800);
    // Every pixel of this panel is known beforehand.
    set("panel", "positions");
    app().initial.panel = app().settings.panel;
  }

  App& app() { return window_->app(); }
  Json state() { return Json::parse(app().state_json(), nullptr, false); }

  void set(const char* name, const char* value) {
    const Status status = app().set(name, value);
    ASSERT_TRUE(status.ok()) << (status.ok() ? "" : status.error().message);
    window_->settle();
  }

  Colour pixel(double x, double y) {
    int width = 0, height = 0;
    const std::vector<unsigned char> pixels = window_->pixels(width, height);
    const size_t at =
        3 * (static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x));
    return {pixels[at], pixels[at + 1], pixels[at + 2]};
  }

  // The pixel in the middle of a cell of the heatmap.
  Colour cell(int row, int column) {
    const Json now = state();
    const Json& map = now["shown"]["places"]["heatmap"];
    const double columns = now["settings"]["pe_d_model"], rows = now["settings"]["pe_positions"];
    return pixel(map["x"].get<double>() + (column + 0.5) / columns * map["width"].get<double>(),
                 map["y"].get<double>() + (row + 0.5) / rows * map["height"].get<double>());
  }

  std::unique_ptr<NativeWindow> window_;
};

Colour expected(const Palette& palette, int position, int dimension, int d_model, double base) {
  const double value = sinusoidal_position(position, dimension, d_model, base);
  return interpolate_colours(palette.map_signed)[static_cast<size_t>((value + 1) / 2 * 255 + 0.5)];
}

int distance(Colour a, Colour b) {
  return std::max({std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b)});
}

TEST_F(Window, HeatmapShowsTheValuesInBothThemes) {
  set("pe_positions", "24");
  set("pe_d_model", "16");
  for (const auto& [theme, palette] : {std::pair{"dark", kDarkPalette}, {"light", kLightPalette}}) {
    set("theme", theme);
    for (int row = 0; row < 24; row += 5) {
      for (int column = 0; column < 16; column += 3) {
        EXPECT_LE(distance(cell(row, column), expected(palette, row, column, 16, 10000)), 3)
            << theme << " " << row << "," << column;
      }
    }
  }
}

TEST_F(Window, ASettingChangesStateAndPicture) {
  set("theme", "dark");
  const Colour before = cell(20, 31);
  set("pe_base", "30");
  EXPECT_EQ(state()["settings"]["pe_base"], 30.0);
  EXPECT_GT(distance(before, cell(20, 31)), 20);
  EXPECT_LE(distance(cell(20, 31), expected(kDarkPalette, 20, 31, 128, 30)), 3);
}

TEST_F(Window, KoreanIsShownOnceItsFontIsThere) {
  set("language", "ko");
  const Json now = state();
  EXPECT_EQ(now["language"], "ko");
  bool found = false;
  for (const Json& text : now["shown"]["texts"]) found |= text["text"] == "모든 위치의 인코딩";
  EXPECT_TRUE(found);
}

// Sentences of the engine are in no table of texts: they get their syllables when they are drawn.
TEST_F(Window, WhatTheEngineSaysInKoreanIsDrawnWhole) {
  app().surroundings.reduced_motion = true;  // nothing plays
  set("language", "ko");
  set("panel", "try");
  window_->begin();
  std::vector<std::string> said;
  const auto expect_drawn = [&](const std::string& sentence, const std::string& about) {
    bool found = false;
    const Json now = state();
    for (const Json& text : now["shown"]["texts"]) found |= text["text"] == sentence;
    EXPECT_TRUE(found) << about << ": " << sentence;
    said.push_back(sentence);
  };
  for (const auto& [task, input] : {std::pair{"translate", "나는 달에 간다"},
                                    {"reverse", "뷁"},
                                    {"add", "열"},
                                    {"date", "어느 날"},
                                    {"balance", "x"},
                                    {"forecast", "값"},
                                    {"shapes", "무엇"}}) {
    set("task", task);
    set("try_input", input);
    Json problem;
    for (int i = 0; i < 200 && problem.is_null(); ++i) {
      window_->settle();
      problem = state()["shown"]["readouts"].value("try_problem", Json());
    }
    ASSERT_TRUE(problem.is_string()) << task << " " << input;
    expect_drawn(problem, task);
    set("try_input", "");
  }
  for (const std::size_t size : {0u, 4u, 20u}) {
    ASSERT_TRUE(app().command(R"({"type":"close_notices"})").ok());
    app().load_file("broken.safetensors", std::vector<std::byte>(size, std::byte{65}));
    window_->settle();
    const Json notices = state()["notices"];
    ASSERT_FALSE(notices.empty()) << size;
    expect_drawn(notices.back(), "a broken file");
  }
  set("panel", "attention");
  set("task", "reverse");
  set("heads", "3");
  window_->settle();
  ASSERT_TRUE(app().run().now().estimate.has_value());
  expect_drawn(in_language(app().run().now().estimate->problem, Language::kKorean), "an estimate");
  std::ranges::sort(said);
  const auto again = std::ranges::unique(said);
  said.erase(again.begin(), again.end());
  EXPECT_GE(said.size(), 8u);
}

// 256 signs or thirty numbers are no example for anybody: the story draws it before its sentence.
TEST_F(Window, TheStoryDrawsAPictureAndAPrice) {
  app().surroundings.reduced_motion = true;  // nothing plays
  window_->begin();
  for (const char* task : {"shapes", "forecast", "reverse"}) {
    set("task", task);
    const bool drawn = task != std::string("reverse");
    Json now;
    for (int i = 0; i < 500; ++i) {
      window_->settle();
      now = state();
      if (now["task"] == task && now["shown"]["places"].contains("story_drawing") == drawn) break;
    }
    EXPECT_EQ(now["shown"]["places"].contains("story_drawing"), drawn) << task;
    for (const Json& text : now["shown"]["texts"]) {
      EXPECT_EQ(text["text"].get<std::string>().find("...."), std::string::npos) << text["text"];
    }
  }
}

TEST_F(Window, BadCommandsSayWhyAndChangeNothing) {
  window_->settle();
  const Json before = state()["settings"];
  for (const char* json :
       {"", "nonsense", "[]", "{}", R"({"type":"set"})", R"({"type":"set","name":"pe_base"})",
        R"({"type":"set","name":"pe_base","value":null})",
        R"({"type":"set","name":"pe_base","value":{}})",
        R"({"type":"set","name":"pe_base","value":-3})", R"({"type":"set","name":7,"value":7})",
        R"({"type":"set","name":"nothing","value":7})",
        R"({"type":"point","map":"heatmap","row":1e99,"column":0})",
        R"({"type":"point","map":"heatmap","row":100,"column":0})",
        R"({"type":"point","map":"elsewhere","row":1,"column":0})", R"({"type":7})"}) {
    const Status status = app().command(json);
    ASSERT_FALSE(status.ok()) << json;
    EXPECT_GT(status.error().message.size(), 20u) << json;
  }
  EXPECT_EQ(state()["settings"], before);
}

// What a DOM button does: it names the one that it stands for.
TEST_F(Window, AButtonIsPressedByItsName) {
  app().surroundings.reduced_motion = true;  // nothing plays
  set("panel", "curves");
  EXPECT_FALSE(app().press("step").ok());  // there is no run yet, and it is dim
  window_->begin();
  window_->settle();
  ASSERT_TRUE(app().press("step").ok());
  for (int i = 0; i < 200 && state()["step"] != 1; ++i) window_->settle();
  EXPECT_EQ(state()["step"], 1);
  EXPECT_FALSE(app().press("later").ok());
  for (const char* name : {"", "fly", "theme", "play"}) {
    const Status status = app().press(name);
    ASSERT_FALSE(status.ok()) << name;
    EXPECT_EQ(status.error().message, "This command is not understood: " + std::string(name));
  }
}

TEST_F(Window, KeysAreThoseOfTheTable) {
  app().surroundings.reduced_motion = true;
  set("panel", "attention");
  window_->begin();
  window_->settle();
  EXPECT_TRUE(app().key("s"));
  for (int i = 0; i < 200 && state()["step"] != 1; ++i) window_->settle();
  EXPECT_TRUE(app().key("S"));
  for (int i = 0; i < 200 && state()["step"] != 2; ++i) window_->settle();
  EXPECT_EQ(state()["step"], 2);
  const std::string pace = state()["settings"]["pace"];
  EXPECT_TRUE(app().key("="));
  EXPECT_NE(state()["settings"]["pace"], pace);
  EXPECT_TRUE(app().key("-"));
  EXPECT_EQ(state()["settings"]["pace"], pace);
  EXPECT_TRUE(app().key("2"));
  EXPECT_EQ(state()["panel"], "inside");
  EXPECT_TRUE(app().key("3"));
  EXPECT_EQ(state()["panel"], "curves");
  EXPECT_TRUE(app().key("1"));
  EXPECT_EQ(state()["panel"], "attention");
  EXPECT_TRUE(app().key("6"));
  EXPECT_EQ(state()["panel"], "setup");
  for (const char* none : {"7", "0", "x", "", "Escape", "ArrowUp"}) {
    EXPECT_FALSE(app().key(none)) << none;
  }
  EXPECT_TRUE(app().key(" "));
  for (int i = 0; i < 200 && state()["running"] != true; ++i) window_->settle();
  EXPECT_EQ(state()["running"], true);
  EXPECT_TRUE(app().key(" "));
  for (int i = 0; i < 200 && state()["running"] != false; ++i) window_->settle();
  EXPECT_EQ(state()["running"], false);
}

TEST_F(Window, AFlagThatIsNoneGetsASentence) {
  for (const auto& [language, rest] :
       {std::pair{"en", "\"banana\" is neither true nor false; it stays at false."},
        {"ko",
         "\"banana\" 값은 쓸 수 없습니다. true나 false를 쓰세요. 현재 값 false 그대로 둡니다."}}) {
    set("language", language);
    const Status status = app().set("embed", "banana");
    ASSERT_FALSE(status.ok());
    EXPECT_TRUE(status.error().message.ends_with(rest)) << status.error().message;
  }
}

// The task that is chosen and the one that runs are the same, whatever is loaded.
TEST_F(Window, OnlyWhatCanRunChangesTheTask) {
  window_->begin();
  window_->settle();
  const Json before = state();
  const auto load = [&](const char* name, std::string_view content) {
    app().command(R"({"type":"close_notices"})").ok();
    const auto* first = reinterpret_cast<const std::byte*>(content.data());
    app().load_file(name, {first, first + content.size()});
    window_->settle();
  };
  const auto unchanged = [&](const char* what) {
    const Json now = state();
    EXPECT_EQ(now["settings"], before["settings"]) << what;
    EXPECT_EQ(now["task"], before["task"]) << what;
    EXPECT_EQ(now["run"], before["run"]) << what;
    EXPECT_EQ(now["notices"].size(), 1u) << what;
    return now["notices"].empty() ? std::string() : now["notices"][0].get<std::string>();
  };
  using std::string_view_literals::operator""sv;
  for (const std::string_view content :
       {"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"sv, ""sv, " \n\n"sv, "a\tb\n\0\1\2"sv, "\xff\xfez\0"sv}) {
    load("a.txt", content);
    EXPECT_NE(unchanged("a file of another kind").find(".safetensors"), std::string::npos);
  }
  load("a.json", "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}\n");
  EXPECT_NE(unchanged("no tab").find("ine 2 has no tab, and 3 more"), std::string::npos);
  app().command(R"({"type":"close_notices"})").ok();
  // Without lines of one's own there are some to try it with.
  set("task", "pairs");
  EXPECT_EQ(state()["task"], "pairs");
  EXPECT_TRUE(state()["notices"].empty());
  EXPECT_TRUE(state()["shown"]["places"].contains("edit_lines"));

  std::string lines;
  for (int i = 0; i < 12; ++i) lines += std::to_string(i) + "\tn " + std::to_string(i) + "\n";
  load("lines", lines);
  EXPECT_EQ(state()["task"], "pairs");
  EXPECT_EQ(state()["settings"]["task"], "pairs");
  EXPECT_TRUE(state()["notices"].empty());
  // The lines stay for their task, and are for no other one.
  set("task", "text");
  EXPECT_EQ(state()["task"], "text");
  set("task", "pairs");
  EXPECT_EQ(state()["task"], "pairs");
  // Prose is for the task that continues a text, whatever runs.
  set("task", "reverse");
  std::string prose;
  for (int i = 0; i < 300; ++i) prose += "Sentence " + std::to_string(i * i) + " of a story. ";
  load("story.txt", prose);
  EXPECT_EQ(state()["task"], "text");
  EXPECT_TRUE(state()["notices"].empty()) << state()["notices"];
}

TEST_F(Window, TheSpeedHasTheNameOfItsLabelToo) {
  set("speed", "max");
  EXPECT_EQ(state()["settings"]["pace"], "max");
}

TEST_F(Window, PointingAtACellWorksOutItsFormula) {
  window_->settle();
  ASSERT_TRUE(app().command(R"({"type":"point","map":"heatmap","row":3,"column":1})").ok());
  window_->settle();
  const std::string cell_text = state()["shown"]["readouts"]["cell"];
  EXPECT_NE(cell_text.find("PE(3, 1) = cos(3 / 10,000^(0/128)) = cos(3.0000) = −0.9900"),
            std::string::npos)
      << cell_text;
}

TEST_F(Window, AnEmbedHasItsSpeedAtAnyWidthAndTheSentenceOfItsAuthor) {
  open(320, 700);
  set("embed", "true");
  set("panel", "attention");
  set("caption", "Watch the line appear. 선이 나타납니다.");
  window_->settle();
  const Json now = state(), places = now["shown"]["places"];
  ASSERT_TRUE(places.contains("pace"));
  EXPECT_FALSE(places.contains("bottom_bar"));
  double below = 0;
  for (const Json& text : now["shown"]["texts"]) {
    if (text["text"] == "Watch the line appear. 선이 나타납니다.") below = text["y"];
  }
  EXPECT_GT(below, places["pace"]["y"].get<double>());
  // With the figures of a run, each with its whole word.
  app().surroundings.reduced_motion = true;
  window_->begin();
  window_->settle();
  bool whole = false;
  const Json begun = state();
  for (const Json& text : begun["shown"]["texts"]) whole |= text["text"] == "loss";
  EXPECT_TRUE(whole) << begun["shown"]["texts"];
}

TEST_F(Window, AnEmbedWantsTheSameHeightInEveryFrame) {
  std::vector<double> wanted;
  for (const int height : {300, 700, 1200}) {
    open(600, height);
    set("embed", "true");
    set("panel", "attention");
    wanted.push_back(state()["shown"]["wanted_height"]);
  }
  EXPECT_GT(wanted[0], 300);
  EXPECT_LT(wanted[0], 1200);
  EXPECT_EQ(wanted[0], wanted[1]);
  EXPECT_EQ(wanted[1], wanted[2]);
}

// A narrow page keeps what does not fit in a menu, which the DOM and the keyboard reach too.
TEST_F(Window, TheMenuHoldsTheRestOfTheHeader) {
  for (const int width : {600, 390}) {
    window_.reset();
    window_ = std::make_unique<NativeWindow>(width, 800, TP_FONT_FOLDER, false);
    ASSERT_TRUE(window_->ok()) << window_->error();
    window_->settle();
    const auto action = [&](const std::string& name) {
      const Json mirror = Json::parse(app().mirror_json());
      for (const Json& one : mirror["actions"]) {
        if (one["name"] == name) return one;
      }
      return Json();
    };
    const auto is_open = [&] { return state()["shown"]["places"].contains("theme"); };
    const auto press = [&](const Json& one) {
      ASSERT_TRUE(one.is_object());
      ASSERT_TRUE(app().press(one["name"].get<std::string>()).ok());
      window_->settle();
    };
    EXPECT_EQ(action("menu").value("label", ""), "Menu");
    EXPECT_FALSE(is_open());
    press(action("menu"));
    EXPECT_TRUE(is_open());
    for (const char* name : {"preset", "pace", "text_size", "language", "theme", "keys"}) {
      EXPECT_TRUE(state()["shown"]["places"].contains(name)) << width << " " << name;
    }
    EXPECT_NE(state()["shown"]["readouts"]["progress"].get<std::string>().find("a second"),
              std::string::npos);
    EXPECT_TRUE(app().key("Escape"));
    window_->settle();
    EXPECT_FALSE(is_open());
    EXPECT_FALSE(app().key("Escape"));
    press(action("menu"));
    press(action("keys"));
    EXPECT_TRUE(state()["shown"]["places"].contains("close_keys"));
    EXPECT_TRUE(app().key("Escape"));
    window_->settle();
    EXPECT_FALSE(state()["shown"]["places"].contains("close_keys"));
  }
}

TEST_F(Window, TheKeySheetNamesBothKeysOfAPair) {
  ASSERT_TRUE(app().command(R"({"type":"keys"})").ok());
  window_->settle();
  const std::string keys = state()["shown"]["readouts"]["keys"];
  EXPECT_NE(keys.find("−  +: Slower, faster; ←  →: Earlier, later moment; B: Back to the parent "
                      "branch; 1 – 6"),
            std::string::npos)
      << keys;
  int found = 0;
  const Json now = state();
  for (const Json& text : now["shown"]["texts"]) {
    found += text["text"] == "←  →" || text["text"] == "1 – 6";
  }
  EXPECT_EQ(found, 2);
}

TEST_F(Window, OneChangeWaitsAndTwoChangesWait) {
  app().surroundings.reduced_motion = true;
  window_->begin();
  set("panel", "attention");
  const auto is_drawn = [&](const char* sentence) {
    const Json now = state();
    return std::ranges::any_of(now["shown"]["texts"],
                               [&](const Json& text) { return text["text"] == sentence; });
  };
  set("heads", "4");
  EXPECT_TRUE(is_drawn("1 change waits for a restart"));
  set("encoder_layers", "2");
  EXPECT_TRUE(is_drawn("2 changes wait for a restart"));
}

TEST_F(Window, TheSlowestSpeedIsNamedSlowMotion) {
  window_->settle();
  const Json mirror = Json::parse(app().mirror_json());
  for (const Json& control : mirror["controls"]) {
    if (control["name"] != "pace") continue;
    EXPECT_EQ(control["choices"][0]["label"], "1 (Slow motion)");
    EXPECT_EQ(control["choices"][1]["label"], "5");
  }
}

TEST_F(Window, LostGraphicsComeBack) {
  set("theme", "light");
  const Colour before = cell(40, 20);
  app().graphics_lost();
  ASSERT_TRUE(app().create_graphics());
  window_->settle();
  EXPECT_EQ(before, cell(40, 20));
}

// What a link asks for, and what is run where that cannot be.
TEST_F(Window, ALinkThatCannotBeRunSaysWhyAndThereIsARun) {
  struct Link {
    std::vector<std::pair<const char*, const char*>> settings;
    const char* reason;
    const char* task;
    const char* query;
  };
  const Link links[] = {
      {{{"heads", "3"}}, "heads", "reverse", ""},
      {{{"d_model", "4096"}, {"encoder_layers", "64"}}, "MB", "reverse", ""},
      {{{"min_length", "20"}, {"max_length", "5"}}, "length", "reverse", ""},
      {{{"task", "sort"}, {"heads", "5"}}, "heads", "sort", "task=sort&preset=default"},
      {{{"task", "forecast"}, {"days", "10"}}, "days", "forecast", "task=forecast&preset=default"},
  };
  for (const Link& link : links) {
    window_.reset();
    window_ = std::make_unique<NativeWindow>(1280, 800, TP_FONT_FOLDER, false);
    app().surroundings.reduced_motion = true;  // it waits
    for (const auto& [name, value] : link.settings) app().apply(name, value);
    window_->begin();
    window_->settle();
    const Json now = state();
    EXPECT_EQ(now["state"], "paused") << now["error"];
    EXPECT_EQ(now["task"], link.task);
    EXPECT_EQ(now["waiting"], Json::array());
    EXPECT_EQ(app().query(), link.query);
    ASSERT_EQ(now["notices"].size(), 1u) << now["notices"];
    EXPECT_NE(now["error"].get<std::string>().find(link.reason), std::string::npos) << now["error"];
  }
}

TEST_F(Window, APresetOfAnotherTaskThanTheLinkNamesIsLeftOut) {
  app().apply("task", "sort");
  app().apply("preset", "first-look");
  app().surroundings.reduced_motion = true;
  window_->begin();
  window_->settle();
  const Json now = state();
  EXPECT_EQ(now["task"], "sort");
  EXPECT_EQ(now["preset"], "default");
  ASSERT_EQ(now["notices"].size(), 1u);
  EXPECT_EQ(now["error"],
            "The preset first-look is for the task reverse: choose that task or another preset.");
}

TEST_F(Window, SettingsThatAreRefusedLeaveTheRunAsItIs) {
  app().surroundings.reduced_motion = true;
  window_->begin();
  window_->settle();
  const Json before = state();
  set("heads", "3");
  ASSERT_TRUE(app().command(R"({"type":"reset"})").ok());
  window_->settle();
  const Json now = state();
  EXPECT_EQ(now["run"], before["run"]);
  EXPECT_EQ(now["task"], "reverse");
  EXPECT_EQ(now["preset"], "first-look");
  EXPECT_EQ(now["total_steps"], before["total_steps"]);
  EXPECT_EQ(now["settings"]["heads"], 3) << "what was edited stays";
  EXPECT_EQ(now["waiting"], Json::array({"heads"}));
  EXPECT_EQ(now["settings"]["task"], "reverse");
  EXPECT_EQ(now["settings"]["learning_rate"], before["settings"]["learning_rate"]);
  EXPECT_EQ(now["notices"].size(), 1u) << now["notices"];
}

TEST_F(Window, WhatStoppedTheRunIsSaidUntilItGoesOn) {
  const auto go = [&](const char* json, auto&& there) {
    ASSERT_TRUE(app().command(json).ok()) << json;
    for (int i = 0; i < 1000 && !there(state()); ++i) window_->settle();
    EXPECT_TRUE(there(state())) << json << " " << state()["state"] << " " << state()["step"];
  };
  app().surroundings.reduced_motion = true;  // it waits
  set("pace", "max");
  window_->begin();
  const char* const step = R"({"type":"step"})";
  for (int i = 1; i <= 3; ++i) go(step, [&](const Json& now) { return now["step"] == i; });
  set("clip", "0");
  set("learning_rate", "1000");
  const auto failed = [](const Json& now) { return now["state"] == "failed"; };
  go(R"({"type":"play"})", failed);
  ASSERT_EQ(state()["notices"].size(), 1u);
  EXPECT_NE(state()["error"].get<std::string>().find("loss"), std::string::npos);
  const int exploded = state()["step"];
  go(R"({"type":"play"})", [&](const Json& now) { return failed(now) && now["step"] != exploded; });
  EXPECT_EQ(state()["step"], exploded + 1);
  EXPECT_EQ(state()["notices"].size(), 1u) << state()["notices"];
  go(R"({"type":"rewind","step":0})", [](const Json& now) { return now["step"] == 0; });
  EXPECT_EQ(state()["error"], nullptr);
  set("learning_rate", "0.002");
  go(step, [](const Json& now) { return now["step"] == 1; });
  EXPECT_EQ(state()["notices"], Json::array());
}

TEST_F(Window, TheQueryHoldsWhatDiffers) {
  EXPECT_EQ(app().query(), "");
  set("pe_d_model", "64");
  set("pe_sentence", "나 & you");
  EXPECT_EQ(app().query(), "pe-d-model=64&pe-sentence=%EB%82%98+%26+you");
  ASSERT_TRUE(app().command(R"({"type":"reset_positions"})").ok());
  EXPECT_EQ(app().query(), "");
}

}  // namespace
}  // namespace tp::ui
