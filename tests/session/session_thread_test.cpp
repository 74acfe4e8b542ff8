#include "engine/session/session_thread.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>

#include "tests/session/session_driver.h"

namespace tp::test {
namespace {

using namespace std::chrono_literals;

// Takes snapshots until one is as wanted.
Snapshot wait_for(SessionThread& thread, const std::function<bool(const Snapshot&)>& wanted) {
  const auto end = std::chrono::steady_clock::now() + 60s;
  while (std::chrono::steady_clock::now() < end) {
    const std::vector<std::byte> bytes = thread.receive();
    if (bytes.empty()) {
      std::this_thread::sleep_for(1ms);
      continue;
    }
    Snapshot snapshot = std::move(decode_snapshot(bytes).value());
    if (wanted(snapshot)) return snapshot;
  }
  ADD_FAILURE() << "the snapshot never came";
  return {};
}

TEST(SessionThread, TrainsPausesAndStops) {
  RunConfig run = small_run();
  run.train.steps = 1'000'000;
  SessionThread thread;
  thread.send(encode(Command{.what = Start{json_of(run), {}, true}}));
  wait_for(thread, [](const Snapshot& s) { return s.moment.step > 20; });
  thread.send(encode(Command{5, Pause{}}));
  const Snapshot paused = wait_for(thread, [](const Snapshot& s) { return s.answered == 5; });
  EXPECT_EQ(paused.state, RunState::paused);
  // Nothing is told while nothing happens.
  std::this_thread::sleep_for(80ms);
  EXPECT_TRUE(thread.receive().empty());
  thread.send(encode(Command{.what = Play{}}));
  wait_for(thread, [&](const Snapshot& s) { return s.moment.step > paused.moment.step; });
}

TEST(SessionThread, CanBeThrownAwayWhileItTrains) {
  RunConfig run = small_run();
  SessionThread thread;
  thread.send(encode(Command{.what = Start{json_of(run), {}, true}}));
}

}  // namespace
}  // namespace tp::test
