#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "engine/session/session.h"

// A session on a thread of its own, for programs that have threads. Like a Worker: bytes in, bytes
// out, one snapshot waiting.

namespace tp {

class SessionThread {
 public:
  // `options.now` may be left out.
  explicit SessionThread(SessionOptions options = {});
  ~SessionThread();  // waits for the piece that is being worked on
  SessionThread(const SessionThread&) = delete;
  SessionThread& operator=(const SessionThread&) = delete;

  void send(std::vector<std::byte> command);
  // The snapshot that waits, or nothing. The next one is made after this one was taken.
  std::vector<std::byte> receive();

 private:
  void live(SessionOptions options);

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::vector<std::byte>> inbox_;
  std::vector<std::byte> snapshot_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace tp
