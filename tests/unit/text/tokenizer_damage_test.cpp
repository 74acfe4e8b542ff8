// Damaged tokenizer.json texts: whatever was done to one, it is refused with a sentence or read as
// a tokenizer that can be used. Under the sanitizers a wrong access fails too.

#include <gtest/gtest.h>

#include "engine/core/rng.h"
#include "engine/core/utf8.h"
#include "tests/subjects/tokenizer_subjects.h"

namespace tp {
namespace {

std::size_t somewhere(Rng& rng, std::size_t size) {
  return size == 0 ? 0 : rng.below(static_cast<std::uint32_t>(size));
}

void change_bytes(Rng& rng, std::string& text) {
  for (std::uint32_t i = 1 + rng.below(4); i > 0 && !text.empty(); --i) {
    text[somewhere(rng, text.size())] = static_cast<char>(rng.below(256));
  }
}

void truncate(Rng& rng, std::string& text) { text.resize(somewhere(rng, text.size() + 1)); }

// Copies a part to another place.
void splice(Rng& rng, std::string& text) {
  const std::string part = text.substr(somewhere(rng, text.size()), rng.below(80));
  text.insert(somewhere(rng, text.size() + 1), part);
}

void remove_part(Rng& rng, std::string& text) {
  text.erase(somewhere(rng, text.size()), 1 + rng.below(40));
}

// Puts another value in the place of a string, a number or a word that stands there.
void replace_value(Rng& rng, std::string& text) {
  static const char* const kValues[] = {"null",
                                        "true",
                                        "-1",
                                        "1e999",
                                        "4294967296",
                                        "18446744073709551616",
                                        "0.5",
                                        "\"\"",
                                        "{}",
                                        "[]",
                                        "[[[]]]",
                                        "\"\\u0000\"",
                                        "\"a\"",
                                        "\"BPE\"",
                                        "\"<unk>\"",
                                        "\"\\ud800\"",
                                        "\"\xff\"",
                                        "\"Metaspace\"",
                                        "3",
                                        "{\"type\":\"Split\"}",
                                        "[\"a\",\"b\"]",
                                        "\"a b\"",
                                        "\"WordLevel\""};
  const std::size_t colon = text.find_first_of(":,[", somewhere(rng, text.size()));
  if (colon == text.npos) return;
  const std::size_t end = std::min(text.find_first_of(",}]\n", colon + 1), text.size());
  text.replace(colon + 1, end - colon - 1, kValues[rng.below(std::size(kValues))]);
}

// Exchanges two lines, which are entries of the vocabulary or merges.
void exchange_lines(Rng& rng, std::string& text) {
  const auto line = [&] { return text.find('\n', somewhere(rng, text.size())); };
  const std::size_t a = line(), b = line();
  if (a == text.npos || b == text.npos || a >= b) return;
  const std::size_t a_end = text.find('\n', a + 1);
  const std::string taken = text.substr(a, a_end - a);
  text.insert(b, taken);
  text.erase(a, taken.size());
}

// Renames the token of one id everywhere or in one place.
void change_token(Rng& rng, std::string& text) {
  const std::size_t begin = text.find('"', somewhere(rng, text.size()));
  if (begin == text.npos) return;
  const std::size_t end = text.find('"', begin + 1);
  if (end == text.npos) return;
  static const char* const kTokens[] = {"", "a", "▁", "Ġ", "가", "<unk>", "aa", "\\u0000", "type"};
  text.replace(begin + 1, end - begin - 1, kTokens[rng.below(std::size(kTokens))]);
}

using Damage = void (*)(Rng&, std::string&);
constexpr Damage kDamages[] = {change_bytes,  truncate,       splice,      remove_part,
                               replace_value, exchange_lines, change_token};

void use(const Tokenizer& tokenizer) {
  static const std::vector<std::string> kTexts = {"the cat 학교에 😀 <eos>", "a\xff\n\n b",
                                                  tokenizer_strings(2, 1)[1]};
  for (const std::string& text : kTexts) {
    const std::vector<int> ids = tokenizer.encode(text);
    for (const int id : ids) ASSERT_LT(id, tokenizer.size());
    ASSERT_TRUE(is_valid_utf8(tokenizer.decode(ids, Tokenizer::Special::kShow)));
  }
  const Result<Tokenizer> again = Tokenizer::parse(tokenizer.json());
  ASSERT_TRUE(again.ok()) << again.error().message;
  ASSERT_EQ(again.value().json(), tokenizer.json());
}

TEST(TokenizerDamage, IsRefusedOrHarmless) {
  constexpr std::uint64_t kInputs = 6'000;
  std::vector<std::string> files;
  for (const NamedTokenizerOptions& subject : tokenizer_subjects()) {
    TokenizerOptions options = subject.options;
    options.vocabulary_size = options.kind == TokenizerKind::kByteBpe ? 280 : 40;
    files.push_back(Tokenizer::train("the cat sat at the cat", options).value().json());
  }
  std::uint64_t accepted = 0;
  for (std::uint64_t number = 0; number < kInputs; ++number) {
    Rng rng(3, number);
    std::string text = files[number % files.size()];
    for (std::uint32_t times = 1 + rng.below(3); times > 0; --times) {
      kDamages[rng.below(std::size(kDamages))](rng, text);
    }
    text.shrink_to_fit();
    const Result<Tokenizer> result = Tokenizer::parse(text);
    if (result.ok()) {
      ++accepted;
      ASSERT_NO_FATAL_FAILURE(use(result.value())) << "input " << number << ":\n" << text;
    } else {
      const std::string& message = result.error().message;
      ASSERT_TRUE(message.ends_with('.') && message.size() < 600 && is_valid_utf8(message))
          << message;
    }
  }
  // Without both kinds the damage would be too weak or too strong to mean anything.
  EXPECT_GT(accepted, kInputs / 50);
  EXPECT_LT(accepted, kInputs / 2);
}

}  // namespace
}  // namespace tp
