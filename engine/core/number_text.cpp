#include "engine/core/number_text.h"

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

}  // namespace tp
