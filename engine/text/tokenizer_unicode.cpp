#include "engine/text/tokenizer_unicode.h"

#include <algorithm>
#include <span>

namespace tp {
namespace {

// Both ends belong to it. The tables are sorted.
struct CodePointRange {
  char32_t first, last;
};

#include "tokenizer_unicode.inc"

constexpr CodePointRange kSpaces[] = {
    {0x9, 0xd},       {0x20, 0x20},     {0xa0, 0xa0},     {0x1680, 0x1680}, {0x2000, 0x200a},
    {0x2028, 0x2029}, {0x202f, 0x202f}, {0x205f, 0x205f}, {0x3000, 0x3000}, {0xfeff, 0xfeff}};

bool contains(std::span<const CodePointRange> ranges, char32_t c) {
  const auto after = std::upper_bound(
      ranges.begin(), ranges.end(), c,
      [](char32_t code, const CodePointRange& range) { return code < range.first; });
  return after != ranges.begin() && c <= std::prev(after)->last;
}

}  // namespace

CharacterClass class_of(char32_t c) {
  if (contains(kSpaces, c)) return CharacterClass::kSpace;
  if (contains(kLetters, c)) return CharacterClass::kLetter;
  if (contains(kNumbers, c)) return CharacterClass::kNumber;
  return CharacterClass::kOther;
}

}  // namespace tp
