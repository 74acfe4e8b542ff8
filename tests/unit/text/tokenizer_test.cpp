#include "engine/text/tokenizer.h"

#include <gtest/gtest.h>

#include "engine/core/hash.h"
#include "engine/core/utf8.h"
#include "tests/subjects/tokenizer_subjects.h"

namespace tp {
namespace {

using Ids = std::vector<int>;

constexpr TokenizerKind kKinds[] = {TokenizerKind::kCharacter, TokenizerKind::kWord,
                                    TokenizerKind::kByteBpe, TokenizerKind::kSentencePiece};

Result<Tokenizer> train(std::string_view text, TokenizerKind kind, int size = 512,
                        int min_count = 2) {
  TokenizerOptions options;
  options.kind = kind;
  options.vocabulary_size = size;
  options.min_count = min_count;
  return Tokenizer::train(text, options);
}

std::vector<std::string> spellings(const Tokenizer& tokenizer, int from = 4) {
  std::vector<std::string> all;
  for (int id = from; id < tokenizer.size(); ++id) all.push_back(tokenizer.spelling(id));
  return all;
}

TEST(Tokenizer, SpecialTokensComeFirst) {
  for (const TokenizerKind kind : kKinds) {
    const Tokenizer tokenizer = trained_subject(kind);
    EXPECT_EQ(tokenizer.kind(), kind);
    EXPECT_EQ(tokenizer.find("<pad>"), 0);
    EXPECT_EQ(tokenizer.find("<bos>"), 1);
    EXPECT_EQ(tokenizer.find("<eos>"), 2);
    EXPECT_EQ(tokenizer.find("<unk>"), 3);
    EXPECT_TRUE(tokenizer.is_special(3));
    EXPECT_FALSE(tokenizer.is_special(4));
    EXPECT_EQ(tokenizer.find("no such token"), kNoToken);
  }
}

// One value for GCC, Clang and WebAssembly.
TEST(Tokenizer, TrainingGivesTheSameTokenizerEverywhere) {
  const auto hash_of = [](TokenizerKind kind) {
    const std::string json = trained_subject(kind).json();
    return Hash().add(std::as_bytes(std::span(json))).value();
  };
  EXPECT_EQ(hash_of(TokenizerKind::kCharacter), 0x70cfe6926895002fu);
  EXPECT_EQ(hash_of(TokenizerKind::kWord), 0x3d05fd93d64c61c4u);
  EXPECT_EQ(hash_of(TokenizerKind::kByteBpe), 0xe194e95f20f78532u);
  EXPECT_EQ(hash_of(TokenizerKind::kSentencePiece), 0x367e59c2779bc6ffu);
}

TEST(Tokenizer, CharactersAreTakenByFrequencyAndOrderedByCodePoint) {
  const auto tokenizer = train("ccc bbb aaa 가가가가 z", TokenizerKind::kCharacter, 8).value();
  // The blank and 가 occur four times; of a, b and c, equally frequent, there is room for two.
  EXPECT_EQ(spellings(tokenizer), (std::vector<std::string>{" ", "a", "b", "가"}));
  EXPECT_EQ(tokenizer.encode("가c<eos>a"), (Ids{7, 3, 2, 5}));
  EXPECT_EQ(tokenizer.decode(Ids{7, 3, 2, 5}), "가a");
  EXPECT_EQ(tokenizer.decode(Ids{7, 3, 2, 5}, Tokenizer::Special::kShow), "가<unk><eos>a");
}

TEST(Tokenizer, WordsAreTakenAndOrderedByFrequency) {
  const auto tokenizer = train("b a c a\nb a <eos> d", TokenizerKind::kWord, 7).value();
  EXPECT_EQ(spellings(tokenizer), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(tokenizer.encode("  c  d a "), (Ids{6, 3, 4}));
  EXPECT_EQ(tokenizer.decode(Ids{6, 3, 4}, Tokenizer::Special::kShow), "c <unk> a");
}

TEST(Tokenizer, BytePairsAreJoinedByFrequency) {
  const auto tokenizer = train("low low lower lowest", TokenizerKind::kByteBpe).value();
  ASSERT_GT(tokenizer.size(), 260);
  EXPECT_EQ(spellings(tokenizer, 260), (std::vector<std::string>{"lo", "low", "Ġlow", "Ġlowe"}));
  EXPECT_EQ(tokenizer.encode("low lows"),
            (Ids{tokenizer.find("low"), tokenizer.find("Ġlow"), tokenizer.find("s")}));
}

TEST(Tokenizer, SentencePieceJoinsTheSpaceToItsWord) {
  const auto tokenizer = train("a ab ab ab", TokenizerKind::kSentencePiece).value();
  EXPECT_EQ(spellings(tokenizer), (std::vector<std::string>{"a", "b", "▁", "▁a", "▁ab"}));
  EXPECT_EQ(tokenizer.encode("ab a c"), (Ids{8, 7, 6, 3}));
  EXPECT_EQ(tokenizer.decode(Ids{8, 7, 6, 4}), "ab a a");
}

TEST(Tokenizer, ByteBpeGivesBackEveryText) {
  const Tokenizer tokenizer = trained_subject(TokenizerKind::kByteBpe);
  for (const std::string& text : tokenizer_strings(2'000, 11)) {
    ASSERT_EQ(tokenizer.decode(tokenizer.encode(text), Tokenizer::Special::kShow), text);
  }
  EXPECT_EQ(tokenizer.decode(tokenizer.encode("a\xff")), "a\ufffd");
}

TEST(Tokenizer, EveryKindGivesBackWhatItWasTrainedOn) {
  const std::string_view sample = tokenizer_sample();
  for (const TokenizerKind kind :
       {TokenizerKind::kCharacter, TokenizerKind::kByteBpe, TokenizerKind::kSentencePiece}) {
    const Tokenizer tokenizer = train(sample, kind, 1'000).value();
    EXPECT_EQ(tokenizer.decode(tokenizer.encode(sample)), sample);
  }
  const std::string_view sentence = "나는 학교에 간다 I go to school";
  const Tokenizer words = train(sentence, TokenizerKind::kWord).value();
  EXPECT_EQ(words.decode(words.encode(sentence)), sentence);
}

TEST(Tokenizer, SentencePieceLosesOneLeadingSpaceAndNoOther) {
  const Tokenizer tokenizer = trained_subject(TokenizerKind::kSentencePiece);
  const auto round_trip = [&](std::string_view text) {
    return tokenizer.decode(tokenizer.encode(text));
  };
  EXPECT_EQ(round_trip("the  cat "), "the  cat ");
  EXPECT_EQ(round_trip("  the cat"), " the cat");
}

TEST(Tokenizer, MergesMakeTextShorter) {
  const std::string_view sample = tokenizer_sample();
  const auto length = [&](TokenizerKind kind, int size) {
    const Tokenizer tokenizer = train(sample, kind, size).value();
    EXPECT_EQ(tokenizer.size(), size);
    return tokenizer.encode(sample).size();
  };
  EXPECT_LT(length(TokenizerKind::kByteBpe, 460), length(TokenizerKind::kByteBpe, 260) / 2);
  EXPECT_LT(length(TokenizerKind::kSentencePiece, 280),
            length(TokenizerKind::kSentencePiece, 130) * 2 / 3);
}

TEST(Tokenizer, SpecialTokensAreFoundInTextLongestFirst) {
  TokenizerOptions options;
  options.special_tokens = {"<unk>", "<a>", "<a><b>", "><"};
  const Tokenizer tokenizer = Tokenizer::train("<ab>", options).value();
  const auto id = [&](std::string_view spelling) { return tokenizer.find(spelling); };
  EXPECT_EQ(tokenizer.encode("<a><b><a>b<a"),
            (Ids{id("<a><b>"), id("<a>"), id("b"), id("<"), id("a")}));
  EXPECT_EQ(tokenizer.encode("b><a>"), (Ids{id("b"), id("><"), id("a"), id(">")}));
}

TEST(Tokenizer, NoPieceReachesFromOneTextIntoTheNext) {
  const std::string_view texts[] = {"ab", "ab", "ab"};
  const Tokenizer apart =
      Tokenizer::train(texts, {.kind = TokenizerKind::kSentencePiece, .vocabulary_size = 99})
          .value();
  EXPECT_EQ(spellings(apart), (std::vector<std::string>{"a", "b", "▁", "ab", "▁ab"}));
}

TEST(Tokenizer, ACacheChangesNoToken) {
  for (const TokenizerKind kind : kKinds) {
    const Tokenizer tokenizer = trained_subject(kind);
    Tokenizer::Cache cache;
    for (const std::string_view text : {"to be or not to be", "<eos> be ☃", "to be"}) {
      constexpr auto kText = Tokenizer::Spelled::kText;
      EXPECT_EQ(tokenizer.encode(text, kText, &cache), tokenizer.encode(text, kText));
    }
  }
}

TEST(Tokenizer, EmptyTextIsNoTokens) {
  for (const TokenizerKind kind : kKinds) {
    const Tokenizer tokenizer = trained_subject(kind);
    EXPECT_TRUE(tokenizer.encode("").empty());
    EXPECT_EQ(tokenizer.decode({}), "");
    EXPECT_TRUE(train("", kind).ok());
  }
}

TEST(Tokenizer, AnyBytesCanBeEncodedAndAnyIdsDecoded) {
  for (const TokenizerKind kind : kKinds) {
    const Tokenizer tokenizer = trained_subject(kind);
    std::string bytes;
    for (int i = 0; i < 1'024; ++i) bytes.push_back(static_cast<char>(i * 7 + i / 256));
    for (const int id : tokenizer.encode(bytes)) EXPECT_LT(id, tokenizer.size());
    Ids ids;
    for (int id = tokenizer.size(); id-- > 0;) ids.push_back(id);
    EXPECT_TRUE(is_valid_utf8(tokenizer.decode(ids)));
  }
}

TEST(Tokenizer, WhatCannotBeTrainedIsSaidInASentence) {
  const auto error = [](std::string_view text, const TokenizerOptions& options) {
    const Result<Tokenizer> result = Tokenizer::train(text, options);
    return result.ok() ? "it was trained" : result.error().message;
  };
  TokenizerOptions options;
  EXPECT_EQ(
      error("a\xff", options),
      "The tokenizer cannot be trained: the text is not UTF-8; save it as UTF-8 and try again.");
  options.vocabulary_size = 4;
  EXPECT_EQ(
      error("a", options),
      "The tokenizer cannot be trained: a vocabulary of 4 tokens was asked for, but this kind has "
      "from 5 to 65536.");
  options.kind = TokenizerKind::kByteBpe;
  options.vocabulary_size = 259;
  EXPECT_NE(error("a", options).find("from 260 to 65536"), std::string::npos);
  options = {};
  options.special_tokens = {"<pad>"};
  EXPECT_EQ(error("a", options),
            "The tokenizer cannot be trained: <unk> is missing from its special tokens.");
  options.special_tokens = {"<unk>", "<unk>"};
  EXPECT_NE(error("a", options).find("is there twice"), std::string::npos);
  for (const char* token : {"", "x", "가", "\xff\xff"}) {
    options.special_tokens = {"<unk>", token};
    EXPECT_NE(error("a", options).find("at least two characters"), std::string::npos) << token;
  }
}

}  // namespace
}  // namespace tp
