#include "engine/text/tokenizer_pieces.h"

#include <array>
#include <utility>

#include "engine/core/check.h"
#include "engine/core/utf8.h"
#include "engine/text/tokenizer_unicode.h"

namespace tp {
namespace {

// The first character of the text, which has one.
std::string_view first_character(std::string_view text) {
  std::string_view rest = text;
  next_code_point(rest);
  return text.substr(0, text.size() - rest.size());
}

// ---- character and word -------------------------------------------------------------------------

void characters(std::string_view text, const PieceVisitor& visit) {
  while (!text.empty()) {
    const std::string_view character = first_character(text);
    visit(character);
    text.remove_prefix(character.size());
  }
}

void words(std::string_view text, const PieceVisitor& visit) {
  std::size_t length = 0;  // of the word that `text` begins with, as far as it was looked at
  while (length < text.size()) {
    std::string_view rest = text.substr(length);
    if (!is_space(next_code_point(rest))) {
      length = text.size() - rest.size();
      continue;
    }
    if (length > 0) visit(text.substr(0, length));
    text = rest;
    length = 0;
  }
  if (length > 0) visit(text);
}

// ---- byte-level: GPT-2's pattern ----------------------------------------------------------------
//   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+

// The length of 's, 't and so on at the start of the text, or 0. All of it is ASCII.
std::size_t contraction_length(std::string_view text) {
  for (const std::string_view ending : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"}) {
    if (text.starts_with(ending)) return ending.size();
  }
  return 0;
}

CharacterClass class_at(std::string_view text, std::size_t at) {
  text.remove_prefix(at);
  return class_of(next_code_point(text));
}

// Characters of one class, from `begin` on.
struct Run {
  std::size_t last;  // where its last character begins
  std::size_t end;
};
Run run_at(std::string_view text, std::size_t begin) {
  const CharacterClass run = class_at(text, begin);
  Run found{begin, begin};
  for (std::string_view rest = text.substr(begin); !rest.empty();) {
    const std::size_t at = text.size() - rest.size();
    if (class_of(next_code_point(rest)) != run) break;
    found = {at, text.size() - rest.size()};
  }
  return found;
}

void byte_level_pieces(std::string_view text, const PieceVisitor& visit) {
  for (std::size_t begin = 0, end; begin < text.size(); begin = end) {
    end = begin + contraction_length(text.substr(begin));
    if (end == begin) {
      // One blank in front belongs to the letters, numbers or signs that follow it.
      const bool blank = text[begin] == ' ' && begin + 1 < text.size();
      const std::size_t word = blank ? begin + 1 : begin;
      if (class_at(text, word) != CharacterClass::kSpace) {
        end = run_at(text, word).end;
      } else {
        // A run of spaces leaves its last one to what follows, if it has more than one.
        const Run spaces = run_at(text, begin);
        end = spaces.end < text.size() && spaces.last > begin ? spaces.last : spaces.end;
      }
    }
    visit(in_byte_alphabet(text.substr(begin, end - begin)));
  }
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
void metaspace_pieces(std::string_view text, const PieceVisitor& visit) {
  std::string piece;
  while (!text.empty()) {
    const std::string_view character = first_character(text);
    text.remove_prefix(character.size());
    const bool space = character == " " || character == kMetaspace;
    if (space && !piece.empty()) visit(std::exchange(piece, {}));
    if (space || piece.empty()) piece = kMetaspace;
    if (!space) piece += character;
  }
  if (!piece.empty()) visit(piece);
}

std::string metaspace_text(std::span<const SpelledToken> tokens) {
  std::string text;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    std::string_view rest = tokens[i].spelling;
    if (i == 0 && rest.starts_with(kMetaspace)) rest.remove_prefix(kMetaspace.size());
    characters(rest, [&](std::string_view character) {
      text += character == kMetaspace ? " " : character;
    });
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

void visit_pieces(TokenizerKind kind, std::string_view text, const PieceVisitor& visit) {
  switch (kind) {
    case TokenizerKind::kCharacter:
      return characters(text, visit);
    case TokenizerKind::kWord:
      return words(text, visit);
    case TokenizerKind::kByteBpe:
      return byte_level_pieces(text, visit);
    case TokenizerKind::kSentencePiece:
      return metaspace_pieces(text, visit);
  }
  TP_CHECK(false, "a tokenizer has one of four kinds");
}

std::vector<std::string> pieces_of(TokenizerKind kind, std::string_view text) {
  std::vector<std::string> pieces;
  visit_pieces(kind, text, [&](std::string_view piece) { pieces.emplace_back(piece); });
  return pieces;
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
