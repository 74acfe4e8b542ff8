#include "engine/core/number_text.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace tp {

std::string short_text(double value) {
  char text[40];
  for (const int digits : {15, 16, 17}) {  // 17 are always enough
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    if (std::strtod(text, nullptr) == value) break;
  }
  return text;
}

std::string percent_text(double share) {
  const double tenths = std::round(1000 * share);
  char text[40];
  std::snprintf(text, sizeof text, "%.*f%%", std::fmod(tenths, 10) == 0 ? 0 : 1, tenths / 10);
  return text;
}

std::uint64_t megabytes(std::uint64_t bytes) { return (bytes + (1u << 20) - 1) >> 20; }

std::string megabytes_text(std::uint64_t bytes) { return std::to_string(megabytes(bytes)) + " MB"; }

}  // namespace tp
