#pragma once

#include <memory>

#include "engine/session/answerer.h"
#include "engine/session/command.h"
#include "engine/session/snapshot.h"
#include "engine/tasks/task.h"

namespace tp {

// The result of a typed input, computed piece by piece.
class Trial {
 public:
  // Reads the command's text; what cannot be read is done at once, with a problem.
  Trial(std::uint32_t id, const TryInput& command, const Transformer<float>& model,
        const std::shared_ptr<const Task>& task);

  bool done() const { return result_.done; }
  // With the weights of this moment.
  void advance(Moment moment);
  const TryInput& command() const { return command_; }
  const TryResult& result() const { return result_; }
  // When it is done without a problem: what was read, with the model's answer for the right one, as
  // far as the task's answers reach.
  Example answered() const;

 private:
  void read();
  void refuse(const Error& error);
  void tell();

  TryInput command_;
  std::shared_ptr<const Task> task_;
  Answerer answerer_;
  TryResult result_;
};

}  // namespace tp
