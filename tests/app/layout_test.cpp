// Where things are in unusual states: changes that wait, errors, notices, slow motion. Needs a
// display (CTest runs it under Xvfb).

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "imgui_app/platform/native_window.h"

namespace tp::ui {
namespace {

using Json = nlohmann::json;

struct Size {
  int width, height;
};
constexpr Size kSizes[] = {{1280, 800}, {1100, 700}, {600, 800}, {390, 844}, {320, 640}};

class Layout : public testing::Test {
 protected:
  void open(Size size) {
    window_.reset();
    window_ = std::make_unique<NativeWindow>(size.width, size.height, TP_FONT_FOLDER, false);
    ASSERT_TRUE(window_->ok()) << window_->error();
    app().surroundings.reduced_motion = true;  // nothing plays by itself
    window_->begin();
    window_->settle();
    about_ = std::to_string(size.width) + " wide";
  }
  App& app() { return window_->app(); }
  Json state() { return Json::parse(app().state_json(), nullptr, false); }
  void set(const char* name, const char* value) {
    const Status status = app().set(name, value);
    ASSERT_TRUE(status.ok()) << (status.ok() ? "" : status.error().message);
    window_->settle();
  }
  void settle_twice() {
    app().surroundings_changed();
    window_->settle();
    window_->settle();
  }

  static bool inside(const Json& part, const Json& whole) {
    const auto end = [](const Json& rect, const char* from, const char* size) {
      return rect[from].get<double>() + rect[size].get<double>();
    };
    return part["x"].get<double>() >= whole["x"].get<double>() - 1 &&
           part["y"].get<double>() >= whole["y"].get<double>() - 1 &&
           end(part, "x", "width") <= end(whole, "x", "width") + 1 &&
           end(part, "y", "height") <= end(whole, "y", "height") + 1;
  }

  // Every control of the settings and every button about them.
  void expect_setup_whole(const std::string& about) {
    const Json now = state();
    const Json& places = now["shown"]["places"];
    ASSERT_TRUE(places.contains("setup")) << about;
    const Json& setup = places["setup"];
    EXPECT_LE(setup["y"].get<double>() + setup["height"].get<double>(),
              now["shown"]["content_height"].get<double>())
        << about;
    std::set<std::string> names = {"restart",   "save",         "load",
                                   "copy_link", "all_settings", "reset_settings"};
    const Json mirror = Json::parse(app().mirror_json());
    for (const Json& control : mirror["controls"]) {
      const std::string name = control["name"];
      if (control.contains("hidden") && name != "task" && name != "preset") {
        names.insert(name), names.insert("reset_" + name);
      }
    }
    int found = 0;
    for (const auto& [name, place] : places.items()) {
      if (!names.contains(name)) continue;
      ++found;
      EXPECT_TRUE(inside(place, setup)) << about << ": " << name << " " << place << " " << setup;
    }
    EXPECT_GE(found, 8) << about;
    for (const Json& text : now["shown"]["texts"]) {
      EXPECT_EQ(text["text"].get<std::string>().find("max_length"), std::string::npos) << about;
    }
  }

  // Places of what must not move.
  Json standing() {
    Json places = state()["shown"]["places"];
    for (const char* name : {"slow_motion", "notice_0", "notice_1", "notice_2", "close_notice_0",
                             "close_notice_1", "close_notice_2"}) {
      places.erase(name);
    }
    return places;
  }

