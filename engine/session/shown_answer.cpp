#include "engine/session/shown_answer.h"

#include <algorithm>

namespace tp {

namespace {

std::vector<float> as_read(const Example& example, std::span<const float> numbers) {
  std::vector<float> values;
  for (float value : numbers) {
    values.push_back(static_cast<float>(example.offset + example.scale * double{value}));
  }
  return values;
}

}  // namespace

std::string answer_text(const Task& task, const Example& example, const Answer& answer) {
  if (answer.values.empty()) return task.answer_text(answer);
  return task.answer_text({.values = as_read(example, answer.values)});
}

Depiction depiction_of(const Task& task, const Example& example, const Answer& answer) {
  Depiction drawn = task.depict(example);
  drawn.predicted = as_read(example, answer.values);
  return drawn;
}

std::vector<std::string> words_of(std::span<const int> ids, const Vocabulary& vocabulary) {
  std::vector<std::string> words;
  for (int id : ids) words.emplace_back(vocabulary.word(id));
  return words;
}

std::vector<std::string> read_words(const Task& task, const Example& example) {
  switch (task.info().kind) {
    case TaskKind::encoder_decoder:
    case TaskKind::token_classifier:
      return words_of(example.source, task.source_vocabulary());
    case TaskKind::decoder_only:
      return words_of(example.target, task.target_vocabulary());
    case TaskKind::patch_classifier:
    case TaskKind::patch_regressor:
      break;
  }
  std::vector<std::string> numbers;
  const auto size = static_cast<std::size_t>(task.sizes().patch_size);
  for (std::size_t i = 1; i <= example.patches.size() / size; ++i) {
    numbers.push_back(std::to_string(i));
  }
  return numbers;
}

Sentence sentence_of(const Error& error) {
  Sentence sentence{error.message, error.korean};
  const std::size_t end = sentence.english.find(' ');
  if (end == std::string::npos || end == 0) return sentence;
  const bool plain = std::all_of(sentence.english.begin(),
                                 sentence.english.begin() + static_cast<std::ptrdiff_t>(end),
                                 [](char c) { return c >= 'a' && c <= 'z'; });
  if (plain) sentence.english[0] = static_cast<char>(sentence.english[0] - 'a' + 'A');
  return sentence;
}

}  // namespace tp
