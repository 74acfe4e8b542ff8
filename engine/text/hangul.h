#pragma once

#include <string>
#include <string_view>

#include "engine/core/utf8.h"

namespace tp {

// A syllable is 0xAC00 + (initial * 21 + vowel) * 28 + final, where final 0 is none.
constexpr bool has_final_consonant(char32_t syllable) {
  return is_hangul_syllable(syllable) && (syllable - 0xAC00) % 28 != 0;
}
// Of a word's last character; false for an empty word.
bool ends_in_consonant(std::string_view word);

// Puts letters that were typed or stored one by one (U+1100 to U+11C2, as macOS does in file names)
// together to syllables: what NFC does to Hangul. Everything else, malformed bytes included, is
// left as it is.
std::string compose_hangul(std::string_view text);

}  // namespace tp
