#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "engine/session/command.h"
#include "engine/session/snapshot.h"

// One run that is being watched: commands in, snapshots out, a little work at a time. No thread, no
// clock of its own, no user interface: a Worker, a std::thread or a test calls it.

namespace tp {

struct SessionOptions {
  std::function<double()> now;                        // milliseconds, never going back
  std::size_t memory_limit = std::size_t{1} << 30;    // of the model and its activations
  std::size_t material_limit = std::size_t{1} << 31;  // of a user's text, in bytes
  std::size_t history_limit = std::size_t{96} << 20;  // of the time machine
};

class Session {
 public:
  explicit Session(SessionOptions options);
  ~Session();

  // Takes one command; what is wrong with it is said in the next snapshot and changes nothing.
  void receive(std::span<const std::byte> command);

  // Works for about `milliseconds`, and at least one piece. Returns after how many milliseconds it
  // wants to be called again: 0 at once, -1 when there is nothing to do until a command comes.
  double work(double milliseconds);

  // What is new, or nothing. The caller has shown the one before, or will: one is in flight.
  std::vector<std::byte> take_snapshot();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tp
