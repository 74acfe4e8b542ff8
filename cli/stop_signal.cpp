#include "cli/stop_signal.h"

#include <csignal>

namespace tp::cli {
namespace {

volatile std::sig_atomic_t requested = 0;

void note(int) { requested = 1; }

}  // namespace

void watch_for_stop() {
  struct sigaction action = {};
  action.sa_handler = note;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool stop_requested() { return requested != 0; }

}  // namespace tp::cli
