#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace tp::ui {
namespace {

#ifndef __EMSCRIPTEN__  // no other program can be started there
// What the page loads is what is compiled in elsewhere.
TEST(KoreanTexts, TheFileOfThePageHasTheTextsOfTheTable) {
  const std::string path = testing::TempDir() + "korean.txt";
  const std::string command = "python3 " TP_SOURCE_DIR "/tools/make_korean_texts.py " + path;
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::ifstream file(path);
  std::string line;
#define TP_TEXT(name, english, korean)            \
  ASSERT_TRUE(std::getline(file, line)) << #name; \
  EXPECT_EQ(line, std::string(#name "=") + korean);
#include "imgui_app/strings/table.inc"
#undef TP_TEXT
  EXPECT_FALSE(std::getline(file, line)) << line;
}
#endif

}  // namespace
}  // namespace tp::ui
