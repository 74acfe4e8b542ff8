#include "tests/subjects/tokenizer_subjects.h"

#include <span>

#include "engine/core/check.h"
#include "engine/core/rng.h"
#include "engine/core/utf8.h"

namespace tp {
namespace {

constexpr std::string_view kSample =
    R"(A small model learns to read. It looks at every word it has seen, and asks which of them matter
for the next one. The answers are numbers; the numbers are weights; the weights are what it learns.
It doesn't know what a word is. It's shown pieces, and it learns which pieces follow which. We're
watching it learn: the loss falls, and the pattern that was noise becomes a line.

나는 학교에 간다. 너는 매일 도서관에 간다. 우리는 어제 공원에서 고양이를 봤다. 고양이가 쥐를 잡았다.
친구들이 카페에서 빵을 먹었다. 선생님은 학생을 돕는다. 아이는 물을 마신다. 내일 우리는 시장에서 꽃을 살 것이다.
나는 학교에서 친구를 만났다. 학생들은 책을 좋아한다. 큰 개가 작은 고양이를 좋아한다.

I go to school. You go to the library every day. We saw the cat at the park yesterday. The cat caught
the mouse. The friends ate bread at the cafe. The teacher helps the student. The child drinks water.
Tomorrow we will buy the flower at the market. I met the friend at school. The students like the book.

In 2017 the model had 6 layers, 8 heads and 512 numbers per token; 2048 in between. 3 + 4 = 7, 12 * 12 =
144, and 1,000 - 1 = 999. At 10:30 it is 25.5 degrees (or 78%), isn't it? "Yes!" - they'd say: that's all
we've got... I'll see; I'm sure you'd see it too.

    for step in range(1000):
        loss = model(batch)
        if loss < 0.01:	break

The word for school is 학교, the word for water is 물, and ∑ is the sign of a sum. Good :-) 😀 very good 👍🏽!
)";

using Strings = std::vector<std::string_view>;

// What a string is put together from.
const std::vector<Strings>& ingredients() {
  static const std::vector<Strings> kIngredients = {
      // words, known and not
      {"the", "school", "model", "learns", "Transformer", "zebra", "don't", "it's", "we'll", "I'M",
       "they've", "'sup", "o'clock", "x'd", "''re", "naïve", "Straße", "İstanbul"},
      // Korean: syllables known and rare, letters on their own, composed from jamo
      {"나는", "학교에", "간다", "고양이", "뷁", "힣", "ㄱ", "ㅋㅋㅋ", "한", "안녕하세요",
       "읽었습니다"},
      // emoji: plain, with skin colour, joined, flags, keycaps
      {"😀", "👍🏽", "👩‍💻", "🏳️‍🌈", "🇰🇷", "5️⃣", "❤️", "🫠",
       "👨‍👩‍👧‍👦", "☺"},
      // spaces of every width, and what some libraries take for one
      {" ",      "  ",     "   ",    "\n",     "\r\n",   "\t",     "\n\n",
       " \n ",   "\u00a0", "\u2003", "\u3000", "\u2028", "\u1680", "\u202f",
       "\u205f", "\ufeff", "\u0085", "\u200b", "\u180e", "\v",     "\f"},
      // numbers of every script
      {"0", "7", "42", "1,000", "3.14", "-1", "1e-5", "½", "²", "Ⅷ", "٣", "๔", "四", "④", "𝟘"},
      // punctuation and signs
      {".", ",",  "!",  "?!", "...", "…", "'", "\"", "(",  ")",  "[]", "{}",
       "—", "«»", "¿",  "、", "。",  "@", "#", "%",  "&&", "||", "\\", "/",
       "<", ">",  "<=", "∑",  "€",   "₩", "→", "▁",  "▁▁", "Ġ",  "^_^"},
      // other scripts, combining marks, letters outside the basic plane
      {"Привет", "мир",     "γειά", "שלום", "مرحبا", "नमस्ते", "ไทย", "日本語", "かな", "カナ",
       "漢字",   "e\u0301", "Ω",    "ǅ",    "ʰ",     "𐍈",    "𝔸",   "𠀀",     "ꙮ",    "ﷺ"},
      // control characters and noncharacters
      {std::string_view("\0", 1), "\x01", "\x07", "\x1b[0m", "\x1c", "\x1f", "\x7f", "\u0080",
       "\u009f", "\u00ad", "\u200d", "\ufffd", "\uffff", "\U0010ffff", "\ue000"},
      // special tokens, whole and almost
      {"<pad>", "<bos>", "<eos>", "<unk>", "<eos", "<<bos>>", "<PAD>", "< pad >"},
  };
  return kIngredients;
}

