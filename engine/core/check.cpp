#include "engine/core/check.h"

#include <cstdio>
#include <cstdlib>

namespace tp {

void check_failed(const char* condition, const char* message, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: %s (failed: %s)\n", file, line, message, condition);
  std::abort();
}

}  // namespace tp
