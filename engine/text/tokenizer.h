#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "engine/text/tokenizer_bpe.h"
#include "engine/text/tokenizer_table.h"

// Text to token ids and back. Four kinds, all trained on a text, all read and written as Hugging
// Face's tokenizer.json:
//
//   kind           a token is                      round trip
//   character      one character                   exact for the characters it knows
//   word           what stands between spaces      up to spaces, for the words it knows
//   byte BPE       bytes, joined by merges         exact for every text
//   SentencePiece  characters, joined by merges;   exact for the characters it knows, except that
//                  a space is U+2581 and leads     one space at the start is lost and U+2581 itself
//                  the word after it               becomes a space
//
// What it does not know becomes the unknown token. Special tokens have the first ids; where one is
// spelled out in a text, it is that token.

namespace tp {

enum class TokenizerKind { kCharacter, kWord, kByteBpe, kSentencePiece };

constexpr bool uses_merges(TokenizerKind kind) {
  return kind == TokenizerKind::kByteBpe || kind == TokenizerKind::kSentencePiece;
}

struct TokenizerOptions {
  TokenizerKind kind = TokenizerKind::kCharacter;
  int vocabulary_size = 512;  // at most, special tokens included
  int min_count = 2;          // BPE: a pair seen less often is not joined
  // In the order of their ids. kUnknownToken must be among them, except for byte BPE.
  std::vector<std::string> special_tokens = {"<pad>", "<bos>", "<eos>", "<unk>"};
};

inline constexpr std::string_view kUnknownToken = "<unk>";

// Limits of what is read or trained.
inline constexpr std::size_t kMaxTokenizerFileBytes = 8 << 20;
inline constexpr int kMaxVocabulary = 65'536;
inline constexpr std::size_t kMaxSpecialTokens = 256;

class Tokenizer {
 public:
  // What distinguishes one tokenizer from another, and all that is saved.
  struct Parts {
    TokenizerKind kind = TokenizerKind::kCharacter;
    TokenTable vocabulary;
    std::vector<Merge> merges;  // BPE only
    std::vector<int> special;   // ids
    int unknown = kNoToken;     // without one, what is not known is left out
  };
  explicit Tokenizer(Parts parts);

  // The same text and options give the same tokenizer everywhere. Characters and words are taken by
  // frequency, equally frequent ones in the order of their code points; merges as learn_merges()
  // says.
  static Result<Tokenizer> train(std::string_view text, const TokenizerOptions& options);
  // On several texts; no piece reaches from one into the next.
  static Result<Tokenizer> train(std::span<const std::string_view> texts,
                                 const TokenizerOptions& options);

  // The content of a tokenizer.json. Whatever this engine does not do exactly as the file asks is
  // an error.
  static Result<Tokenizer> parse(std::string_view json);
  std::string json() const;

  TokenizerKind kind() const { return parts_.kind; }
  int size() const { return parts_.vocabulary.size(); }
  // As in the vocabulary: byte-level tokens in the byte alphabet, spaces of SentencePiece as
  // U+2581.
  const std::string& spelling(int id) const { return parts_.vocabulary.spelling(id); }
  // kNoToken when there is none.
  int find(std::string_view spelling) const { return parts_.vocabulary.find(spelling); }
  bool is_special(int id) const;
  int unknown() const { return parts_.unknown; }
  std::span<const Merge> merges() const { return parts_.merges; }

  // What a special token that is spelled out in a text becomes: itself, or what the text would
  // become if there were no special tokens. A word that spells one is unknown then.
  enum class Spelled { kToken, kText };
  // What became of each piece, for texts that have many of them in common and are all encoded with
  // the same `spelled`.
  struct Cache {
    TokenTable pieces;
    std::vector<std::vector<int>> ids;  // of each piece
  };
  // Any bytes; malformed UTF-8 is unknown, except to byte BPE.
  std::vector<int> encode(std::string_view text, Spelled spelled = Spelled::kToken,
                          Cache* cache = nullptr) const;

  enum class Special { kShow, kSkip };
  // Every id must be below size(). Byte BPE may cut a character in two: half a character is shown
  // as U+FFFD.
  std::string decode(std::span<const int> ids, Special special = Special::kSkip) const;

 private:
  void encode_piece(std::string_view piece, Spelled spelled, std::vector<int>& ids) const;

  Parts parts_;
  MergeTable merge_table_;
  std::vector<bool> is_special_;  // by id
  std::vector<std::string> special_spellings_;
};

// A part of a text: a special token, or what stands between them.
struct TextSection {
  std::string_view text;
  bool special;
};
// Looks for the earliest special token, of several at one place for the longest.
std::vector<TextSection> sections_of(std::string_view text,
                                     std::span<const std::string> special_tokens);

}  // namespace tp
