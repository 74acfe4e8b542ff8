#include "imgui_app/model/typed_word.h"

#include <gtest/gtest.h>

#include <vector>

namespace tp::ui {
namespace {

const std::vector<std::string> kWords = {"나", "학교", "공원", "간다", "은",   "는", "이",
                                         "가", "을",   "를",   "에",   "에서", "a",  "z"};

std::string typed(const char* text, const char* unknown, const char* word, bool spaced = true) {
  return with_known_word(text, unknown, word, kWords, spaced);
}

TEST(TypedWord, TakesThePlaceOfTheUnknownOneAndLeavesItsParticle) {
  EXPECT_EQ(typed("나는 달에 간다", "달에", "학교"), "나는 학교에 간다");
  EXPECT_EQ(typed("나는 달에서 간다", "달에서", "학교"), "나는 학교에서 간다");
  EXPECT_EQ(typed("달은 간다", "달은", "학교"), "학교는 간다");
  EXPECT_EQ(typed("바다가 간다", "바다가", "공원"), "공원이 간다");
  EXPECT_EQ(typed("나는 달에 간다", "달에", "에서"), "나는 에서 간다");
  EXPECT_EQ(typed("나는 학교에 날았다", "날았다", "간다"), "나는 학교에 간다");
}

TEST(TypedWord, IsFoundAsAWordBeforeAsAPartOfOne) {
  EXPECT_EQ(typed("나는달 달 간다", "달", "학교"), "나는달 학교 간다");
  EXPECT_EQ(typed("나는 달.", "달", "학교"), "나는 학교.");
  EXPECT_EQ(typed("z Z z", "Z", "a"), "z a z");
  EXPECT_EQ(typed("zZz", "Z", "a", false), "zaz");
}

TEST(TypedWord, GoesToTheEndWhereAllAreKnown) {
  EXPECT_EQ(typed("나는", "", "학교"), "나는 학교");
  EXPECT_EQ(typed("나는 ", "", "학교"), "나는 학교");
  EXPECT_EQ(typed("", "", "학교"), "학교");
  EXPECT_EQ(typed("z", "", "a", false), "za");
  EXPECT_EQ(typed("z", "Z", "a", false), "za");  // of an input before this one
}

}  // namespace
}  // namespace tp::ui
