#include <algorithm>

#include "engine/core/hash.h"
#include "engine/core/small_sort.h"
#include "engine/tasks/pairs_lines.h"
#include "engine/tasks/pairs_vocabulary.h"
#include "engine/tasks/registry.h"
#include "engine/tasks/scores.h"
#include "engine/tasks/task_tokenizers.h"
#include "engine/tasks/text_pieces.h"

// The user's own lines: source, a tab, target.

namespace tp {
namespace {

constexpr TaskInfo kInfo = {.name = "pairs",
                            .kind = TaskKind::encoder_decoder,
                            .material = Material::required,
                            .summary =
                                "Your own lines: what stands left of the tab becomes what "
                                "stands right of it."};

enum class Tokens { words, characters, bpe, sentencepiece };
constexpr TokenizerKind kKinds[] = {TokenizerKind::kWord, TokenizerKind::kCharacter,
                                    TokenizerKind::kByteBpe, TokenizerKind::kSentencePiece};

struct Parameters {
  Tokens tokens = Tokens::words;
  int vocabulary_size = 0;  // 0: all words, or the usual number of pieces
  int min_count = 1;
  int max_length = 128;  // tokens of one side
};

constexpr std::size_t kFewestSources = 10;  // so that one in ten can be held out

// Two lines of one source have the same one.
std::uint64_t rank_of(std::string_view source) {
  return Hash().add(std::as_bytes(std::span(source))).value();
}

// Sources that rank up to here are held out: a tenth.
std::uint64_t last_held_out(std::vector<std::uint64_t> ranks) {
  heap_sort(ranks);
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  return ranks.empty() ? 0 : ranks[(ranks.size() - 1) / 10];
}

struct Line {
  std::vector<int> source, target;
  std::uint64_t rank;  // from the source's content alone
};

// The lines as the model gets them, and what is to be said about them.
struct EncodedLines {
  std::vector<Line> lines;
  std::vector<std::size_t> too_long;  // their numbers
  std::size_t tokens = 0, unknown = 0;
};

Error left_out(const std::vector<std::size_t>& numbers, int max_length) {
  constexpr std::size_t kNamed = 5;
  std::string named;
  for (std::size_t i = 0; i < std::min(numbers.size(), kNamed); ++i) {
    (named += named.empty() ? "" : ", ") += std::to_string(numbers[i]);
  }
  if (numbers.size() > kNamed) named += ", ...";
  const std::string count = std::to_string(numbers.size()), most = std::to_string(max_length);
  return {"lines left out for more than " + most + " tokens on a side: " + count + " (" + named +
              "); raise max_length to use them.",
          "최대 길이를 넘어 뺀 줄: " + count + "개 (" + named + "). 최대 길이: " + most +
              ". 최대 길이를 늘리면 쓸 수 있습니다."};
}

class PairsTask final : public Task {
 public:
  PairsTask(TaskTokenizers tokenizers, EncodedLines encoded, int max_length)
      : Task(kInfo), train_(std::move(encoded.lines)) {
    tokenizers_ = std::move(tokenizers);
    source_ = vocabulary_of(*tokenizers_.reads);
    target_ = vocabulary_of(*tokenizers_.writes);
    by_character_ = tokenizers_.reads->kind() == TokenizerKind::kCharacter;
    for (const Line& line : train_) {
      sizes_.source = std::max(sizes_.source, static_cast<int>(line.source.size()));
      sizes_.target = std::max(sizes_.target, static_cast<int>(line.target.size()));
    }
    // A word that no line has falls into more pieces than others.
    if (uses_merges(tokenizers_.reads->kind())) {
      constexpr int kRoom = 64;
      sizes_.source = std::clamp(std::max(2 * sizes_.source, kRoom), sizes_.source, max_length);
    }
    hold_out_a_tenth();
    take_notes(encoded);
    if (!encoded.too_long.empty()) warning_ = left_out(encoded.too_long, max_length);
  }

  void sample(Split split, std::uint64_t seed, std::uint64_t index,
              Example& example) const override {
    Rng rng = example_rng(split, seed, index);
    const std::vector<Line>& lines = split == Split::train ? train_ : held_out_;
    const Line& line = lines[rng.below(static_cast<std::uint32_t>(lines.size()))];
    example.clear();
    example.source = line.source;
    example.target = line.target;
  }

