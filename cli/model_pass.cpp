#include "cli/model_pass.h"

#include "engine/core/shown_name.h"
#include "engine/tasks/text_pieces.h"
#include "engine/text/tokenizer.h"

namespace tp::cli {
namespace {

constexpr std::size_t kWordsNamed = 40;

bool find_all(const Vocabulary& vocabulary, const std::vector<std::string_view>& words,
              std::vector<int>& tokens) {
  tokens.clear();
  for (std::string_view word : words) {
    tokens.push_back(vocabulary.find(word));
    if (tokens.back() < 0) return false;
  }
  return !tokens.empty();
}

Result<std::vector<int>> check_length(const Task& task, std::vector<int> tokens) {
  if (static_cast<int>(tokens.size()) > task.sizes().target) {
    return Error{"the target has " + std::to_string(tokens.size()) + " tokens, more than the " +
                 std::to_string(task.sizes().target) + " that the model can write: give fewer."};
  }
  return tokens;
}

}  // namespace

Result<Example> read_input(const Task& task, std::string_view text) {
  Parsed parsed = task.parse(text);
  if (parsed.example || parsed.known_words.empty()) return std::move(parsed.example);
  std::string message = parsed.example.error().message;
  if (message.ends_with('.')) message.pop_back();
  message += " (known:";
  for (std::size_t i = 0; i < parsed.known_words.size() && i < kWordsNamed; ++i) {
    message += " " + std::string(parsed.known_words[i]);
  }
  return Error{message + (parsed.known_words.size() > kWordsNamed ? " ...)." : ").")};
}

Result<std::vector<int>> read_target(const Task& task, std::string_view text) {
  if (task.info().kind != TaskKind::encoder_decoder) {
    return Error{"the task " + std::string(task.info().name) +
                 " writes no target: leave --target out."};
  }
  std::vector<int> tokens;
  if (const auto& writes = task.tokenizers().writes) {
    tokens = writes->encode(text, Tokenizer::Spelled::kText);
    return check_length(task, std::move(tokens));
  }
  // Tokens are words or characters; whichever the vocabulary has.
  const Vocabulary& vocabulary = task.target_vocabulary();
  bool known = find_all(vocabulary, split_words(text), tokens);
  if (!known) known = find_all(vocabulary, split_characters(text), tokens);
  if (!known) {
    std::vector<std::string_view> characters;
    for (std::string_view word : split_words(text)) {
      for (std::string_view character : split_characters(word)) characters.push_back(character);
    }
    known = find_all(vocabulary, characters, tokens);
  }
  if (!known) {
    return Error{"the target " + shown_name(text) +
                 " has something that the task never writes: see tp tasks for examples."};
  }
  return check_length(task, std::move(tokens));
}

Result<ModelPass> run_pass(const Transformer<float>& model, const Task& task, Example example) {
  const ModelConfig& config = model.config();
  if (config.architecture == Architecture::decoder_only) {
    example.target.push_back(kEnd);  // a batch leaves the last one, which nothing follows, out
  }
  ModelPass pass;
  pass.batches = std::make_unique<BatchMaker>(task, config, 1);
  pass.batches->clear();
  pass.batches->add(example);
  pass.batches->pack();
  auto activations =
      model.make_activations(batch_limits(config, 1), GradientMemory::kept, std::size_t{8} << 30);
  if (!activations) return activations.error();
  pass.activations = std::move(activations.value());
  model.forward(pass.batch(), {}, *pass.activations);
  return pass;
}

bool has_answer(const Example& example, const ModelConfig& config) {
  if (config.has_decoder()) return true;
  return config.head == HeadKind::regression ? !example.values.empty() : example.label >= 0;
}

void run_backward(Transformer<float>& model, ModelPass& pass) {
  model.loss(pass.batch(), *pass.activations);
  model.parameters().zero_gradients();
  model.backward(*pass.activations);
}

}  // namespace tp::cli
