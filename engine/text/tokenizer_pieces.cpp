#include "engine/text/tokenizer_pieces.h"

#include <array>
#include <utility>

#include "engine/core/check.h"
#include "engine/core/utf8.h"
#include "engine/text/tokenizer_unicode.h"

namespace tp {
namespace {

using Pieces = std::vector<std::string>;

// ---- character and word -------------------------------------------------------------------------

Pieces characters(std::string_view text) {
  Pieces pieces;
  while (!text.empty()) {
    std::string_view rest = text;
    next_code_point(rest);
    pieces.emplace_back(text.substr(0, text.size() - rest.size()));
    text = rest;
  }
  return pieces;
}

Pieces words(std::string_view text) {
  Pieces pieces;
  std::string word;
  const auto finish = [&] {
    if (!word.empty()) pieces.push_back(std::exchange(word, {}));
  };
  for (std::string& character : characters(text)) {
    std::string_view view = character;
    if (is_space(next_code_point(view))) {
      finish();
    } else {
      word += character;
    }
  }
  finish();
  return pieces;
}

// ---- byte-level: GPT-2's pattern ----------------------------------------------------------------
//   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+

struct ClassedCharacter {
  std::size_t begin;  // in bytes
  CharacterClass character_class;
};

std::vector<ClassedCharacter> classed(std::string_view text) {
  std::vector<ClassedCharacter> characters;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t begin = text.size() - rest.size();
    characters.push_back({begin, class_of(next_code_point(rest))});
  }
  return characters;
}

// The length of 's, 't and so on at the start of the text, or 0. All of it is ASCII.
std::size_t contraction_length(std::string_view text) {
  for (const std::string_view ending : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"}) {
    if (text.starts_with(ending)) return ending.size();
  }
  return 0;
}

Pieces byte_level_pieces(std::string_view text) {
  const std::vector<ClassedCharacter> characters = classed(text);
  const std::size_t count = characters.size();
  const auto begin_of = [&](std::size_t i) {
    return i < count ? characters[i].begin : text.size();
  };
  const auto run_end = [&](std::size_t i) {
    const CharacterClass run = characters[i].character_class;
    while (i < count && characters[i].character_class == run) ++i;
    return i;
  };

  Pieces pieces;
  for (std::size_t i = 0; i < count;) {
    std::size_t end = i + contraction_length(text.substr(begin_of(i)));
    if (end == i) {
      // One blank in front belongs to the letters, numbers or signs that follow it.
      const bool blank = text[begin_of(i)] == ' ' && i + 1 < count;
      const std::size_t word = blank ? i + 1 : i;
      if (characters[word].character_class != CharacterClass::kSpace) {
        end = run_end(word);
      } else {
        // A run of spaces leaves its last one to what follows, if it has more than one.
        end = run_end(i);
        if (end < count && end - i > 1) --end;
      }
    }
    pieces.push_back(in_byte_alphabet(text.substr(begin_of(i), begin_of(end) - begin_of(i))));
    i = end;
  }
  return pieces;
}

struct ByteAlphabet {
  std::array<std::string, 256> character_of;
  std::array<int, 0x144> byte_of;  // by code point; -1 when it is none of the 256
};

const ByteAlphabet& byte_alphabet() {
  static const ByteAlphabet alphabet = [] {
    ByteAlphabet made;
    made.byte_of.fill(-1);
    char32_t next = 0x100;
    for (int byte = 0; byte < 256; ++byte) {
      const bool visible =
          (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte <= 0xff && byte != 0xad);
      const char32_t character = visible ? static_cast<char32_t>(byte) : next++;
      append_utf8(made.character_of[static_cast<std::size_t>(byte)], character);
      made.byte_of[character] = byte;
    }
    TP_CHECK(next == made.byte_of.size(), "68 bytes are not visible");
    return made;
  }();
  return alphabet;
}

// Special tokens are spelled as they are, all others in the byte alphabet. A character may be cut
// between two tokens, so bytes are gathered before they are looked at as a text.
std::string byte_level_text(std::span<const SpelledToken> tokens) {
  std::string text, bytes;
  for (const SpelledToken& token : tokens) {
    if (token.special) {
      text += repaired_utf8(std::exchange(bytes, {}));
      text += token.spelling;
    } else {
      const std::optional<std::string> part = from_byte_alphabet(token.spelling);
      TP_CHECK(part.has_value(), "a byte-level token is spelled in the byte alphabet");
      bytes += *part;
    }
  }
  return text + repaired_utf8(bytes);
}

// ---- SentencePiece ------------------------------------------------------------------------------

// "to be" becomes the pieces _to and _be (with U+2581 for _). Every space begins a piece.
Pieces metaspace_pieces(std::string_view text) {
  Pieces pieces;
  for (std::string& character : characters(text)) {
    if (character == " ") character = kMetaspace;
    if (character == kMetaspace) {
      pieces.emplace_back(kMetaspace);
    } else {
      if (pieces.empty()) pieces.emplace_back(kMetaspace);
      pieces.back() += character;
    }
  }
  return pieces;
}

std::string metaspace_text(std::span<const SpelledToken> tokens) {
  std::string text;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    std::string_view rest = tokens[i].spelling;
    if (i == 0 && rest.starts_with(kMetaspace)) rest.remove_prefix(kMetaspace.size());
    for (const std::string& character : characters(rest)) {
      text += character == kMetaspace ? " " : character;
    }
  }
  return text;
}

}  // namespace

std::string in_byte_alphabet(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    text += byte_alphabet().character_of[static_cast<unsigned char>(byte)];
  }
  return text;
}

std::optional<std::string> from_byte_alphabet(std::string_view text) {
  std::string bytes;
  while (!text.empty()) {
    const char32_t character = next_code_point(text);
    const std::array<int, 0x144>& byte_of = byte_alphabet().byte_of;
    if (character >= byte_of.size() || byte_of[character] < 0) return std::nullopt;
    bytes.push_back(static_cast<char>(byte_of[character]));
  }
  return bytes;
}

std::vector<std::string> pieces_of(TokenizerKind kind, std::string_view text) {
  switch (kind) {
    case TokenizerKind::kCharacter:
      return characters(text);
    case TokenizerKind::kWord:
      return words(text);
    case TokenizerKind::kByteBpe:
      return byte_level_pieces(text);
    case TokenizerKind::kSentencePiece:
      return metaspace_pieces(text);
  }
  TP_CHECK(false, "a tokenizer has one of four kinds");
  return {};
}

std::string text_of(TokenizerKind kind, std::span<const SpelledToken> tokens) {
  if (kind == TokenizerKind::kByteBpe) return byte_level_text(tokens);
  if (kind == TokenizerKind::kSentencePiece) return metaspace_text(tokens);
  std::string text;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (kind == TokenizerKind::kWord && i > 0) text += ' ';
    text += tokens[i].spelling;
  }
  return text;
}

}  // namespace tp
