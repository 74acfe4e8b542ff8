#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/train/evaluation.h"
#include "engine/train/trainer.h"

// How a run is getting on: a bar that redraws itself on a terminal, a line now and then elsewhere.

namespace tp::cli {

class Progress {
 public:
  // Of a run that has `done` of `total` steps behind it.
  Progress(std::uint64_t done, int total);
  // A bar is not left behind unfinished.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `exam` is null at steps without one.
  void show(const StepMetrics& step, const Evaluation* exam);

 private:
  using Clock = std::chrono::steady_clock;

  void draw_bar(const StepMetrics& step, std::string_view numbers) const;

  bool terminal_;
  std::uint64_t first_;
  std::uint64_t total_;
  Clock::time_point start_, last_shown_;
  std::optional<double> heldout_exact_, heldout_loss_;
  bool bar_open_ = false;
};

}  // namespace tp::cli