  std::unique_ptr<NativeWindow> window_;
  std::string about_;
};

TEST_F(Layout, SetupHoldsAllOfItsControlsWhileChangesWait) {
  for (const Size size : kSizes) {
    open(size);
    for (const char* language : {"en", "ko"}) {
      set("language", language);
      for (const char* text_size : {"100", "200"}) {
        set("text_size", text_size);
        for (const bool touch : {false, true}) {
          app().surroundings.touch = touch;
          settle_twice();
          // Three changes wait; then none of them can be run.
          set("encoder_layers", "3");
          set("positions", "rotary");
          set("batch", "65");
          for (const char* heads : {"4", "3"}) {
            set("heads", heads);
            for (const char* panel : {"attention", "setup"}) {
              set("panel", panel);
              settle_twice();
              const bool side = state()["shown"]["places"].contains("setup");
              if (!side && std::string_view(panel) != "setup") continue;
              expect_setup_whole(about_ + " " + language + " " + text_size + "% " +
                                 (touch ? "touch " : "") + panel + " heads " + heads);
            }
          }
        }
      }
    }
  }
}

TEST_F(Layout, WhatIsWrongIsSaidInTheWordsOfTheLabels) {
  open({1280, 800});
  set("panel", "setup");
  set("min_length", "20");
  settle_twice();
  const auto drawn = [&](const char* words) {
    const Json now = state();
    return std::ranges::any_of(now["shown"]["texts"], [&](const Json& text) {
      return text["text"].get<std::string>().find(words) != std::string::npos;
    });
  };
  EXPECT_TRUE(drawn("\"Shortest sequence\" 20 is above \"Sequence length\" 10"));
  EXPECT_FALSE(drawn("max_length"));
}

TEST_F(Layout, SettingsThatDoNothingAreNotShown) {
  open({1280, 800});
  set("panel", "setup");
  const auto shown = [&](const char* name) { return state()["shown"]["places"].contains(name); };
  EXPECT_TRUE(shown("decoder_layers"));
  EXPECT_FALSE(shown("architecture"));
  EXPECT_FALSE(shown("pooling"));
  EXPECT_FALSE(shown("reach"));
  set("sparsity", "local");
  EXPECT_TRUE(shown("reach"));
  set("task", "balance");
  settle_twice();
  EXPECT_FALSE(shown("decoder_layers"));
  EXPECT_FALSE(shown("tying"));
  EXPECT_TRUE(shown("pooling"));
  set("task", "text");
  settle_twice();
  EXPECT_FALSE(shown("encoder_layers"));
}

TEST_F(Layout, NoticesFloatAtTheLowerLeft) {
  for (const Size size : kSizes) {
    open(size);
    settle_twice();
    const Json before = standing();
    app().notice("One thing is wrong with what was just typed, and it is explained at length.");
    app().notice("Another.");
    app().notice("Saved.", NoticeTone::kGood);
    settle_twice();
    EXPECT_EQ(standing(), before) << about_;
    const Json now = state();
    EXPECT_EQ(now["notices"].size(), 3u);
    EXPECT_EQ(now["error"], "Another.");
    const Json& places = now["shown"]["places"];
    EXPECT_FALSE(places.contains("notice_0")) << "at most two";
    double lowest = size.height;
    if (places.contains("bottom_bar")) lowest = places["bottom_bar"]["y"].get<double>();
    for (const char* name : {"notice_1", "notice_2"}) {
      ASSERT_TRUE(places.contains(name)) << about_;
      EXPECT_LE(places[name]["x"].get<double>(), 16) << about_;
      EXPECT_LE(places[name]["y"].get<double>() + places[name]["height"].get<double>(), lowest);
      EXPECT_GE(places[name]["y"].get<double>(), lowest / 2) << about_;
    }
    EXPECT_TRUE(inside(places["close_notice_1"], places["notice_1"])) << about_;
  }
}

TEST_F(Layout, SlowMotionMovesNothing) {
  for (const Size size : kSizes) {
    open(size);
    settle_twice();
    const Json before = standing();
    set("pace", "1");
    settle_twice();
    EXPECT_TRUE(state()["shown"]["places"].contains("slow_motion"));
    EXPECT_EQ(standing(), before) << about_;
  }
}

TEST_F(Layout, SlowMotionHasTheCrossAttentionInsideTheDecoder) {
  open({1280, 800});
  set("pace", "1");
  settle_twice();
  const Json now = state();
  const auto x_of = [&](std::string_view words) {
    for (const Json& text : now["shown"]["texts"]) {
      if (text["text"] == words) return text["x"].get<double>();
    }
    return -1.0;
  };
  EXPECT_LT(x_of("encoder"), x_of("decoder"));
  EXPECT_LT(x_of("decoder"), x_of("cross-attention"));
  EXPECT_LT(x_of("cross-attention"), x_of("output"));
  EXPECT_GT(x_of("forward"), 0) << "what the colours mean";
  EXPECT_GT(x_of("backward"), x_of("forward"));
}

TEST_F(Layout, TabsAreAllOfOneSizeAndWhole) {
  for (const Size size : kSizes) {
    open(size);
    for (const char* language : {"en", "ko"}) {
      set("language", language);
      const Json mirror = Json::parse(app().mirror_json());
      const Json now = state();
      std::set<std::pair<double, double>> rows;
      std::size_t found = 0;
      for (const Json& control : mirror["controls"]) {
        if (control["name"] != "panel") continue;
        for (const Json& choice : control["choices"]) {
          for (const Json& text : now["shown"]["texts"]) {
            if (text["text"] != choice["label"] || !inside(text, choice["rect"])) continue;
            rows.emplace(text["y"].get<double>(), text["height"].get<double>());
            ++found;
          }
        }
      }
      EXPECT_EQ(found, static_cast<std::size_t>(kPanels)) << about_ << " " << language;
      EXPECT_EQ(rows.size(), 1u) << about_ << " " << language;
    }
  }
}

TEST_F(Layout, AttentionCanBeSavedWithTwoLayers) {
  open({1280, 800});
  set("encoder_layers", "2");
  set("decoder_layers", "2");
  ASSERT_TRUE(app().command(R"({"type":"reset"})").ok());
  window_->settle();
  settle_twice();
  const Json places = state()["shown"]["places"];
  EXPECT_TRUE(places.contains("attention_targets"));
  EXPECT_TRUE(places.contains("attention_png"));
}

}  // namespace
}  // namespace tp::ui
