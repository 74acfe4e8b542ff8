#pragma once

#include <memory>

#include "engine/session/answerer.h"
#include "engine/session/command.h"
#include "engine/session/snapshot.h"
#include "engine/tasks/task.h"

namespace tp {

// What came of an input that somebody typed, piece by piece.
class Trial {
 public:
  // Reads the command's text; what cannot be read is done at once, with a problem.
  Trial(std::uint32_t id, const TryInput& command, const Transformer<float>& model,
        const std::shared_ptr<const Task>& task);

  bool done() const { return result_.done; }
  void advance();
  const TryResult& result() const { return result_; }

 private:
  void read(const TryInput& command);
  void refuse(const Error& error);
  void tell();

  std::shared_ptr<const Task> task_;
  Answerer answerer_;
  TryResult result_;
};

}  // namespace tp
