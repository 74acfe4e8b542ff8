#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/text/tokenizer.h"

// What the tests of tokenizers share: a text to train on, one tokenizer of each kind trained on it,
// and strings to try them with. All of it is the same in every build.

namespace tp {

// English, Korean, numbers and signs.
std::string_view tokenizer_sample();

struct NamedTokenizerOptions {
  std::string_view name;
  TokenizerOptions options;
};
const std::vector<NamedTokenizerOptions>& tokenizer_subjects();

// The tokenizer of that kind, trained on the sample with the options above.
Tokenizer trained_subject(TokenizerKind kind);

// Well-formed UTF-8 of every sort: words of the sample, Korean, emoji, runs of spaces, numbers,
// punctuation, other scripts, control characters, special tokens spelled out. The first is empty.
std::vector<std::string> tokenizer_strings(std::size_t count, std::uint64_t seed);

}  // namespace tp
