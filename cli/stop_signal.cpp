#include "cli/stop_signal.h"

#include <csignal>
#include <initializer_list>

namespace tp::cli {
namespace {

volatile std::sig_atomic_t noted = 0;

void note(int signal) { noted = signal; }

}  // namespace

void watch_for_stop() {
  struct sigaction action = {};
  action.sa_handler = note;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    struct sigaction before = {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_IGN) continue;
    // Every further line without a reader is another SIGPIPE, and the run must still be saved.
    action.sa_flags = static_cast<int>(SA_RESTART | (signal == SIGPIPE ? 0 : SA_RESETHAND));
    sigaction(signal, &action, nullptr);
  }
}

int stop_signal() { return noted; }

}  // namespace tp::cli
