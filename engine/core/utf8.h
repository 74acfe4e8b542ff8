#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tp {

inline constexpr char32_t kInvalidCodePoint = 0xFFFFFFFF;

// Takes the first code point off `text`. Malformed bytes (overlong forms, surrogates, stray
// continuation bytes) come out one byte at a time as kInvalidCodePoint. `text` must not be empty.
char32_t next_code_point(std::string_view& text);

void append_utf8(std::string& text, char32_t code_point);

bool is_valid_utf8(std::string_view text);

// A text that can be shown, whatever the bytes: U+FFFD stands for each malformed part. A part is as
// long as it could still have become a character, as in browsers.
std::string repaired_utf8(std::string_view bytes);

// The content of a text file without its byte order mark, and with "\n" for "\r\n": the same text,
// whichever system it was saved on.
std::string text_of_file(std::string_view content);
// The same for one line of a stream.
std::string_view text_of_line(std::string_view line, bool first);

// The 11,172 precomposed syllables, and the letters they are made of.
constexpr bool is_hangul_syllable(char32_t c) { return c >= 0xAC00 && c <= 0xD7A3; }
constexpr bool is_hangul(char32_t c) {
  return is_hangul_syllable(c) || (c >= 0x1100 && c <= 0x11FF) || (c >= 0x3130 && c <= 0x318F);
}

}  // namespace tp
