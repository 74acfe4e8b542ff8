#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/model/token_scorer.h"

namespace tp {

// Decoding a piece at a time, for a caller with other work in between: each layer of the encoder is
// one, each token that is read another. The bits are those of decode_greedy and decode_sample.
class TokenWriter {
 public:
  // The model must outlive the writer.
  explicit TokenWriter(const Transformer<float>& model);

  // The source, and the tokens that stand there already. An encoder-only model, or what does not
  // fit, is refused.
  Status begin(const DecodeSource<float>& source, std::span<const int> prompt);
  // One piece. True when logits() say what comes next.
  bool advance();
  std::span<const float> logits() const { return logits_; }
  // Goes on with this token; advance() reads it.
  void write(int token);
  // The model's sequences end here.
  bool full() const;

 private:
  const Transformer<float>& model_;
  Batch<float> batch_;
  std::unique_ptr<Activations<float>> activations_;  // of the encoder, for one sequence
  int stage_ = 0;
  std::unique_ptr<TokenScorer<float>> scorer_;
  std::vector<int> unread_;
  std::size_t next_ = 0;
  std::vector<float> logits_;
};

}  // namespace tp
