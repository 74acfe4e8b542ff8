#include <algorithm>

#include "engine/core/hash.h"
#include "engine/core/utf8.h"
#include "engine/tasks/registry.h"
#include "engine/tasks/scores.h"
#include "engine/tasks/text_pieces.h"
#include "engine/text/hangul.h"

// The user's own lines: source, a tab, target.

namespace tp {
namespace {

constexpr TaskInfo kInfo = {.name = "pairs",
                            .kind = TaskKind::encoder_decoder,
                            .material = Material::required,
                            .summary =
                                "Your own lines: what stands left of the tab becomes what "
                                "stands right of it."};

enum class Tokens { words, characters };

constexpr int kLongest = 128;       // tokens of one side
constexpr int kFewestSources = 10;  // so that one in ten can be held out
constexpr std::size_t kLinesNamed = 2;

std::vector<std::string_view> cut(std::string_view text, Tokens tokens) {
  return tokens == Tokens::words ? split_words(text) : split_characters(text);
}

// Two sources are the same when their tokens are.
std::string tidied(std::string_view text, Tokens tokens) {
  std::string composed = compose_hangul(trimmed(text));
  if (tokens == Tokens::characters) return composed;
  std::string tidy;
  for (std::string_view word : split_words(composed)) (tidy += tidy.empty() ? "" : " ") += word;
  return tidy;
}

struct Line {
  std::vector<int> source, target;
  std::uint64_t rank;  // from the source's content alone
};

class PairsTask final : public Task {
 public:
  PairsTask(Tokens tokens, const std::vector<std::pair<std::string, std::string>>& pairs)
      : Task(kInfo), tokens_(tokens) {
    source_ = target_ = Vocabulary(Vocabulary::Marks::four);
    for (const auto& [source, target] : pairs) {
      Line line;
      for (std::string_view token : cut(source, tokens)) line.source.push_back(source_.add(token));
      for (std::string_view token : cut(target, tokens)) line.target.push_back(target_.add(token));
      line.rank = Hash().add(std::as_bytes(std::span(source))).value();
      sizes_.source = std::max(sizes_.source, static_cast<int>(line.source.size()));
      sizes_.target = std::max(sizes_.target, static_cast<int>(line.target.size()));
      train_.push_back(std::move(line));
    }
    hold_out_a_tenth();
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

  Parsed parse(std::string_view text) const override {
    const std::string tidy = tidied(text, tokens_);
    Example example;
    for (std::string_view token : cut(tidy, tokens_)) {
      const int id = source_.find(token);
      if (id < 0) return unknown_word(token, source_);
      example.source.push_back(id);
    }
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
    return {std::move(example)};
  }

  std::string source_text(const Example& example) const override {
    return source_.join(example.source, separator());
  }
  std::string answer_text(const Answer& answer) const override {
    return target_.join(answer.tokens, separator());
  }
  Metric metric() const override { return {.name = "tokens_right", .more_is_better = true}; }
  double score(const Answer& expected, const Answer& produced) const override {
    return edit_accuracy(expected.tokens, produced.tokens);
  }

 private:
  std::string_view separator() const { return tokens_ == Tokens::words ? " " : ""; }

  // The tenth of the sources that rank first; all lines of a source go together.
  void hold_out_a_tenth() {
    std::vector<std::uint64_t> ranks;
    for (const Line& line : train_) ranks.push_back(line.rank);
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    const std::uint64_t last = ranks[(ranks.size() - 1) / 10];
    const auto trains = [last](const Line& line) { return line.rank > last; };
    const auto middle = std::stable_partition(train_.begin(), train_.end(), trains);
    held_out_.assign(std::make_move_iterator(middle), std::make_move_iterator(train_.end()));
    train_.erase(middle, train_.end());
  }

  Tokens tokens_;
  std::vector<Line> train_, held_out_;
};

// What is wrong with a line, in both languages.
struct Fault {
  std::string_view english = {}, korean = {};
};

// Nothing where nothing is.
Fault fault(std::string_view line, Tokens tokens) {
  const std::size_t tab = line.find('\t');
  if (!is_valid_utf8(line)) return {"is not UTF-8 text", "UTF-8 글이 아님"};
  if (tab == std::string_view::npos) return {"has no tab", "탭이 없음"};
  if (line.find('\t', tab + 1) != std::string_view::npos)
    return {"has more than one tab", "탭이 여럿임"};
  for (std::string_view side : {line.substr(0, tab), line.substr(tab + 1)}) {
    if (trimmed(side).empty()) return {"has an empty side", "한쪽이 비어 있음"};
    if (cut(trimmed(side), tokens).size() > kLongest)
      return {"has more than 128 tokens on a side", "한쪽이 128토큰을 넘음"};
  }
  return {};
}

class PairsRecipe final : public TaskRecipe {
 public:
  Properties properties() override { return {choice("tokens", tokens_, {"words", "characters"})}; }

  TaskResult make(std::string_view material) const {
    if (trimmed(material).empty()) {
      return Error{"this task needs lines of yours: write a source, a tab and its target on each.",
                   "직접 쓴 줄이 필요한 과제입니다. 한 줄에 원문, 탭, 답을 적어 주십시오."};
    }
    std::vector<std::pair<std::string, std::string>> pairs;
    std::vector<std::string> sources;
    Error faults;
    std::size_t bad = 0, number = 0;
    for (std::string_view line : split_lines(material)) {
      ++number;
      if (trimmed(line).empty()) continue;
      if (const Fault wrong = fault(line, tokens_); !wrong.english.empty()) {
        if (++bad <= kLinesNamed) name_fault(faults, number, wrong);
        continue;
      }
      const std::size_t tab = line.find('\t');
      pairs.emplace_back(tidied(line.substr(0, tab), tokens_),
                         tidied(line.substr(tab + 1), tokens_));
      sources.push_back(pairs.back().first);
    }
    if (bad > 0) return named_faults(faults, bad);
    std::sort(sources.begin(), sources.end());
    const auto distinct = std::unique(sources.begin(), sources.end()) - sources.begin();
    if (distinct < kFewestSources) {
      return Error{"there are only " + std::to_string(distinct) +
                       " different sources: give at least " + std::to_string(kFewestSources) +
                       ", so that some can be held back.",
                   "서로 다른 원문이 모자랍니다. 지금: " + std::to_string(distinct) +
                       ", 최소: " + std::to_string(kFewestSources) + ". 줄을 더 넣어 주십시오."};
    }
    return std::unique_ptr<const Task>(std::make_unique<PairsTask>(tokens_, pairs));
  }

 private:
  static void name_fault(Error& faults, std::size_t number, const Fault& fault) {
    const std::string line = std::to_string(number), separator = faults.message.empty() ? "" : ", ";
    faults.message += separator + "line " + line + " " + std::string(fault.english);
    faults.korean += separator + line + "번째 줄: " + std::string(fault.korean);
  }

  static Error named_faults(Error faults, std::size_t bad) {
    if (bad > kLinesNamed) {
      const std::string more = std::to_string(bad - kLinesNamed);
      faults.message += ", and " + more + " more are not right";
      faults.korean += ", 그 밖에 잘못된 줄: " + more + "개";
    }
    return Error{faults.message + ": write a source, one tab and its target on each line.",
                 faults.korean + ". 한 줄에 원문, 탭 하나, 답을 적어 주십시오."};
  }

  Tokens tokens_ = Tokens::words;
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
