#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/model/token_scorer.h"
#include "engine/tasks/task.h"

namespace tp {

// Greedy decoding of an encoder-decoder's answers to several examples at once, a token of each at a
// time. The bits are those of decoding them one by one, since rows do not depend on each other, and
// each weight is read once for all of them.
class AnswerWriter {
 public:
  AnswerWriter(const Transformer<float>& model, const Task& task);

  // How many answers to write at once, so that one piece of the work stays short.
  int at_once() const { return at_once_; }
  // One answer for each of `rows` of the encoder's output `memory`.
  void begin(ConstMatrix<float> memory, std::vector<Block<float>::MemoryRows> rows);
  // A token more of each answer; true when all are written.
  bool advance();
  bool writing() const { return scorer_ != nullptr; }
  // Answer i, without the end mark.
  const std::vector<int>& tokens(int i) const { return answers_[i]; }

 private:
  const Transformer<float>& model_;
  int most_tokens_, at_once_;
  std::unique_ptr<TokenScorer<float>> scorer_;
  std::vector<std::vector<int>> answers_;
  std::vector<int> open_;  // the answers that are not at their end, in the scorer's order
  std::vector<int> read_;  // the token of each that is read next
  std::vector<float> logits_;
};

}  // namespace tp
