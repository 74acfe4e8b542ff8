#pragma once

#include <string>
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

// Where the gradient of the tensor at `path` is: d_ before the last part.
inline std::string gradient_path(const std::string& path) {
  const std::size_t last = path.rfind('.') + 1;
  return path.substr(0, last) + "d_" + path.substr(last);
}

}  // namespace tp
