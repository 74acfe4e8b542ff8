#include "imgui_app/model/ui_command.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "tests/subjects/command_text.h"

namespace tp::ui {
namespace {

// A value that is not the default one, for every argument.
class Filling : public ArgumentVisitor {
 public:
  void whole(std::string_view, int& value, Need) override { value = 7; }
  void number(std::string_view, double& value) override { value = 0.25; }
  void text(std::string_view, std::string& value) override { value = "a \"quoted\" 낱말"; }
  void settings(SettingValues& values) override { values = {{"theme", "dark"}}; }
};

// {type: "rewind", branch?, step}: as the documentation writes it.
class Describing : public ArgumentVisitor {
 public:
  std::string text_;
  void whole(std::string_view name, int&, Need need) override {
    add(name, need == Need::kOptional ? "?" : "");
  }
  void number(std::string_view name, double&) override { add(name); }
  void text(std::string_view name, std::string&) override { add(name); }
  void settings(SettingValues&) override {
    add("name");
    add("value");
  }

 private:
  void add(std::string_view name, std::string_view mark = "") {
    text_ += ", " + std::string(name) + std::string(mark);
  }
};

std::string documented(std::size_t row) {
  Describing arguments;
  UiCommand command = make_command(row);
  visit_arguments(command, arguments);
  const UiCommandRow& of = kUiCommands[row];
  std::string key(of.keys[0] == " " ? "Space" : of.keys[0]);
  if (of.name == "show_panel") key = "1 to 9";
  return "| `{type: \"" + std::string(of.name) + "\"" + arguments.text_ + "}` | " +
         (key.empty() ? "" : "`" + key + "` ") + "| " + std::string(of.help) + " |";
}

TEST(UiCommand, EveryCommandSurvivesJson) {
  for (std::size_t row = 0; row < kUiCommands.size(); ++row) {
    UiCommand command = make_command(row);
    Filling filling;
    visit_arguments(command, filling);
    const std::string json = as_json(command);
    const std::optional<UiCommand> read = read_command(json);
    ASSERT_TRUE(read.has_value()) << json;
    EXPECT_EQ(*read, command) << json;
  }
}

TEST(UiCommand, NamesBelongToTheirStructs) {
  using namespace ui_command;
  const auto name = [](const UiCommand& command) { return kUiCommands[command.index()].name; };
  EXPECT_EQ(name(Play{}), "play");
  EXPECT_EQ(name(Pause{}), "pause");
  EXPECT_EQ(name(NewSeed{}), "new_seed");
  EXPECT_EQ(name(Slower{}), "slower");
  EXPECT_EQ(name(Later{}), "later");
  EXPECT_EQ(name(ShowPanel{}), "show_panel");
  EXPECT_EQ(name(Tour{}), "tour");
  EXPECT_EQ(name(Escape{}), "escape");
  EXPECT_EQ(name(Set{}), "set");
  EXPECT_EQ(name(ResetPositions{}), "reset_positions");
  EXPECT_EQ(name(Rewind{}), "rewind");
  EXPECT_EQ(name(TypeWord{}), "type_word");
  EXPECT_EQ(name(Roll{}), "roll");
  EXPECT_EQ(name(Point{}), "point");
  EXPECT_EQ(name(ZoomCurves{}), "zoom_curves");
  EXPECT_EQ(name(ForgetGhosts{}), "forget_ghosts");
  EXPECT_EQ(name(CopyLink{}), "copy_link");
  EXPECT_EQ(name(DownloadPng{}), "download_png");
  EXPECT_EQ(name(Menu{}), "menu");
  EXPECT_EQ(name(CloseNotice{}), "close_notice");
  EXPECT_EQ(name(Remedy{}), "remedy");
  EXPECT_EQ(name(Next{}), "next");
  EXPECT_EQ(name(Predict{}), "predict");
  EXPECT_EQ(name(DiscardKept{}), "discard_kept");
  EXPECT_EQ(name(OpenFullPage{}), "open_full_page");
}

TEST(UiCommand, WhatIsNoCommandIsNone) {
  for (const char* json : {"",
                           "nonsense",
                           "[]",
                           "{}",
                           "null",
                           "7",
                           R"({"type":7})",
                           R"({"type":"fly"})",
                           R"({"type":"set"})",
                           R"({"type":"set","name":"theme"})",
                           R"({"type":"set","value":1})",
                           R"({"type":"set","name":7,"value":7})",
                           R"({"type":"set","name":"theme","value":[]})",
                           R"({"type":"set","name":"theme","value":null})",
                           R"({"type":"set","values":{}})",
                           R"({"type":"set","values":[1]})",
                           R"({"type":"set","values":{"theme":{}}})",
                           R"({"type":"rewind"})",
                           R"({"type":"rewind","step":-1})",
                           R"({"type":"rewind","step":1.5})",
                           R"({"type":"rewind","step":1e99})",
                           R"({"type":"rewind","step":99999999999999999999})",
                           R"({"type":"rewind","branch":"x","step":1})",
                           R"({"type":"point","row":1})",
                           R"({"type":"point","map":"heatmap","row":1e99,"column":0})",
                           R"({"type":"zoom_curves","factor":"2"})",
                           R"({"type":"zoom_curves"})",
                           R"({"type":"try"})",
                           R"({"type":"close_notice","index":-1})",
                           R"({"type":"download_png","place":3})"}) {
    EXPECT_FALSE(read_command(json).has_value()) << json;
  }
}

TEST(UiCommand, OneSettingOrSeveral) {
  EXPECT_EQ(read_command(R"({"type":"set","name":"pe_base","value":64})"),
            UiCommand(ui_command::set("pe_base", "64")));
  EXPECT_EQ(read_command(R"({"type":"set","values":{"embed":true,"theme":"dark"}})"),
            UiCommand(ui_command::Set{{{"embed", "true"}, {"theme", "dark"}}}));
  EXPECT_EQ(read_command(R"({"type":"rewind","step":3})"), UiCommand(ui_command::Rewind{-1, 3}));
}

TEST(UiCommand, AKeyIsSharedOnlyByPlayAndPause) {
  std::set<std::string_view> names, keys;
  for (const UiCommandRow& row : kUiCommands) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.help.empty()) << row.name;
    for (const std::string_view key : row.keys) {
      if (key.empty() || row.name == "pause") continue;
      EXPECT_TRUE(keys.insert(key).second) << row.name << " " << key;
    }
  }
}

TEST(UiCommand, TheSheetOfKeysComesFromTheTable) {
  std::string sheet;
  for (const KeyLine& line : key_sheet(Language::kEnglish, 5)) {
    sheet += line.keys + ": " + tr(line.what, Language::kEnglish) + "\n";
  }
  EXPECT_EQ(sheet,
            "Space: Play or pause\nS: One step\nR: Start again\nN: New seed\n−  +: Slower, faster\n"
            "←  →: Earlier, later moment\nB: Back to the parent branch\n1 – 5: Choose a view\n?: "
            "Tour and shortcuts\n");
}

// docs/ARCHITECTURE.md has the table as it is here, line for line.
TEST(UiCommand, TheDocumentationHasThisTable) {
  std::ifstream file(TP_SOURCE_DIR "/docs/ARCHITECTURE.md");
  std::stringstream text;
  text << file.rdbuf();
  std::string table = "| command | key | does |\n|---|---|---|\n";
  for (std::size_t row = 0; row < kUiCommands.size(); ++row) table += documented(row) + "\n";
  EXPECT_NE(text.str().find("\n" + table + "\n"), std::string::npos)
      << "The table of commands should be:\n"
      << table;
}

}  // namespace
}  // namespace tp::ui
