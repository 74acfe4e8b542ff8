#include "engine/train/answer_writer.h"

#include <algorithm>

namespace tp {

AnswerWriter::AnswerWriter(const Transformer<float>& model, const Task& task)
    : model_(model), most_tokens_(task.sizes().target + 1) {}

void AnswerWriter::begin(const Example& example) {
  if (!writer_) writer_ = std::make_unique<TokenWriter>(model_);
  const int prompt[] = {kBegin};
  const Status status = writer_->begin({example.source, example.patches}, prompt);
  TP_CHECK(status.ok(), "an example that does not fit its model");
  tokens_.clear();
  writing_ = true;
}

bool AnswerWriter::advance() {
  if (!writer_->advance()) return false;
  const std::span<const float> logits = writer_->logits();
  const int token =
      static_cast<int>(std::max_element(logits.begin(), logits.end()) - logits.begin());
  if (token != kEnd) tokens_.push_back(token);
  writing_ = token != kEnd && std::ssize(tokens_) < most_tokens_ && !writer_->full();
  if (writing_) writer_->write(token);
  return !writing_;
}

}  // namespace tp
