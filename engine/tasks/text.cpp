#include <algorithm>

#include "engine/core/utf8.h"
#include "engine/tasks/registry.h"
#include "engine/tasks/scores.h"
#include "engine/tasks/text_bundled.h"
#include "engine/tasks/text_pieces.h"
#include "engine/tasks/window_split.h"
#include "engine/text/hangul.h"
#include "engine/text/tokenizer.h"

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

// A text as numbers and back.
class TextTokens {
 public:
  virtual ~TextTokens() = default;
  virtual Vocabulary vocabulary() const = 0;
  virtual std::vector<int> encode(std::string_view text) const = 0;
  virtual std::string decode(std::span<const int> ids) const = 0;
};

class CharacterTokens final : public TextTokens {
 public:
  // In the order of code points, whatever the text begins with.
  explicit CharacterTokens(std::string_view text) : vocabulary_(Vocabulary::Marks::four) {
    std::vector<std::string_view> distinct = split_characters(text);
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    for (std::string_view character : distinct) vocabulary_.add(character);
  }
  Vocabulary vocabulary() const override { return vocabulary_; }
  // Characters the text does not have are unknown to the model, but no reason to stop.
  std::vector<int> encode(std::string_view text) const override {
    std::vector<int> ids;
    for (std::string_view character : split_characters(text)) {
      const int id = vocabulary_.find(character);
      ids.push_back(id < 0 ? kUnknown : id);
    }
    return ids;
  }
  std::string decode(std::span<const int> ids) const override { return vocabulary_.join(ids, ""); }

 private:
  Vocabulary vocabulary_;
};

// The tokenizer knows no marks, so that a text that spells one out is a text like others; its
// numbers begin behind them.
class BpeTokens final : public TextTokens {
 public:
  explicit BpeTokens(Tokenizer tokenizer) : tokenizer_(std::move(tokenizer)) {}
  Vocabulary vocabulary() const override {
    Vocabulary vocabulary(Vocabulary::Marks::four);
    for (int id = 0; id < tokenizer_.size(); ++id) vocabulary.add(tokenizer_.spelling(id));
    return vocabulary;
  }
  std::vector<int> encode(std::string_view text) const override {
    std::vector<int> ids = tokenizer_.encode(text);
    for (int& id : ids) id += kMarks;
    return ids;
  }
  std::string decode(std::span<const int> ids) const override {
    std::vector<int> own;
    for (const int id : ids) {
      if (id == kEnd) break;
      if (id >= kMarks) own.push_back(id - kMarks);
    }
    return tokenizer_.decode(own);
  }

 private:
  static constexpr int kMarks = 4;
  Tokenizer tokenizer_;
};

class TextTask final : public Task {
 public:
  TextTask(int length, Metric metric, std::unique_ptr<const TextTokens> tokens,
           std::vector<int> ids, WindowSplit split)
      : Task(kInfo),
        metric_(metric),
        tokens_(std::move(tokens)),
        ids_(std::move(ids)),
        split_(std::move(split)) {
    target_ = tokens_->vocabulary();
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
    example.target = tokens_->encode(compose_hangul(text));
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
    return tokens_->decode(all.first(all.size() - std::min<std::size_t>(1, all.size())));
  }
  std::string answer_text(const Answer& answer) const override {
    return tokens_->decode(answer.tokens);
  }
  Metric metric() const override { return metric_; }
  double score(const Answer& expected, const Answer& produced) const override {
    return position_accuracy(expected.tokens, produced.tokens);
  }

 private:
  Metric metric_;
  std::unique_ptr<const TextTokens> tokens_;
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

  TaskResult make(std::string_view material) const {
    if (!is_valid_utf8(material)) {
      return Error{"the text is not UTF-8: save it as UTF-8.",
                   "UTF-8 글이 아닙니다. UTF-8로 저장해 주십시오."};
    }
    const std::string text = compose_hangul(material.empty() ? bundled_text() : material);
    const std::size_t cut = end_of_training(text);
    const std::string_view training = std::string_view(text).substr(0, cut);

    auto tokens = tokens_of(text, training);
    if (!tokens) return tokens.error();
    std::vector<int> ids = tokens.value()->encode(training);
    const int trained = static_cast<int>(ids.size());
    const std::vector<int> rest = tokens.value()->encode(std::string_view(text).substr(cut));
    ids.insert(ids.end(), rest.begin(), rest.end());

    const int covered = parameters_.length + 1;
    const bool by_character = parameters_.tokens == Tokens::characters;
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
        parameters_.length, metric, std::move(tokens.value()), std::move(ids), std::move(split)));
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

  Result<std::unique_ptr<const TextTokens>> tokens_of(std::string_view text,
                                                      std::string_view training) const {
    if (parameters_.tokens == Tokens::characters) {
      return std::unique_ptr<const TextTokens>(std::make_unique<CharacterTokens>(text));
    }
    Result<Tokenizer> tokenizer =
        Tokenizer::train(training, {.kind = TokenizerKind::kByteBpe,
                                    .vocabulary_size = parameters_.vocabulary,
                                    .special_tokens = {}});
    if (!tokenizer) return tokenizer.error();
    return std::unique_ptr<const TextTokens>(
        std::make_unique<BpeTokens>(std::move(tokenizer.value())));
  }

  Parameters parameters_;
};

}  // namespace

TaskEntry text_task() { return {kInfo, make_recipe<TextRecipe>}; }
TaskMaker text_maker() { return make_with<TextRecipe>; }

}  // namespace tp
