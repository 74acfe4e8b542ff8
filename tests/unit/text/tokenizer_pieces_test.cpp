#include "engine/text/tokenizer_pieces.h"

#include <gtest/gtest.h>

#include <set>

#include "engine/core/utf8.h"
#include "engine/text/tokenizer_unicode.h"

namespace tp {
namespace {

using Pieces = std::vector<std::string>;

// Byte-level pieces as the bytes they stand for.
Pieces byte_pieces(std::string_view text) {
  Pieces pieces;
  for (const std::string& piece : pieces_of(TokenizerKind::kByteBpe, text)) {
    pieces.push_back(from_byte_alphabet(piece).value_or("(not in the alphabet)"));
  }
  return pieces;
}

TEST(TokenizerPieces, CharactersHaveTheirClasses) {
  for (const char32_t c : std::u32string_view(U"aZßé가힣ㄱ한Я日ｱʰꙮ𠀀𝔸ªµ")) {
    EXPECT_EQ(class_of(c), CharacterClass::kLetter) << std::uint32_t(c);
  }
  for (const char32_t c : std::u32string_view(U"09٣๔½²Ⅷ④𝟘〇")) {
    EXPECT_EQ(class_of(c), CharacterClass::kNumber) << std::uint32_t(c);
  }
  for (const char32_t c : std::u32string_view(
           U" \t\n\v\f\r\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeff")) {
    EXPECT_TRUE(is_space(c)) << std::uint32_t(c);
  }
  // Neighbours of ranges, combining marks, controls, and what other libraries take for a space.
  for (const char32_t c :
       std::u32string_view(U"@[`{/:_😀\u0301\u200b\u200d\u180e\u0085\x1c\x7f▁€")) {
    EXPECT_EQ(class_of(c), CharacterClass::kOther) << std::uint32_t(c);
  }
  EXPECT_EQ(class_of(0), CharacterClass::kOther);
  EXPECT_EQ(class_of(0x10FFFF), CharacterClass::kOther);
  EXPECT_EQ(class_of(kInvalidCodePoint), CharacterClass::kOther);
}

TEST(TokenizerPieces, Gpt2PatternCutsAsPublished) {
  EXPECT_EQ(byte_pieces(""), Pieces{});
  EXPECT_EQ(byte_pieces("Hello world"), (Pieces{"Hello", " world"}));
  EXPECT_EQ(byte_pieces("I'll we've it's don't I'm you'd they're"),
            (Pieces{"I", "'ll", " we", "'ve", " it", "'s", " don", "'t", " I", "'m", " you", "'d",
                    " they", "'re"}));
  // Capitals are no contractions, and a blank before the apostrophe keeps it with the signs.
  EXPECT_EQ(byte_pieces("I'M 's x''s"), (Pieces{"I", "'", "M", " '", "s", " x", "''", "s"}));
  EXPECT_EQ(byte_pieces("abc123!?가나4"), (Pieces{"abc", "123", "!?", "가나", "4"}));
  EXPECT_EQ(byte_pieces("a 12 !?"), (Pieces{"a", " 12", " !?"}));
}

TEST(TokenizerPieces, Gpt2PatternLeavesTheLastSpaceToTheNextWord) {
  EXPECT_EQ(byte_pieces("a   b"), (Pieces{"a", "  ", " b"}));
  EXPECT_EQ(byte_pieces("a\n\nb"), (Pieces{"a", "\n", "\n", "b"}));
  EXPECT_EQ(byte_pieces("a \n b"), (Pieces{"a", " \n", " b"}));
  EXPECT_EQ(byte_pieces("a \u3000b"), (Pieces{"a", " ", "\u3000", "b"}));
  EXPECT_EQ(byte_pieces("a\tb"), (Pieces{"a", "\t", "b"}));
  EXPECT_EQ(byte_pieces("a   "), (Pieces{"a", "   "}));
  EXPECT_EQ(byte_pieces(" "), (Pieces{" "}));
  EXPECT_EQ(byte_pieces("   "), (Pieces{"   "}));
}

TEST(TokenizerPieces, MalformedBytesStayWhatTheyAre) {
  EXPECT_EQ(byte_pieces("a\xff\xfe z"), (Pieces{"a", "\xff\xfe", " z"}));
  EXPECT_EQ(byte_pieces("\xea\xb0 \x80"), (Pieces{"\xea\xb0", " \x80"}));
}

TEST(TokenizerPieces, ByteAlphabetHasACharacterForEveryByte) {
  std::set<std::string> characters;
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte) {
    bytes.push_back(static_cast<char>(byte));
    characters.insert(in_byte_alphabet(bytes.substr(bytes.size() - 1)));
  }
  EXPECT_EQ(characters.size(), 256u);
  EXPECT_EQ(from_byte_alphabet(in_byte_alphabet(bytes)), bytes);
  EXPECT_EQ(in_byte_alphabet(" a\n\xad\x7f~"), "Ġa\u010a\u0143\u0121~");
  EXPECT_EQ(from_byte_alphabet("Ġab"), " ab");
  for (const char* text : {" ", "가", "\u0144", "\u00ad", "\xff"}) {
    EXPECT_FALSE(from_byte_alphabet(text)) << text;
  }
}

TEST(TokenizerPieces, OtherKinds) {
  EXPECT_EQ(pieces_of(TokenizerKind::kCharacter, "a가\n\xff😀"),
            (Pieces{"a", "가", "\n", "\xff", "😀"}));
  EXPECT_EQ(pieces_of(TokenizerKind::kWord, "  나는 학교에\u3000간다.\n\n"),
            (Pieces{"나는", "학교에", "간다."}));
  EXPECT_EQ(pieces_of(TokenizerKind::kWord, " \t"), Pieces{});
  const auto metaspace = [](std::string_view text) {
    return pieces_of(TokenizerKind::kSentencePiece, text);
  };
  EXPECT_EQ(metaspace("to be"), (Pieces{"▁to", "▁be"}));
  EXPECT_EQ(metaspace(" to  be "), (Pieces{"▁to", "▁", "▁be", "▁"}));
  EXPECT_EQ(metaspace("a▁b\nc"), (Pieces{"▁a", "▁b\nc"}));
  EXPECT_EQ(metaspace(""), Pieces{});
}

TEST(TokenizerPieces, TokensBecomeText) {
  using Tokens = std::vector<SpelledToken>;
  EXPECT_EQ(text_of(TokenizerKind::kCharacter, Tokens{{"a", false}, {"가", false}}), "a가");
  EXPECT_EQ(text_of(TokenizerKind::kWord, Tokens{{"a", false}, {"b", false}}), "a b");
  EXPECT_EQ(
      text_of(TokenizerKind::kSentencePiece, Tokens{{"▁a", false}, {"▁", false}, {"▁b", false}}),
      "a  b");
  EXPECT_EQ(text_of(TokenizerKind::kSentencePiece, Tokens{{"<bos>", true}, {"▁a", false}}),
            "<bos> a");
  // A syllable in two tokens is whole again, but not across a special token.
  const std::string syllable = in_byte_alphabet("가");
  const std::string_view head = std::string_view(syllable).substr(0, 2);
  const std::string_view tail = std::string_view(syllable).substr(2);
  EXPECT_EQ(text_of(TokenizerKind::kByteBpe, Tokens{{head, false}, {tail, false}}), "가");
  EXPECT_EQ(text_of(TokenizerKind::kByteBpe, Tokens{{head, false}, {"<eos>", true}, {tail, false}}),
            "\ufffd<eos>\ufffd\ufffd");
}

}  // namespace
}  // namespace tp
