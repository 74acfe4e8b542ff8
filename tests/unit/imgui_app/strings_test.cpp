#include "imgui_app/strings/strings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "engine/core/utf8.h"
#include "imgui_app/model/run_editor.h"
#include "imgui_app/model/settings.h"

namespace tp::ui {
namespace {

struct Row {
  std::string name, english, korean;
};

std::vector<Row> rows() {
  return {
#define TP_TEXT(name, english, korean) {#name, english, korean},
#include "imgui_app/strings/table.inc"
#undef TP_TEXT
  };
}

std::set<std::string> places_in(const std::string& text) {
  std::set<std::string> places;
  for (size_t i = 0; i + 2 < text.size(); ++i) {
    if (text[i] == '{' && text[i + 2] == '}') places.insert(text.substr(i, 3));
  }
  return places;
}

bool has_hangul(std::string_view text) {
  while (!text.empty()) {
    if (is_hangul(next_code_point(text))) return true;
  }
  return false;
}

TEST(Strings, BothLanguagesSayTheSame) {
  for (const Row& row : rows()) {
    EXPECT_FALSE(row.english.empty() || row.korean.empty()) << row.name;
    EXPECT_TRUE(is_valid_utf8(row.english) && is_valid_utf8(row.korean)) << row.name;
    EXPECT_EQ(places_in(row.english), places_in(row.korean)) << row.name;
  }
}

// The names of languages are written in their own language everywhere.
TEST(Strings, NoLanguageStraysIntoTheOther) {
  for (const Row& row : rows()) {
    if (row.name == "choice_language_ko") continue;
    EXPECT_FALSE(has_hangul(row.english)) << row.name;
  }
}

TEST(Strings, KoreanKeepsToItsRules) {
  for (const Row& row : rows()) {
    EXPECT_EQ(row.korean.find('!'), std::string::npos) << row.name;
    EXPECT_EQ(row.korean.find("당신"), std::string::npos) << row.name;
    // A particle on an inserted value would be wrong for half of the values.
    for (const char* particle :
         {"}을", "}를", "}이 ", "}가 ", "}은 ", "}는 ", "}와 ", "}과 ", "}로"}) {
      EXPECT_EQ(row.korean.find(particle), std::string::npos) << row.name << " " << particle;
    }
  }
}

// Every setting there is: the page's own, those of a run, and those of each task.
std::map<std::string, std::vector<std::string>> all_settings() {
  std::map<std::string, std::vector<std::string>> names;
  const auto add = [&](const Properties& table) {
    for (const Property& property : table) {
      auto& choices = names[std::string(property.name)];
      for (const std::string_view choice : property.choices) choices.emplace_back(choice);
    }
  };
  Settings settings;
  add(properties(settings));
  RunEditor editor;
  add(editor.properties());
  for (const std::string_view task : task_names()) {
    RunSettings run(task, "default");
    add(run.all_properties());
  }
  return names;
}

TEST(Strings, EverySettingHasItsTexts) {
  for (const auto& [name, choices] : all_settings()) {
    EXPECT_TRUE(named_text("setting_" + name, Language::kKorean)) << name;
    EXPECT_TRUE(named_text("help_" + name, Language::kKorean)) << name;
    for (const std::string& choice : choices) {
      std::string key = "choice_" + name + "_" + choice;
      std::ranges::replace(key, '-', '_');
      EXPECT_TRUE(text_named(key)) << key;
    }
  }
}

TEST(Strings, TheSwitchOfACurveIsExplainedByItsSeries) {
  const SeriesInfo& info = *series_info("gradient_norm");
  EXPECT_EQ(named_text("setting_show_gradient_norm", Language::kEnglish), info.english_title);
  EXPECT_EQ(named_text("setting_show_gradient_norm", Language::kKorean), info.korean_title);
  EXPECT_EQ(named_text("help_show_gradient_norm", Language::kEnglish), info.english);
  EXPECT_EQ(named_text("help_show_gradient_norm", Language::kKorean), info.korean);
  EXPECT_EQ(named_text("help_show_nonsense", Language::kEnglish), std::nullopt);
  EXPECT_NE(all_texts(Language::kKorean).find(info.korean), std::string::npos);
}

TEST(Strings, EveryTaskHasItsStory) {
  for (const std::string_view task : task_names()) {
    EXPECT_TRUE(text_named("story_" + std::string(task))) << task;
  }
}

TEST(Strings, SettingsTextsBelongToSettings) {
  const auto settings = all_settings();
  for (const Row& row : rows()) {
    for (const std::string prefix : {"setting_", "help_"}) {
      if (row.name.rfind(prefix, 0) != 0) continue;
      EXPECT_TRUE(settings.contains(row.name.substr(prefix.size()))) << row.name;
    }
  }
}

// The names that the code of the app writes: of texts, and beginnings that it puts names together
// from.
struct NamesInCode {
  std::set<std::string> whole, beginnings;
};
NamesInCode names_in_code() {
  NamesInCode names;
  const std::regex text("\\bText::(\\w+)"), beginning("\"([a-z]+_)\"");
  const auto find = [](const std::string& code, const std::regex& what, auto& found) {
    for (std::sregex_iterator i(code.begin(), code.end(), what), end; i != end; ++i) {
      found.insert((*i)[1]);
    }
  };
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(TP_SOURCE_DIR "/imgui_app")) {
    const std::string kind = entry.path().extension().string();
    if (kind != ".cpp" && kind != ".h") continue;
    std::ifstream file(entry.path());
    const std::string code(std::istreambuf_iterator<char>(file), {});
    find(code, text, names.whole);
    find(code, beginning, names.beginnings);
  }
  return names;
}

// A text that no code draws is missing where it belongs, or dead.
TEST(Strings, EveryTextIsUsed) {
  const NamesInCode used = names_in_code();
  ASSERT_TRUE(used.whole.contains("setup") && used.beginnings.contains("setting_"));
  for (const Row& row : rows()) {
    const bool composed = std::ranges::any_of(
        used.beginnings, [&](const std::string& begin) { return row.name.starts_with(begin); });
    EXPECT_TRUE(composed || used.whole.contains(row.name)) << row.name;
  }
}

TEST(Strings, SentencesBeginWithACapitalButNamesStayAsTheyAre) {
  EXPECT_EQ(in_language({"the file is broken", ""}, Language::kEnglish), "The file is broken");
  EXPECT_EQ(in_language({"d_k is too large", ""}, Language::kEnglish), "d_k is too large");
  // Settings are called what stands beside their controls.
  EXPECT_EQ(in_language({"lower d_ff or max_length", ""}, Language::kEnglish),
            "Lower \"Feed-forward width\" or \"Sequence length\"");
  EXPECT_EQ(in_language({"x", "train_size 값도 정해 주십시오."}, Language::kKorean),
            "‘학습 보기 수’ 값도 정해 주십시오.");
  EXPECT_EQ(in_language({"", ""}, Language::kEnglish), "");
}

TEST(Strings, ValuesGoToTheirPlaces) {
  EXPECT_EQ(fill("{1} before {0}", {"a", "b"}), "b before a");
  EXPECT_EQ(fill("{0}{0}", {"x"}), "xx");
  EXPECT_EQ(fill("no place {", {}), "no place {");
  EXPECT_EQ(fill("{0}", {"{1}"}), "{1}");
}

TEST(Strings, WordsOfTheTableAreTheProductsWords) {
  EXPECT_STREQ(tr(Text::setting_language, Language::kKorean), "언어");
  EXPECT_STREQ(tr(Text::setting_text_size, Language::kKorean), "글자 크기");
  EXPECT_STREQ(tr(Text::panel_positions, Language::kKorean), "위치");
  EXPECT_STREQ(tr(Text::setup, Language::kKorean), "설정");
}

}  // namespace
}  // namespace tp::ui
