#include "cli/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace tp::cli {
namespace {

using std::chrono::duration;
constexpr double kRedrawSeconds = 0.1;  // of the bar
constexpr double kLineSeconds = 10;     // between lines, when no exam comes earlier
constexpr int kBarWidth = 24;           // at most
constexpr int kShortestBar = 4;

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

// A line that is wider is broken by the terminal, and a new one would begin at every redraw.
int terminal_columns() {
  winsize size{};
  const bool known = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
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
  std::string numbers = std::to_string(step.step) + "/" + std::to_string(total_);
  char text[80];
  std::snprintf(text, sizeof text, "  loss %.4f", step.loss);
  numbers += text;
  if (step.token_accuracy) {
    std::snprintf(text, sizeof text, "  accuracy %.3f", *step.token_accuracy);
    numbers += text;
  }
  if (heldout_exact_ || heldout_loss_) {
    std::snprintf(text, sizeof text, heldout_exact_ ? "  held-out %.3f" : "  held-out loss %.4f",
                  heldout_exact_ ? *heldout_exact_ : *heldout_loss_);
    numbers += text;
  }
  std::snprintf(text, sizeof text, "  %.1f/s  %s left", speed,
                time_text(static_cast<double>(total_ - step.step) / speed).c_str());
  numbers += text;
  if (terminal_) {
    draw_bar(step, numbers);
    bar_open_ = true;
  } else {
    std::printf("step %s\n", numbers.c_str());
  }
  std::fflush(stdout);
}

void Progress::draw_bar(const StepMetrics& step, std::string_view numbers) const {
  const int columns = terminal_columns() - 1;  // the last one is the cursor's
  numbers = numbers.substr(0, static_cast<std::size_t>(std::max(columns, 0)));
  const int width = std::min(columns - static_cast<int>(numbers.size()) - 1, kBarWidth);
  std::string bar;
  if (width >= kShortestBar) {
    const auto parts = static_cast<std::uint64_t>(width);
    const int filled = static_cast<int>(step.step * parts / std::max<std::uint64_t>(total_, 1));
    for (int i = 0; i < width; ++i) bar += i < filled ? "█" : "░";
    bar += ' ';
  }
  std::printf("\r%s%.*s\033[K", bar.c_str(), static_cast<int>(numbers.size()), numbers.data());
}

}  // namespace tp::cli
