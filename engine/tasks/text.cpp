#include <algorithm>

#include "engine/core/utf8.h"
#include "engine/tasks/registry.h"
#include "engine/tasks/scores.h"
#include "engine/tasks/task_tokenizers.h"
#include "engine/tasks/text_bundled.h"
#include "engine/tasks/window_split.h"
#include "engine/text/hangul.h"

// Which token comes next? Windows of one text; its last tenth is held out. Tokens are characters,
// or what byte-level BPE makes of the part to train on.

namespace tp {
namespace {

constexpr TaskInfo kInfo = {.name = "text",
                            .kind = TaskKind::decoder_only,
                            .material = Material::optional,
                            .summary = "Go on writing, one character after the other."};

enum class Tokens { characters, bpe };

struct Parameters {
  int length = 64;
  Tokens tokens = Tokens::characters;
  int vocabulary = 512;  // of BPE: the 256 bytes, and what is joined of them
};

// In the order of code points, whatever the text begins with.
std::vector<std::string> characters_of(std::string_view text) {
  std::vector<bool> seen(0x110000);
  while (!text.empty()) seen[next_code_point(text)] = true;  // it is valid UTF-8
  std::vector<std::string> characters;
  for (char32_t c = 0; c < seen.size(); ++c) {
    if (seen[c]) append_utf8(characters.emplace_back(), c);
  }
  return characters;
}

class TextTask final : public Task {
 public:
  TextTask(int length, Metric metric, const std::shared_ptr<const Tokenizer>& tokenizer,
           std::vector<int> ids, WindowSplit split)
      : Task(kInfo), metric_(metric), ids_(std::move(ids)), split_(std::move(split)) {
    tokenizers_ = {tokenizer, tokenizer};
    by_character_ = tokenizer->kind() == TokenizerKind::kCharacter;
    target_ = vocabulary_of(*tokenizer);
    sizes_.target = length + 1;
  }

  void sample(Split split, std::uint64_t seed, std::uint64_t index,
              Example& example) const override {
    Rng rng = example_rng(split, seed, index);
    const std::vector<int>& held_out = split_.held_out_starts;
    const int start = split == Split::train
                          ? static_cast<int>(rng.below(split_.train_starts))
                          : held_out[rng.below(static_cast<std::uint32_t>(held_out.size()))];
    example.clear();
    example.target.assign(ids_.begin() + start, ids_.begin() + start + sizes_.target);
  }

  // The beginning of something to go on with.
  Parsed parse(std::string_view text) const override {
    Example example;
    example.target = tokenizers_.reads->encode(compose_hangul(text), Tokenizer::Spelled::kText);
    if (example.target.empty()) {
      return {Error{"there is no beginning: type a few characters.",
                    "시작하는 글이 없습니다. 몇 글자 입력해 주십시오."}};
    }
    // What is further back than the model reaches is dropped.
    const int excess = static_cast<int>(example.target.size()) - (sizes_.target - 1);
    if (excess > 0) example.target.erase(example.target.begin(), example.target.begin() + excess);
    return {std::move(example)};
  }

  std::string source_text(const Example& example) const override {
    const std::span<const int> all = example.target;
    return written_text(*tokenizers_.reads,
                        all.first(all.size() - std::min<std::size_t>(1, all.size())));
  }
  std::string answer_text(const Answer& answer) const override {
    return written_text(*tokenizers_.reads, answer.tokens);
  }
  Metric metric() const override { return metric_; }
  double score(const Answer& expected, const Answer& produced) const override {
    return position_accuracy(expected.tokens, produced.tokens);
  }

 private:
  Metric metric_;
  std::vector<int> ids_;
  WindowSplit split_;
};

class TextRecipe final : public TaskRecipe {
 public:
  Properties properties() override {
    return {integer("length", parameters_.length, 8, 512),
            choice("tokens", parameters_.tokens, {"characters", "bpe"}),
            integer("vocabulary", parameters_.vocabulary, 256, 4096)};
  }

