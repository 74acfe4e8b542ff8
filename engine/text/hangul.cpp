#include "engine/text/hangul.h"

namespace tp {
namespace {

constexpr char32_t kSyllables = 0xAC00, kInitials = 0x1100, kVowels = 0x1161, kFinals = 0x11A7;
constexpr char32_t kInitialCount = 19, kVowelCount = 21, kFinalCount = 28;  // with "no final"

constexpr bool is_initial(char32_t c) { return c >= kInitials && c < kInitials + kInitialCount; }
constexpr bool is_vowel(char32_t c) { return c >= kVowels && c < kVowels + kVowelCount; }
constexpr bool is_final(char32_t c) { return c > kFinals && c < kFinals + kFinalCount; }

}  // namespace

bool ends_in_consonant(std::string_view word) {
  char32_t last = 0;
  while (!word.empty()) last = next_code_point(word);
  return has_final_consonant(last);
}

std::string compose_hangul(std::string_view text) {
  std::string composed;
  composed.reserve(text.size());
  char32_t pending = 0;  // a code point that what follows may still become part of; 0 is none
  const auto flush = [&] {
    if (pending != 0) append_utf8(composed, pending);
    pending = 0;
  };
  while (!text.empty()) {
    const char first = text.front();
    const char32_t c = next_code_point(text);
    if (c == kInvalidCodePoint || c == 0) {
      flush();
      composed.push_back(first);
    } else if (is_initial(pending) && is_vowel(c)) {
      pending = kSyllables + ((pending - kInitials) * kVowelCount + (c - kVowels)) * kFinalCount;
    } else if (is_hangul_syllable(pending) && !has_final_consonant(pending) && is_final(c)) {
      pending += c - kFinals;
    } else {
      flush();
      pending = c;
    }
  }
  flush();
  return composed;
}

}  // namespace tp
