#include "engine/tasks/symbols.h"

#include <algorithm>

#include "engine/tasks/scores.h"
#include "engine/tasks/text_pieces.h"

namespace tp {
namespace {

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

int shortest_to_split(int symbols) {
  int length = 0;
  for (std::uint64_t sources = 1; sources < kEnoughToSplit; ++length) sources *= symbols;
  return length;
}

}  // namespace

Status check(const SymbolParameters& parameters) {
  const auto [shortest, longest, symbols] = parameters;
  if (shortest > longest) {
    return Error{"min_length " + std::to_string(shortest) + " is above max_length " +
                     std::to_string(longest) + ": lower the one or raise the other.",
                 "최소 길이가 최대 길이보다 큽니다. 최소 길이: " + std::to_string(shortest) +
                     ", 최대 길이: " + std::to_string(longest) + ". 둘 중 하나를 바꿔 주십시오."};
  }
  if (const int needed = shortest_to_split(symbols); longest < needed) {
    return Error{
        "of at most " + std::to_string(longest) + " letters out of " + std::to_string(symbols) +
            " there are too few sequences to hold any back: raise max_length to " +
            std::to_string(needed) + " or take more symbols.",
        "검증용으로 남겨 둘 만큼 서로 다른 입력이 많지 않습니다. 최대 길이를 늘리거나 (최소 " +
            std::to_string(needed) + ") 글자 종류를 늘려 주십시오."};
  }
  return Done{};
}

SymbolTask::SymbolTask(const TaskInfo& info, const SymbolParameters& parameters)
    : Task(info),
      parameters_(parameters),
      shortest_held_out_(std::max(parameters.min_length, shortest_to_split(parameters.symbols))) {
  source_ = target_ = Vocabulary(Vocabulary::Marks::three);
  for (int i = 0; i < parameters.symbols; ++i) {
    source_.add(kLetters.substr(i, 1));
    target_.add(kLetters.substr(i, 1));
  }
  sizes_.source = sizes_.target = parameters.max_length;
}

void SymbolTask::sample(Split split, std::uint64_t seed, std::uint64_t index,
                        Example& example) const {
  Rng rng = example_rng(split, seed, index);
  const int shortest = split == Split::held_out ? shortest_held_out_ : parameters_.min_length;
  const int length = shortest + static_cast<int>(rng.below(parameters_.max_length - shortest + 1));
  example.clear();
  example.source.resize(length);
  do {
    for (int& symbol : example.source) {
      symbol = source_.marks() + static_cast<int>(rng.below(parameters_.symbols));
    }
  } while (length >= shortest_held_out_ && split_of(example.source) != split);
  solve(example);
}

Parsed SymbolTask::parse(std::string_view text) const {
  Example example;
  for (std::string_view word : split_words(text)) {
    for (std::string_view letter : split_characters(word)) {
      const int id = source_.find(letter);
      if (id < 0) return unknown_word(letter, source_);
      example.source.push_back(id);
    }
  }
  const int length = static_cast<int>(example.source.size());
  if (length == 0)
    return {Error{"there are no letters: type some, for example a c b.",
                  "글자가 없습니다. 예를 들어 a c b 처럼 입력해 주십시오."}};
  const auto [shortest, longest, symbols] = parameters_;
  const std::string count = std::to_string(length);
  if (length > longest) {
    Parsed parsed{Error{count + " letters are more than it is trained for, at most " +
                            std::to_string(longest) + ": type fewer, or train for more.",
                        "학습한 것보다 깁니다. 글자 수: " + count + ", 최대: " +
                            std::to_string(longest) + ". 줄이거나 더 긴 길이로 학습해 주십시오."}};
    if (length <= kLongestSymbols) parsed.remedy = {{"max_length", length}};
    return parsed;
  }
  solve(example);
  Parsed parsed{std::move(example)};
  if (length < shortest) {
    const std::string least = std::to_string(shortest);
    parsed.untrained =
        Error{count + " letters are fewer than it is trained for, " +
                  (shortest == longest ? "always " : "at least ") + least + ": expect mistakes.",
              "학습한 것보다 짧아 틀리기 쉽습니다. 글자 수: " + count + ", 최소: " + least + "."};
    parsed.remedy = {{"min_length", length}};
  }
  return parsed;
}

std::string SymbolTask::source_text(const Example& example) const {
  return source_.join(example.source, " ");
}

std::string SymbolTask::answer_text(const Answer& answer) const {
  return target_.join(answer.tokens, " ");
}

double SymbolTask::score(const Answer& expected, const Answer& produced) const {
  return position_accuracy(expected.tokens, produced.tokens);
}

}  // namespace tp
