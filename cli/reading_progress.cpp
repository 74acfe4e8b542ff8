#include "cli/reading_progress.h"

#include <unistd.h>

#include <cstdio>

namespace tp::cli {

ReadingProgress::ReadingProgress() : terminal_(isatty(STDERR_FILENO) != 0) {}

ReadingProgress::~ReadingProgress() {
  if (shown_) std::fprintf(stderr, "\r\033[K");
}

void ReadingProgress::show(std::string_view stage, double share) {
  constexpr std::chrono::milliseconds kBetween(200);
  const Clock::time_point now = Clock::now();
  if (!terminal_ || now - last_ < kBetween) return;
  last_ = now;
  shown_ = true;
  std::fprintf(stderr, "\r\033[K%.*s %3.0f%%", static_cast<int>(stage.size()), stage.data(),
               100 * share);
  std::fflush(stderr);
}

}  // namespace tp::cli
