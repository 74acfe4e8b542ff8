#include "engine/model/token_writer.h"

#include "engine/model/decode_source.h"

namespace tp {

TokenWriter::TokenWriter(const Transformer<float>& model)
    : model_(model), logits_(static_cast<std::size_t>(model.config().target_vocabulary)) {}

Status TokenWriter::begin(const DecodeSource<float>& source, std::span<const int> prompt) {
  const ModelConfig& config = model_.config();
  if (Status status = check_decodable(config, 1); !status) return status;
  if (Status status = pack_source(config, source, 1, batch_); !status) return status;
  if (prompt.empty() || std::ssize(prompt) > config.max_target_length) {
    return Error{"the prompt is empty or longer than the model's sequences: change its length."};
  }
  if (config.has_encoder() && !activations_) {
    auto made = model_.make_activations({1, config.max_source_length, 1});
    if (!made) return made.error();
    activations_ = std::move(made.value());
  }
  stage_ = config.has_encoder() ? 0 : model_.encode_stages();
  scorer_.reset();
  unread_.assign(prompt.begin(), prompt.end());
  next_ = 0;
  return Done{};
}

bool TokenWriter::advance() {
  if (stage_ < model_.encode_stages()) {
    model_.encode_stage(stage_++, batch_, {}, *activations_);
    return false;
  }
  if (!scorer_) {
    const ConstMatrix<float> memory =
        activations_ ? activations_->source.stack.output : ConstMatrix<float>();
    const Block<float>::MemoryRows all{0, memory.rows};
    auto made = cached_scorer_of<float>(model_, memory, {&all, 1}, 1);
    TP_CHECK(made.ok(), "one sequence fits into memory");
    scorer_ = std::move(made.value());
  }
  const int columns = static_cast<int>(logits_.size());
  scorer_->step(std::span(unread_).subspan(next_++, 1), {logits_.data(), 1, columns});
  return next_ == unread_.size();
}

void TokenWriter::write(int token) {
  unread_.assign(1, token);
  next_ = 0;
}

bool TokenWriter::full() const { return scorer_ && scorer_->length() >= scorer_->max_length(); }

}  // namespace tp
