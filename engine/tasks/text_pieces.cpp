#include "engine/tasks/text_pieces.h"

#include "engine/core/shown_name.h"
#include "engine/core/utf8.h"

namespace tp {
namespace {

constexpr std::string_view kWhiteSpace = " \t\r\n";

}  // namespace

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  for (;;) {
    const std::size_t begin = text.find_first_not_of(kWhiteSpace);
    if (begin == std::string_view::npos) return words;
    text.remove_prefix(begin);
    words.push_back(text.substr(0, text.find_first_of(kWhiteSpace)));
    text.remove_prefix(words.back().size());
  }
}

std::vector<std::string_view> split_characters(std::string_view text) {
  std::vector<std::string_view> characters;
  while (!text.empty()) {
    std::string_view rest = text;
    next_code_point(rest);
    characters.push_back(text.substr(0, text.size() - rest.size()));
    text = rest;
  }
  return characters;
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
  }
  return lines;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kWhiteSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kWhiteSpace) + 1 - begin);
}

Parsed unknown_word(std::string_view word, const Vocabulary& vocabulary) {
  return {.example = Error{"\"" + shown_text(word) +
                               "\" is not among the words of this task: choose one that is.",
                           "이 과제에 없는 말입니다: " + shown_text(word) +
                               ". 아는 말 중에서 골라 주십시오."},
          .unknown_word = std::string(word),
          .known_words = vocabulary.words()};
}

}  // namespace tp
