#include "engine/core/shown_name.h"

#include <algorithm>

namespace tp {

std::string shown_text(std::string_view text) {
  constexpr std::size_t kLongest = 80;
  std::size_t length = std::min(text.size(), kLongest);
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
  if (length < text.size()) {
    while (length > 0 && continues(text[length])) --length;  // no half characters
  }
  std::string shown;
  for (const char c : text.substr(0, length)) {
    shown += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  }
  if (length < text.size()) shown += "...";
  return shown;
}

std::string shown_name(std::string_view name) { return "'" + shown_text(name) + "'"; }

}  // namespace tp
