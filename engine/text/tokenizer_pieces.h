#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/text/tokenizer.h"

// The two ends of a tokenizer, each kind its own way: a text is cut into pieces before the model
// looks at them (Hugging Face calls this the pre-tokenizer), and tokens are put together as a text
// again (the decoder).

namespace tp {

// How SentencePiece writes a space.
inline constexpr std::string_view kMetaspace = "\u2581";

// The pieces one after another, in the spelling of the vocabulary. No token reaches over the end of
// a piece.
using PieceVisitor = std::function<void(std::string_view piece)>;
void visit_pieces(TokenizerKind kind, std::string_view text, const PieceVisitor& visit);
std::vector<std::string> pieces_of(TokenizerKind kind, std::string_view text);

// A character for each of the bytes 0 to 255, in which byte-level tokens are spelled: visible ones
// for themselves, the others in order from U+0100 on (GPT-2's alphabet; a space becomes U+0120).
std::string in_byte_alphabet(std::string_view bytes);
// Nothing when a character is none of the 256.
std::optional<std::string> from_byte_alphabet(std::string_view text);

struct SpelledToken {
  std::string_view spelling;
  bool special;
};
// Well-formed UTF-8 whatever the tokens are.
std::string text_of(TokenizerKind kind, std::span<const SpelledToken> tokens);

}  // namespace tp
