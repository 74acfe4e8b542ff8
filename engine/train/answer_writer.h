#pragma once

#include <memory>
#include <vector>

#include "engine/model/token_writer.h"
#include "engine/tasks/task.h"

namespace tp {

// Greedy decoding of an encoder-decoder's answer, a piece at a time: a layer of the encoder, or a
// token.
class AnswerWriter {
 public:
  AnswerWriter(const Transformer<float>& model, const Task& task);

  void begin(const Example& example);
  // True when the answer is written.
  bool advance();
  bool writing() const { return writing_; }
  // Without the end mark.
  const std::vector<int>& tokens() const { return tokens_; }

 private:
  const Transformer<float>& model_;
  int most_tokens_;
  std::unique_ptr<TokenWriter> writer_;
  std::vector<int> tokens_;
  bool writing_ = false;
};

}  // namespace tp