  // A word that is not known is read as <unk>, or in pieces.
  Parsed parse(std::string_view text) const override {
    const Tokenizer& reads = *tokenizers_.reads;
    Example example;
    example.source = reads.encode(pair_side(text, reads.kind()), Tokenizer::Spelled::kText);
    if (example.source.empty()) {
      return {Error{"there is nothing to read: type a source.",
                    "읽을 것이 없습니다. 원문을 입력해 주십시오."}};
    }
    if (static_cast<int>(example.source.size()) > sizes_.source) {
      return {Error{"that is " + std::to_string(example.source.size()) +
                        " tokens and the longest line has " + std::to_string(sizes_.source) +
                        ": type fewer.",
                    "학습한 것보다 깁니다. 토큰 수: " + std::to_string(example.source.size()) +
                        ", 최대: " + std::to_string(sizes_.source) + ". 줄여 주십시오."}};
    }
    for (const std::vector<Line>* lines : {&train_, &held_out_}) {
      for (const Line& line : *lines) {
        if (line.source == example.source) example.target = line.target;
      }
    }
    const bool unknown = std::ranges::count(example.source, reads.unknown()) > 0;
    Parsed parsed{std::move(example)};
    if (unknown) {
      parsed.untrained =
          Error{"your lines do not have all of that: what they lack is read as <unk>.",
                "줄에 없는 말이 있습니다. 없는 말은 <unk>로 읽습니다."};
    }
    return parsed;
  }

  std::string source_text(const Example& example) const override {
    return written_text(*tokenizers_.reads, example.source);
  }
  std::string answer_text(const Answer& answer) const override {
    return written_text(*tokenizers_.writes, answer.tokens);
  }
  Metric metric() const override { return {.name = "tokens_right", .more_is_better = true}; }
  double score(const Answer& expected, const Answer& produced) const override {
    return edit_accuracy(expected.tokens, produced.tokens);
  }

 private:
  // All lines of a source go together.
  void hold_out_a_tenth() {
    std::vector<std::uint64_t> ranks;
    for (const Line& line : train_) ranks.push_back(line.rank);
    const std::uint64_t last = last_held_out(std::move(ranks));
    const auto trains = [last](const Line& line) { return line.rank > last; };
    const auto middle = std::stable_partition(train_.begin(), train_.end(), trains);
    held_out_.assign(std::make_move_iterator(middle), std::make_move_iterator(train_.end()));
    train_.erase(middle, train_.end());
  }

  void take_notes(const EncodedLines& encoded) {
    const std::string trained = std::to_string(train_.size());
    const std::string held_out = std::to_string(held_out_.size());
    const std::string reads = std::to_string(source_.size());
    const std::string writes = std::to_string(target_.size());
    notes_.push_back({trained + " pairs to train on, " + held_out + " held out; it reads " + reads +
                          " different tokens and writes " + writes + ".",
                      "학습할 쌍: " + trained + ", 검증할 쌍: " + held_out +
                          ", 읽는 어휘: " + reads + ", 쓰는 어휘: " + writes + "."});
    if (encoded.unknown == 0) return;
    const std::string unknown = std::to_string(encoded.unknown);
    const std::string tokens = std::to_string(encoded.tokens);
    notes_.push_back({"of the " + tokens + " tokens of the lines, " + unknown + " are <unk>.",
                      "모든 토큰: " + tokens + ", 그 가운데 <unk>: " + unknown + "."});
  }

  std::vector<Line> train_, held_out_;
};

class PairsRecipe final : public TaskRecipe {
 public:
  Properties properties() override {
    return {choice("tokens", parameters_.tokens, {"words", "characters", "bpe", "sentencepiece"}),
            integer("vocabulary_size", parameters_.vocabulary_size, 0, kMaxVocabulary),
            integer("min_count", parameters_.min_count, 1, 1000),
            integer("max_length", parameters_.max_length, 1, 1024)};
  }

  TaskResult make(const TaskData& data) const {
    if (trimmed(data.material).empty()) {
      return Error{"this task needs lines of yours: write a source, a tab and its target on each.",
                   "직접 쓴 줄이 필요한 과제입니다. 한 줄에 원문, 탭, 답을 적어 주십시오."};
    }
    TaskTokenizers tokenizers = data.tokenizers;
    const TokenizerKind kind =
        tokenizers.reads ? tokenizers.reads->kind() : kKinds[static_cast<int>(parameters_.tokens)];
    const Result<std::vector<PairLine>> lines = read_pair_lines(data, kind);
    if (!lines) return lines.error();
    if (!tokenizers.reads) {
      if (data.progress) data.progress("learning the vocabulary", 0);
      Result<TaskTokenizers> learned = learn(kind, lines.value());
      if (!learned) return learned.error();
      tokenizers = std::move(learned.value());
    }
    if (!tokenizers.writes) tokenizers.writes = tokenizers.reads;
    EncodedLines encoded = encode(lines.value(), tokenizers, data);

    std::vector<std::uint64_t> ranks;
    for (const Line& line : encoded.lines) ranks.push_back(line.rank);
    heap_sort(ranks);
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    if (ranks.size() < kFewestSources) return too_few(ranks.size(), encoded);
    return std::unique_ptr<const Task>(std::make_unique<PairsTask>(
        std::move(tokenizers), std::move(encoded), parameters_.max_length));
  }