std::string_view one_of(const Strings& strings, Rng& rng) {
  return strings[rng.below(static_cast<std::uint32_t>(strings.size()))];
}

// A few ingredients of one sort or of all of them, with or without spaces between.
std::string mixture(Rng& rng) {
  const auto& all = ingredients();
  const auto any = [&] { return rng.below(static_cast<std::uint32_t>(all.size())); };
  const bool mixed = rng.bernoulli(0.5), spaced = rng.bernoulli(0.5);
  const std::uint32_t sort = any();
  std::string text;
  for (std::uint32_t count = 1 + rng.below(12); count > 0; --count) {
    text += one_of(all[mixed ? any() : sort], rng);
    if (spaced && count > 1) text += ' ';
  }
  return text;
}

// A piece of the sample, cut between characters anywhere.
std::string excerpt(Rng& rng) {
  std::string_view rest =
      kSample.substr(rng.below(static_cast<std::uint32_t>(kSample.size() - 200)));
  std::string text;
  for (std::uint32_t count = 1 + rng.below(60); count > 0; --count) {
    const char32_t character = next_code_point(rest);
    if (character != kInvalidCodePoint) append_utf8(text, character);
  }
  return text;
}

// Any character that every Unicode since 10.0 has put into the same class.
std::string random_characters(Rng& rng) {
  constexpr char32_t kBlocks[][2] = {
      {0x0, 0x2ff},       {0x370, 0x373},    {0x391, 0x3a1},   {0x400, 0x52f},   {0x5d0, 0x5ea},
      {0x621, 0x669},     {0x904, 0x939},    {0x1100, 0x11ff}, {0x2000, 0x2064}, {0x2150, 0x218b},
      {0x3000, 0x3096},   {0x4e00, 0x9fd5},  {0xac00, 0xd7a3}, {0xff01, 0xff5e}, {0x1f300, 0x1f64f},
      {0x20000, 0x2a6d6}, {0xe0100, 0xe01ef}};
  std::string text;
  for (std::uint32_t count = 1 + rng.below(16); count > 0; --count) {
    const auto& block = kBlocks[rng.below(static_cast<std::uint32_t>(std::size(kBlocks)))];
    append_utf8(text, block[0] + rng.below(block[1] - block[0] + 1));
  }
  return text;
}

}  // namespace

std::string_view tokenizer_sample() { return kSample; }

const std::vector<NamedTokenizerOptions>& tokenizer_subjects() {
  static const std::vector<NamedTokenizerOptions> kSubjects = [] {
    std::vector<NamedTokenizerOptions> subjects;
    const auto add = [&](std::string_view name, TokenizerKind kind, int size) {
      TokenizerOptions options;
      options.kind = kind;
      options.vocabulary_size = size;
      subjects.push_back({name, options});
    };
    add("character", TokenizerKind::kCharacter, 100);  // the rarest characters have no room
    add("word", TokenizerKind::kWord, 120);
    add("byte_bpe", TokenizerKind::kByteBpe, 450);
    add("sentencepiece", TokenizerKind::kSentencePiece, 240);
    return subjects;
  }();
  return kSubjects;
}

Tokenizer trained_subject(TokenizerKind kind) {
  for (const NamedTokenizerOptions& subject : tokenizer_subjects()) {
    if (subject.options.kind != kind) continue;
    Result<Tokenizer> tokenizer = Tokenizer::train(kSample, subject.options);
    TP_CHECK(tokenizer.ok(), "the sample trains every kind");
    return std::move(tokenizer.value());
  }
  TP_CHECK(false, "there is a subject of every kind");
  return Tokenizer({});
}

std::vector<std::string> tokenizer_strings(std::size_t count, std::uint64_t seed) {
  std::vector<std::string> strings = {""};
  for (std::size_t i = 1; i < count; ++i) {
    Rng rng(seed, i);
    const std::uint32_t sort = rng.below(10);
    strings.push_back(sort < 6 ? mixture(rng) : sort < 8 ? excerpt(rng) : random_characters(rng));
  }
  return strings;
}

}  // namespace tp
