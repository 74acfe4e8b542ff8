#include <gtest/gtest.h>

#include "engine/tasks/scores.h"
#include "engine/tasks/text_pieces.h"
#include "engine/tasks/vocabulary.h"
#include "engine/text/hangul.h"

namespace tp {
namespace {

using Views = std::vector<std::string_view>;

TEST(Vocabulary, NumbersWordsAfterTheMarks) {
  Vocabulary words(Vocabulary::Marks::four);
  EXPECT_EQ(words.add("b"), 4);
  EXPECT_EQ(words.add("a"), 5);
  EXPECT_EQ(words.add("b"), 4);
  EXPECT_EQ(words.size(), 6);
  EXPECT_EQ(words.word(5), "a");
  EXPECT_EQ(words.find("a"), 5);
  EXPECT_EQ(words.find("c"), -1);
  EXPECT_EQ(words.find("<pad>"), -1);
  EXPECT_EQ(words.words(), (Views{"b", "a"}));
  const std::vector<int> ids = {kBegin, 4, kUnknown, kPad, 5, kEnd, 4};
  EXPECT_EQ(words.join(ids, " "), "b <unk> a");
  Vocabulary three(Vocabulary::Marks::three);
  EXPECT_EQ(three.add("a"), 3);
  EXPECT_FALSE(three.has_unknown());
  EXPECT_EQ(three.join(std::vector<int>{3, 3, kEnd, 3}, ""), "aa");
}

TEST(Hangul, IsComposed) {
  EXPECT_EQ(compose_hangul("\u1112\u1161\u11ab\u1100\u1173\u11af"), "한글");
  EXPECT_EQ(compose_hangul("\uac00\u11a8"), "각");            // a syllable and a final
  EXPECT_EQ(compose_hangul("\uac01\u11a8"), "\uac01\u11a8");  // which already has one
  EXPECT_EQ(compose_hangul("\u1161"), "\u1161");
  EXPECT_EQ(compose_hangul("\u1112a\u1161"), "\u1112a\u1161");
  EXPECT_EQ(compose_hangul("a 한글 é ☃"), "a 한글 é ☃");
  EXPECT_EQ(compose_hangul("\xff\u1112\u1161\xed"), "\xff하\xed");
  EXPECT_EQ(compose_hangul(std::string_view("a\0b", 3)), std::string_view("a\0b", 3));
}

TEST(TextPieces, AreCut) {
  EXPECT_EQ(split_words("  a\tbc \n d"), (Views{"a", "bc", "d"}));
  EXPECT_EQ(split_words(" "), Views{});
  EXPECT_EQ(split_characters("a가\xff"), (Views{"a", "가", "\xff"}));
  EXPECT_EQ(split_lines("a\r\n\nb"), (Views{"a", "", "b"}));
  EXPECT_EQ(split_lines("a\n"), Views{"a"});
  EXPECT_EQ(trimmed(" a b\t"), "a b");
  EXPECT_EQ(trimmed(" \n"), "");
}

TEST(Scores, CountEdits) {
  const auto edit = [](std::vector<int> a, std::vector<int> b) { return edit_accuracy(a, b); };
  EXPECT_EQ(edit({1, 2, 3, 4}, {1, 2, 3, 4}), 1);
  EXPECT_EQ(edit({1, 2, 3, 4}, {2, 3, 4}), 0.75);        // one is missing
  EXPECT_EQ(edit({1, 2, 3, 4}, {9, 1, 2, 3, 4}), 0.75);  // one too many
  EXPECT_EQ(edit({1, 2, 3, 4}, {1, 9, 3, 4}), 0.75);
  EXPECT_EQ(edit({1, 2, 3, 4}, {4, 3, 2, 1}), 0);
  EXPECT_EQ(edit({1}, {2, 3, 4}), 0);
  EXPECT_EQ(edit({}, {}), 1);
  EXPECT_EQ(position_accuracy({}, {}), 1);
}

}  // namespace
}  // namespace tp
