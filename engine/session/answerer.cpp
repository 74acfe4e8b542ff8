#include "engine/session/answerer.h"

#include <algorithm>

#include "engine/model/decode.h"
#include "engine/session/shown_answer.h"

namespace tp {
namespace {

constexpr std::size_t kCandidates = 8;

}  // namespace

Answerer::Answerer(const Transformer<float>& model, std::shared_ptr<const Task> task)
    : model_(model), task_(std::move(task)), batches_(*task_, model.config(), 1) {}

Status Answerer::begin(Example example, const AnswerOptions& options) {
  example_ = std::move(example);
  options_ = options;
  if (options_.most_tokens == 0) options_.most_tokens = task_->sizes().target + 1;
  rng_ = Rng(options.seed);
  answer_ = {};
  steps_.clear();
  stage_ = 0;
  if (model_.config().has_decoder()) return begin_writing();
  if (!activations_) {
    auto made = model_.make_activations(batch_limits(model_.config(), 1));
    if (!made) return made.error();
    activations_ = std::move(made.value());
  }
  batches_.clear();
  batches_.add(example_);
  batches_.pack();
  return Done{};
}

bool Answerer::advance() { return model_.config().has_decoder() ? write() : compute(); }

// ----------------------------------------------------------------------------------------- writing

Status Answerer::begin_writing() {
  if (!writer_) writer_ = std::make_unique<TokenWriter>(model_);
  if (model_.config().has_encoder()) {
    const int prompt[] = {kBegin};
    return writer_->begin({example_.source, example_.patches}, prompt);
  }
  // A language model sees so much of the past; when that is full it begins again with the later
  // half.
  std::vector<int> prompt = example_.target;
  prompt.insert(prompt.end(), answer_.tokens.begin(), answer_.tokens.end());
  const std::ptrdiff_t longest = model_.config().max_target_length;
  const std::ptrdiff_t kept =
      answer_.tokens.empty() ? longest : std::max<std::ptrdiff_t>(longest / 2, 1);
  if (std::ssize(prompt) > kept) prompt.erase(prompt.begin(), prompt.end() - kept);
  return writer_->begin({}, prompt);
}

bool Answerer::write() {
  if (!writer_->advance()) return false;
  const int token = choose(writer_->logits());
  const bool ended = model_.config().has_encoder() && token == kEnd;
  if (!ended) answer_.tokens.push_back(token);
  if (ended || std::ssize(answer_.tokens) >= options_.most_tokens) return true;
  if (!writer_->full()) {
    writer_->write(token);
    return false;
  }
  if (model_.config().has_encoder()) return true;
  return !begin_writing().ok();
}

int Answerer::choose(std::span<const float> logits) {
  const Vocabulary& words = task_->target_vocabulary();
  // No answer holds <pad> or <bos>, and a text goes on without any mark: these come first.
  const int first = std::min(model_.config().has_encoder() ? kEnd : words.marks(), words.marks());
  const bool greedy = options_.temperature <= 0;
  std::vector<TokenChance> chances = sampling_distribution(
      logits.subspan(static_cast<std::size_t>(first)),
      {.temperature = greedy ? 1 : options_.temperature, .top_k = options_.top_k});
  for (TokenChance& chance : chances) chance.token += first;
  const TokenChance* chosen = &chances.front();
  if (!greedy) {
    double left = rng_.uniform();
    for (const TokenChance& chance : chances) {
      chosen = &chance;
      left -= chance.probability;
      if (left < 0) break;
    }
  }
  if (!options_.candidates) return chosen->token;

  TryStep step;
  step.token = words.word(chosen->token);
  step.probability = chosen->probability;
  for (const TokenChance& chance :
       std::span(chances).first(std::min(kCandidates, chances.size()))) {
    step.candidates.push_back({std::string(words.word(chance.token)), chance.probability});
  }
  // As far as the true answer is known: the end mark comes after its last token.
  if (model_.config().has_encoder() && !example_.target.empty()) {
    const std::size_t at = answer_.tokens.size();
    const int expected = at < example_.target.size()    ? example_.target[at]
                         : at == example_.target.size() ? kEnd
                                                        : kPad;
    step.right = chosen->token == expected;
  }
  steps_.push_back(std::move(step));
  return chosen->token;
}

// -------------------------------------------------------------------------------- classes, numbers

bool Answerer::compute() {
  model_.forward_stage(stage_++, batches_.packed(), {}, *activations_);
  if (stage_ < model_.stages()) return false;
  const ConstMatrix<float> logits = activations_->logits();
  const std::span<const float> row(logits.row(0), static_cast<std::size_t>(logits.columns));
  if (model_.config().head == HeadKind::regression) {
    answer_.values.assign(row.begin(), row.end());
  } else {
    answer_.label = static_cast<int>(std::ranges::max_element(row) - row.begin());
    if (options_.candidates) name_class();
  }
  return true;
}

void Answerer::name_class() {
  const ConstMatrix<float> logits = activations_->logits();
  const std::vector<TokenChance> chances = sampling_distribution(
      std::span<const float>(logits.row(0), static_cast<std::size_t>(logits.columns)), {});
  TryStep step;
  for (const TokenChance& chance :
       std::span(chances).first(std::min(kCandidates, chances.size()))) {
    step.candidates.push_back({task_->classes()[chance.token], chance.probability});
  }
  step.token = step.candidates.front().token;
  step.probability = step.candidates.front().probability;
  step.right = example_.label < 0 || example_.label == answer_.label;
  steps_.push_back(std::move(step));
}

}  // namespace tp
