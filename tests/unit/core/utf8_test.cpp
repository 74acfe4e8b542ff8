#include "engine/core/utf8.h"

#include <gtest/gtest.h>

namespace tp {
namespace {

TEST(Utf8, EveryCodePointGoesThereAndBack) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    std::string text;
    append_utf8(text, c);
    std::string_view rest = text;
    ASSERT_EQ(next_code_point(rest), c);
    ASSERT_TRUE(rest.empty());
  }
}

TEST(Utf8, TextFilesOfEverySystemAreAlike) {
  EXPECT_EQ(text_of_file("\uFEFFa\r\nb\r\n"), "a\nb\n");
  EXPECT_EQ(text_of_file("a\nb\n"), "a\nb\n");
  EXPECT_EQ(text_of_file("a\rb\r\r\n\uFEFF\r"), "a\rb\r\n\uFEFF\r");
  EXPECT_EQ(text_of_file("\uFEFF"), "");
}

TEST(Utf8, MalformedTextIsSeenAndPassedOver) {
  for (const std::string text : {"\x80", "\xC0\x80", "\xC3", "\xE0\x80\x80", "\xED\xA0\x80",
                                 "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\xFF", "a\xC3z"}) {
    EXPECT_FALSE(is_valid_utf8(text)) << testing::PrintToString(text);
  }
  std::string_view rest = "\xEA\xB0z";  // the syllable breaks off
  EXPECT_EQ(next_code_point(rest), kInvalidCodePoint);
  EXPECT_EQ(next_code_point(rest), kInvalidCodePoint);
  EXPECT_EQ(next_code_point(rest), U'z');
  EXPECT_TRUE(is_valid_utf8("가 ω 😀"));
}

// The examples of the Unicode standard (section 3.9, "U+FFFD substitution of maximal subparts").
TEST(Utf8, MalformedPartsAreReplacedAsInBrowsers) {
  EXPECT_EQ(repaired_utf8("가 ω 😀"), "가 ω 😀");
  EXPECT_EQ(repaired_utf8("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41"),
            "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDA");
  EXPECT_EQ(repaired_utf8("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41"),
            "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDA");
  EXPECT_EQ(repaired_utf8("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42"),
            "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDA\uFFFD\uFFFDB");
  EXPECT_EQ(repaired_utf8("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41"), "\uFFFD\uFFFD\uFFFD\uFFFDA");
  EXPECT_EQ(repaired_utf8("\xF0\x9F\x98"), "\uFFFD");
}

TEST(Utf8, HangulIsKnown) {
  EXPECT_TRUE(is_hangul_syllable(U'가') && is_hangul_syllable(U'힣') && is_hangul_syllable(U'뷁'));
  EXPECT_FALSE(is_hangul_syllable(U'ㄱ') || is_hangul_syllable(U'a') || is_hangul_syllable(U'漢'));
  EXPECT_TRUE(is_hangul(U'ㄱ') && is_hangul(U'ㅣ'));
}

}  // namespace
}  // namespace tp
