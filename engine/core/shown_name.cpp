#include "engine/core/shown_name.h"

#include <algorithm>

namespace tp {

std::string shown_name(std::string_view name) {
  constexpr std::size_t kLongest = 80;
  std::size_t length = std::min(name.size(), kLongest);
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
  if (length < name.size()) {
    while (length > 0 && continues(name[length])) --length;  // no half characters
  }
  std::string text = "'";
  for (const char c : name.substr(0, length)) {
    text += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  }
  if (length < name.size()) text += "...";
  return text + "'";
}

}  // namespace tp
