#include "cli/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace tp {
namespace {

using std::chrono::duration;
constexpr double kRedrawSeconds = 0.1;  // of the bar
constexpr double kLineSeconds = 10;     // between lines, when no exam comes earlier
constexpr int kBarWidth = 24;

std::string time_text(double seconds) {
  const long whole = static_cast<long>(std::min(seconds + 0.5, 1e9));
  char text[40];
  if (whole < 60) {
    std::snprintf(text, sizeof text, "%lds", whole);
  } else if (whole < 3600) {
    std::snprintf(text, sizeof text, "%ldm%02lds", whole / 60, whole % 60);
  } else {
    std::snprintf(text, sizeof text, "%ldh%02ldm", whole / 3600, whole / 60 % 60);
  }
  return text;
}

}  // namespace

Progress::Progress(std::uint64_t done, int total)
    : terminal_(::isatty(STDOUT_FILENO) == 1),
      first_(done),
      total_(static_cast<std::uint64_t>(total)),
      start_(Clock::now()),
      last_shown_(start_) {}

Progress::~Progress() {
  if (bar_open_) std::printf("\n");
  std::fflush(stdout);
}

void Progress::show(const StepMetrics& step, const Evaluation* exam) {
  if (exam != nullptr) {
    heldout_exact_ = exam->exact;
    heldout_loss_ = exam->loss;
  }
  const Clock::time_point now = Clock::now();
  const double waited = duration<double>(now - last_shown_).count();
  const bool last = step.step == total_;
  const bool due = terminal_ ? waited >= kRedrawSeconds : exam != nullptr || waited >= kLineSeconds;
  if (!due && !last) return;
  last_shown_ = now;

  const double elapsed = std::max(duration<double>(now - start_).count(), 1e-9);
  const double speed = static_cast<double>(step.step - first_) / elapsed;
  std::string numbers = "step " + std::to_string(step.step) + "/" + std::to_string(total_);
  char text[80];
  std::snprintf(text, sizeof text, "  loss %.4f", step.loss);
  numbers += text;
  if (step.token_accuracy) {
    std::snprintf(text, sizeof text, "  accuracy %.3f", *step.token_accuracy);
    numbers += text;
  }
  if (heldout_exact_ || heldout_loss_) {
    std::snprintf(text, sizeof text,
                  heldout_exact_ ? "  heldout exact %.3f" : "  heldout loss %.4f",
                  heldout_exact_ ? *heldout_exact_ : *heldout_loss_);
    numbers += text;
  }
  std::snprintf(text, sizeof text, "  %.1f steps/s  %s left", speed,
                time_text(static_cast<double>(total_ - step.step) / speed).c_str());
  numbers += text;
  if (terminal_) {
    draw_bar(step, numbers.c_str());
    bar_open_ = true;
  } else {
    std::printf("%s\n", numbers.c_str());
  }
  std::fflush(stdout);
}

void Progress::draw_bar(const StepMetrics& step, const char* numbers) const {
  const int filled = static_cast<int>(step.step * kBarWidth / std::max<std::uint64_t>(total_, 1));
  std::string bar;
  for (int i = 0; i < kBarWidth; ++i) bar += i < filled ? "█" : "░";
  std::printf("\r%s %s\033[K", bar.c_str(), numbers);
}

}  // namespace tp
