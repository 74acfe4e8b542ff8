#pragma once

#include <string>
#include <vector>

#include "engine/session/snapshot.h"
#include "engine/tasks/task.h"

namespace tp {

// An answer as a person reads it: regression's numbers on the scale of what was typed.
inline std::string answer_text(const Task& task, const Example& example, const Answer& answer) {
  if (answer.values.empty()) return task.answer_text(answer);
  std::vector<float> values;
  for (float value : answer.values) {
    values.push_back(static_cast<float>(example.offset + example.scale * double{value}));
  }
  return task.answer_text({.values = values});
}

// What the engine says, as the beginning of a sentence: not the names of settings, which are
// spelled as they are.
inline Sentence sentence_of(const Error& error) {
  Sentence sentence{error.message, error.korean};
  const std::size_t end = sentence.english.find(' ');
  const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
  bool plain = end != std::string::npos && end > 0;
  for (std::size_t i = 0; plain && i < end; ++i) plain = is_small(sentence.english[i]);
  if (plain) sentence.english[0] = static_cast<char>(sentence.english[0] - 'a' + 'A');
  return sentence;
}

}  // namespace tp
