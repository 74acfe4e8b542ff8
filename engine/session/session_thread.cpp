#include "engine/session/session_thread.h"

#include <chrono>
#include <utility>

namespace tp {
namespace {

constexpr double kSlice = 8;  // milliseconds of work between looks at the inbox
constexpr double kBetweenSnapshots = 1000.0 / 30;

double steady_milliseconds() {
  using namespace std::chrono;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

}  // namespace

SessionThread::SessionThread(SessionOptions options) {
  if (!options.now) options.now = steady_milliseconds;
  thread_ =
      std::thread([this, options = std::move(options)]() mutable { live(std::move(options)); });
}

SessionThread::~SessionThread() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void SessionThread::send(std::vector<std::byte> command) {
  {
    const std::lock_guard lock(mutex_);
    inbox_.push_back(std::move(command));
  }
  wake_.notify_one();
}

std::vector<std::byte> SessionThread::receive() {
  std::vector<std::byte> snapshot;
  {
    const std::lock_guard lock(mutex_);
    snapshot = std::exchange(snapshot_, {});
  }
  if (!snapshot.empty()) wake_.notify_one();
  return snapshot;
}

void SessionThread::live(SessionOptions options) {
  Session session(std::move(options));
  double wait = -1, last_snapshot = -1e9;
  bool idle = true;  // everything there was to tell has been told
  std::unique_lock lock(mutex_);
  for (;;) {
    if (wait != 0) {
      const auto awake = [&] { return stop_ || !inbox_.empty() || (!idle && snapshot_.empty()); };
      if (wait < 0 && idle) {
        wake_.wait(lock, awake);
      } else {
        // Something is due later: a step, or a snapshot that is not to come too soon.
        const double due = wait < 0 ? kBetweenSnapshots : std::min(wait, kBetweenSnapshots);
        wake_.wait_for(lock, std::chrono::duration<double, std::milli>(due),
                       [&] { return stop_ || !inbox_.empty(); });
      }
    }
    if (stop_) return;
    std::deque<std::vector<std::byte>> commands = std::exchange(inbox_, {});
    const bool room = snapshot_.empty();
    lock.unlock();
    for (const auto& command : commands) session.receive(command);
    wait = session.work(kSlice);
    std::vector<std::byte> snapshot;
    const double now = steady_milliseconds();
    if (room && now - last_snapshot >= kBetweenSnapshots) {
      snapshot = session.take_snapshot();
      idle = snapshot.empty();
      if (!snapshot.empty()) last_snapshot = now;
    } else {
      idle = false;
    }
    lock.lock();
    if (!snapshot.empty()) snapshot_ = std::move(snapshot);
  }
}

}  // namespace tp
