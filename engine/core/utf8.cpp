#include "engine/core/utf8.h"

#include "engine/core/check.h"

namespace tp {

char32_t next_code_point(std::string_view& text) {
  TP_CHECK(!text.empty(), "next_code_point() of an empty text");
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const size_t length = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : 4;
  const bool lead = first < 0x80 || (first >= 0xC2 && first <= 0xF4);
  char32_t code = length == 1 ? first : first & (0x7F >> length);
  bool valid = lead && length <= text.size();
  for (size_t i = 1; valid && i < length; ++i) {
    valid = byte(i) >> 6 == 2;
    code = code << 6 | (byte(i) & 0x3F);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (!valid || overlong || surrogate || code > 0x10FFFF) {
    text.remove_prefix(1);
    return kInvalidCodePoint;
  }
  text.remove_prefix(length);
  return code;
}

void append_utf8(std::string& text, char32_t c) {
  const auto put = [&](char32_t value) { text.push_back(static_cast<char>(value)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | c >> 6);
    put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | c >> 12);
    put(0x80 | (c >> 6 & 0x3F));
    put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | c >> 18);
    put(0x80 | (c >> 12 & 0x3F));
    put(0x80 | (c >> 6 & 0x3F));
    put(0x80 | (c & 0x3F));
  }
}

bool is_valid_utf8(std::string_view text) {
  while (!text.empty()) {
    if (next_code_point(text) == kInvalidCodePoint) return false;
  }
  return true;
}

namespace {

// How many bytes at the start, at least one, begin a character that then breaks off.
size_t malformed_length(std::string_view bytes) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned char first = byte(0);
  if (first < 0xC2 || first > 0xF4) return 1;
  // Some leads allow only part of the continuation bytes next: no overlong forms, no surrogates,
  // nothing beyond U+10FFFF.
  const unsigned char low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const unsigned char high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  if (bytes.size() < 2 || byte(1) < low || byte(1) > high) return 1;
  // Three-byte leads that came this far lack their last byte; four-byte leads may have one more.
  const bool third = first >= 0xF0 && bytes.size() > 2 && byte(2) >> 6 == 2;
  return third ? 3 : 2;
}

}  // namespace

std::string_view text_of_line(std::string_view line, bool first) {
  if (first && line.starts_with("\uFEFF")) line.remove_prefix(3);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string text_of_file(std::string_view content) {
  if (content.starts_with("\uFEFF")) content.remove_prefix(3);
  std::string text;
  text.reserve(content.size());
  for (std::size_t i = 0; i < content.size(); ++i) {
    const bool ends_line = content[i] == '\r' && i + 1 < content.size() && content[i + 1] == '\n';
    if (!ends_line) text += content[i];
  }
  return text;
}

std::string repaired_utf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    std::string_view rest = bytes;
    const bool valid = next_code_point(rest) != kInvalidCodePoint;
    const size_t length = valid ? bytes.size() - rest.size() : malformed_length(bytes);
    text += valid ? bytes.substr(0, length) : "\uFFFD";
    bytes.remove_prefix(length);
  }
  return text;
}

}  // namespace tp
