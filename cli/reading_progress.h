#pragma once

#include <chrono>
#include <string_view>

// How far the reading of a long text is: a line on standard error that goes away, where that is a
// terminal.

namespace tp::cli {

class ReadingProgress {
 public:
  ReadingProgress();
  ~ReadingProgress();
  ReadingProgress(const ReadingProgress&) = delete;
  ReadingProgress& operator=(const ReadingProgress&) = delete;

  void show(std::string_view stage, double share);

 private:
  using Clock = std::chrono::steady_clock;

  bool terminal_;
  bool shown_ = false;
  Clock::time_point last_ = {};
};

}  // namespace tp::cli
