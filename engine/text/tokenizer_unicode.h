#pragma once

#include <cstdint>

// The three classes of characters that pre-tokenizers tell apart.

namespace tp {

enum class CharacterClass : std::uint8_t { kLetter, kNumber, kSpace, kOther };

// kLetter is \p{L}, kNumber \p{N} and kSpace \s, each as JavaScript has it: U+FEFF is a space and
// U+0085 is none. The Rust library has those two the other way round; where the two libraries
// differ, this engine follows the one that runs in browsers. kInvalidCodePoint is kOther.
CharacterClass class_of(char32_t code_point);

inline bool is_space(char32_t code_point) { return class_of(code_point) == CharacterClass::kSpace; }

}  // namespace tp
