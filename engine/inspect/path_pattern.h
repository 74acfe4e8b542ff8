#pragma once

#include <string_view>

namespace tp {

// Whether a path fits a pattern: * stands for any characters, dots included, and ? for one.
//
//   decoder.*.cross_attn.head.?.weights   *.d_output   src_pos.weight
inline bool fits_pattern(std::string_view path, std::string_view pattern) {
  std::size_t p = 0, n = 0, star = pattern.npos, retry = 0;
  while (n < path.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      retry = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == path[n])) {
      ++p;
      ++n;
    } else if (star != pattern.npos) {
      p = star + 1;
      n = ++retry;
    } else {
      return false;
    }
  }
  return pattern.substr(p).find_first_not_of('*') == pattern.npos;
}

}  // namespace tp
