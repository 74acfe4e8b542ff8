// The native app in a real window: needs a display (CTest runs it under Xvfb).

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "engine/layers/positions.h"
#include "imgui_app/platform/native_window.h"

namespace tp {
namespace {

using Json = nlohmann::json;

class Window : public testing::Test {
 protected:
  void SetUp() override {
    window_ = std::make_unique<NativeWindow>(1280, 800, TP_FONT_FOLDER, false);
    ASSERT_TRUE(window_->ok()) << window_->error();
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
  const Status chosen = app().set("task", "pairs");
  ASSERT_FALSE(chosen.ok());
  app().notice(chosen.error().message);
  EXPECT_NE(unchanged("no lines").find("load, drop or paste"), std::string::npos);

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

TEST_F(Window, LostGraphicsComeBack) {
  set("theme", "light");
  const Colour before = cell(40, 20);
  app().graphics_lost();
  ASSERT_TRUE(app().create_graphics());
  window_->settle();
  EXPECT_EQ(before, cell(40, 20));
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
}  // namespace tp
