#pragma once

#include <string_view>
#include <vector>

#include "engine/tasks/task.h"

// Cutting what a person typed. The pieces point into the text.

namespace tp {

// At spaces, tabs and line ends, of which any number count as one.
std::vector<std::string_view> split_words(std::string_view text);

// One piece for each code point; malformed bytes one by one.
std::vector<std::string_view> split_characters(std::string_view text);

// At line ends ("\n" or "\r\n"), without them. A last line need not be ended.
std::vector<std::string_view> split_lines(std::string_view text);

// Without white space at both ends.
std::string_view trimmed(std::string_view text);

// The answer to a word that is not in the vocabulary.
Parsed unknown_word(std::string_view word, const Vocabulary& vocabulary);

}  // namespace tp