  TaskResult make(const TaskData& data) const {
    const std::string_view material = data.material;
    if (!is_valid_utf8(material)) {
      return Error{"the text is not UTF-8: save it as UTF-8.",
                   "UTF-8 글이 아닙니다. UTF-8로 저장해 주십시오."};
    }
    const std::string text = compose_hangul(material.empty() ? bundled_text() : material);
    const std::size_t cut = end_of_training(text);
    const std::string_view training = std::string_view(text).substr(0, cut);

    std::shared_ptr<const Tokenizer> tokenizer = data.tokenizers.reads;
    if (!tokenizer) {
      if (data.progress) data.progress("learning the vocabulary", 0);
      Result<Tokenizer> learned = learn(text, training);
      if (!learned) return learned.error();
      tokenizer = std::make_shared<const Tokenizer>(std::move(learned.value()));
    }
    if (data.progress) data.progress("cutting the text into tokens", 0);
    using enum Tokenizer::Spelled;
    Tokenizer::Cache cache;
    std::vector<int> ids = tokenizer->encode(training, kText, &cache);
    const int trained = static_cast<int>(ids.size());
    const std::vector<int> rest =
        tokenizer->encode(std::string_view(text).substr(cut), kText, &cache);
    ids.insert(ids.end(), rest.begin(), rest.end());

    const int covered = parameters_.length + 1;
    const bool by_character = tokenizer->kind() == TokenizerKind::kCharacter;
    if (trained < 4 * covered || static_cast<int>(rest.size()) < covered) {
      const std::string count = std::to_string(ids.size());
      const std::string needed = std::to_string((by_character ? 5 : 11) * covered);
      return Error{"the text has " + count + (by_character ? " characters" : " tokens") +
                       ": for windows of " + std::to_string(parameters_.length) +
                       " give at least " + needed + ", or lower length.",
                   "글이 너무 짧습니다. 토큰 수: " + count + ", 필요한 토큰 수: " + needed +
                       ". 더 긴 글을 넣거나 길이 설정을 줄여 주십시오."};
    }
    WindowSplit split = split_windows(std::vector<std::uint64_t>(ids.begin(), ids.end()),
                                      parameters_.length, covered, trained);
    if (split.held_out_starts.empty()) {
      return Error{
          "the end of the text only repeats what came before: nothing is left to hold "
          "back, so give another text or raise length.",
          "글의 끝부분이 앞부분의 되풀이라서 검증용으로 남길 것이 없습니다. 다른 글을 넣거나 길이 "
          "설정을 "
          "늘려 주십시오."};
    }
    const Metric metric = {.name = by_character ? "characters_right" : "tokens_right",
                           .more_is_better = true};
    return std::unique_ptr<const Task>(std::make_unique<TextTask>(
        parameters_.length, metric, std::move(tokenizer), std::move(ids), std::move(split)));
  }

 private:
  // In bytes: a tenth of the characters is behind it, of a short text at least a window.
  std::size_t end_of_training(std::string_view text) const {
    const auto starts = [](char byte) { return (byte & 0xC0) != 0x80; };  // in valid UTF-8
    const auto characters = static_cast<std::size_t>(std::ranges::count_if(text, starts));
    const std::size_t held_out =
        std::max(characters / 10, static_cast<std::size_t>(parameters_.length) + 1);
    if (held_out >= characters) return 0;
    std::size_t end = text.size();
    for (std::size_t left = held_out; left > 0; --end) left -= starts(text[end - 1]) ? 1 : 0;
    return end;
  }

  Result<Tokenizer> learn(std::string_view text, std::string_view training) const {
    if (parameters_.tokens == Tokens::characters) {
      return tokenizer_of(TokenizerKind::kCharacter, characters_of(text));
    }
    // Without marks, so that a text that spells one out is a text like others.
    Result<Tokenizer> learned =
        Tokenizer::train(training, {.kind = TokenizerKind::kByteBpe,
                                    .vocabulary_size = parameters_.vocabulary,
                                    .special_tokens = {}});
    if (!learned) return learned.error();
    return with_marks(std::move(learned.value()));
  }

  Parameters parameters_;
};

}  // namespace

TaskEntry text_task() { return {kInfo, make_recipe<TextRecipe>}; }
TaskMaker text_maker() { return make_with<TextRecipe>; }

}  // namespace tp