 private:
  Result<TaskTokenizers> learn(TokenizerKind kind, const std::vector<PairLine>& lines) const {
    std::vector<std::string_view> training;
    if (uses_merges(kind)) {
      std::vector<std::uint64_t> ranks;
      for (const PairLine& line : lines) ranks.push_back(rank_of(line.source));
      const std::uint64_t last = last_held_out(ranks);
      for (std::size_t i = 0; i < lines.size(); ++i) {
        if (ranks[i] > last) training.insert(training.end(), {lines[i].source, lines[i].target});
      }
    }
    return learn_pairs_tokenizers({.kind = kind,
                                   .size = parameters_.vocabulary_size,
                                   .min_count = parameters_.min_count,
                                   .max_length = parameters_.max_length},
                                  lines, training);
  }

  EncodedLines encode(const std::vector<PairLine>& lines, const TaskTokenizers& tokenizers,
                      const TaskData& data) const {
    constexpr std::size_t kLinesAtATime = 1000;  // between two words on how far it is
    const auto most = static_cast<std::size_t>(parameters_.max_length);
    Tokenizer::Cache read, written;
    EncodedLines encoded;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (i % kLinesAtATime == 0 && data.progress) {
        data.progress("cutting lines into tokens",
                      static_cast<double>(i) / static_cast<double>(lines.size()));
      }
      using enum Tokenizer::Spelled;
      Line line{tokenizers.reads->encode(lines[i].source, kText, &read),
                tokenizers.writes->encode(lines[i].target, kText, &written),
                rank_of(lines[i].source)};
      if (line.source.size() > most || line.target.size() > most) {
        encoded.too_long.push_back(lines[i].number);
        continue;
      }
      if (line.source.empty() || line.target.empty())
        continue;  // of characters it has no token for
      encoded.tokens += line.source.size() + line.target.size();
      encoded.unknown +=
          static_cast<std::size_t>(std::ranges::count(line.source, tokenizers.reads->unknown()) +
                                   std::ranges::count(line.target, tokenizers.writes->unknown()));
      encoded.lines.push_back(std::move(line));
    }
    return encoded;
  }

  Error too_few(std::size_t distinct, const EncodedLines& encoded) const {
    const std::string count = std::to_string(distinct), fewest = std::to_string(kFewestSources);
    Error error{"there are only " + count + " different sources: give at least " + fewest +
                    ", so that some can be held back",
                "서로 다른 원문이 모자랍니다. 지금: " + count + ", 최소: " + fewest +
                    ". 줄을 더 넣어 주십시오."};
    if (!encoded.too_long.empty()) {
      const Error reason = left_out(encoded.too_long, parameters_.max_length);
      error = {error.message + " (" + reason.message, error.korean + " " + reason.korean};
      error.message.back() = ')';
    }
    error.message += ".";
    return error;
  }

  Parameters parameters_;
};

// English and French, where the colour comes last: what is held out can be told from the others.
std::string sample_lines() {
  constexpr const char* kAnimals[][2] = {{"cat", "chat"},     {"dog", "chien"},
                                         {"horse", "cheval"}, {"rabbit", "lapin"},
                                         {"sheep", "mouton"}, {"bird", "oiseau"}};
  constexpr const char* kColours[][2] = {{"red", "rouge"},  {"black", "noir"}, {"white", "blanc"},
                                         {"green", "vert"}, {"grey", "gris"},  {"yellow", "jaune"}};
  std::string lines;
  for (const auto& [animal, french] : kAnimals) {
    for (const auto& [colour, french_colour] : kColours) {
      for (const char* part : {colour, " ", animal, "\t", french, " ", french_colour, "\n"}) {
        lines += part;
      }
    }
  }
  return lines;
}

}  // namespace

TaskEntry pairs_task() { return {kInfo, make_recipe<PairsRecipe>, sample_lines}; }
TaskMaker pairs_maker() { return make_with<PairsRecipe>; }

}  // namespace tp
