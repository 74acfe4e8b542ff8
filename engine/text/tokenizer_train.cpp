// Training: which tokens a text deserves.

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "engine/core/shown_name.h"
#include "engine/core/small_sort.h"
#include "engine/core/utf8.h"
#include "engine/text/tokenizer.h"
#include "engine/text/tokenizer_pieces.h"

namespace tp {
namespace {

// Sorted by spelling, which in UTF-8 is the order of code points: nothing here depends on the order
// of a hash table.
using Counts = std::map<std::string, std::int64_t, std::less<>>;

Counts counted_pieces(std::span<const std::string_view> texts, const TokenizerOptions& options) {
  // Looked up for every piece of the text, so without order until the end.
  TokenTable pieces;
  std::vector<std::int64_t> counts;
  const auto count = [&](std::string_view piece) {
    const auto at = static_cast<std::size_t>(pieces.find_or_add(piece));
    if (at == counts.size()) counts.push_back(0);
    ++counts[at];
  };
  for (const std::string_view text : texts) {
    for (const TextSection& section : sections_of(text, options.special_tokens)) {
      if (!section.special) visit_pieces(options.kind, section.text, count);
    }
  }
  Counts in_order;
  for (int id = 0; id < pieces.size(); ++id) {
    in_order[pieces.spelling(id)] = counts[static_cast<std::size_t>(id)];
  }
  return in_order;
}

Counts counted_characters(const Counts& pieces) {
  Counts counts;
  for (const auto& [piece, count] : pieces) {
    for (std::string& character : pieces_of(TokenizerKind::kCharacter, piece)) {
      counts[std::move(character)] += count;
    }
  }
  return counts;
}

// The most frequent spellings, most frequent first.
std::vector<std::string> most_frequent(const Counts& counts, int room) {
  std::vector<std::pair<std::int64_t, std::string_view>> ranking;
  for (const auto& [spelling, count] : counts) {
    if (spelling.size() <= kMaxTokenBytes) ranking.emplace_back(-count, spelling);
  }
  heap_sort(ranking);
  ranking.resize(std::min(ranking.size(), static_cast<std::size_t>(room)));
  std::vector<std::string> spellings;
  for (const auto& [count, spelling] : ranking) spellings.emplace_back(spelling);
  return spellings;
}

std::vector<std::string> sorted(std::vector<std::string> spellings) {
  heap_sort(spellings);
  return spellings;
}

std::vector<std::string> all_bytes() {
  std::vector<std::string> spellings;
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    spellings.push_back(in_byte_alphabet({&c, 1}));
  }
  return spellings;
}

// The tokens that are there before any merge: words by frequency, characters by code point.
std::vector<std::string> first_tokens(TokenizerKind kind, const Counts& pieces, int room) {
  switch (kind) {
    case TokenizerKind::kWord:
      return most_frequent(pieces, room);
    case TokenizerKind::kByteBpe:
      return sorted(all_bytes());
    default:
      return sorted(most_frequent(counted_characters(pieces), room));
  }
}

std::vector<CountedWord> as_symbols(const Counts& pieces, const TokenTable& vocabulary) {
  std::vector<CountedWord> words;
  for (const auto& [piece, count] : pieces) {
    CountedWord word{{}, count};
    for (const std::string& character : pieces_of(TokenizerKind::kCharacter, piece)) {
      word.symbols.push_back(vocabulary.find(character));
    }
    words.push_back(std::move(word));
  }
  return words;
}

bool is_one_character(std::string_view text) {
  next_code_point(text);
  return text.empty();
}

// What is wrong with the special tokens, or nothing.
std::string special_token_problem(const std::vector<std::string>& tokens) {
  if (tokens.size() > kMaxSpecialTokens) {
    return "there are more than " + std::to_string(kMaxSpecialTokens) + " special tokens";
  }
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string& token = tokens[i];
    // A single character could not be told from the same character in the text.
    if (token.empty() || !is_valid_utf8(token) || is_one_character(token) ||
        token.size() > kMaxTokenBytes) {
      return "the special token " + shown_name(token) +
             " must be UTF-8 with at least two characters and at most " +
             std::to_string(kMaxTokenBytes) + " bytes";
    }
    if (std::count(tokens.begin(), tokens.end(), token) > 1) {
      return "the special token " + shown_name(token) + " is there twice";
    }
  }
  return "";
}

std::string problem(std::span<const std::string_view> texts, const TokenizerOptions& options) {
  if (!std::all_of(texts.begin(), texts.end(), is_valid_utf8))
    return "the text is not UTF-8; save it as UTF-8 and try again";
  std::string wrong = special_token_problem(options.special_tokens);
  if (!wrong.empty()) return wrong;
  const auto& special = options.special_tokens;
  const bool bytes = options.kind == TokenizerKind::kByteBpe;
  if (!bytes && std::find(special.begin(), special.end(), kUnknownToken) == special.end()) {
    return "<unk> is missing from its special tokens";
  }
  const int least = static_cast<int>(special.size()) + (bytes ? 256 : 1);
  if (options.vocabulary_size < least || options.vocabulary_size > kMaxVocabulary) {
    return "a vocabulary of " + std::to_string(options.vocabulary_size) +
           " tokens was asked for, but this kind has from " + std::to_string(least) + " to " +
           std::to_string(kMaxVocabulary);
  }
  return "";
}

}  // namespace

Result<Tokenizer> Tokenizer::train(std::string_view text, const TokenizerOptions& options) {
  return train({&text, 1}, options);
}

Result<Tokenizer> Tokenizer::train(std::span<const std::string_view> texts,
                                   const TokenizerOptions& options) {
  const std::string wrong = problem(texts, options);
  if (!wrong.empty()) return Error{"The tokenizer cannot be trained: " + wrong + "."};

  Parts parts;
  parts.kind = options.kind;
  for (const std::string& token : options.special_tokens) {
    parts.special.push_back(parts.vocabulary.add(token));
  }
  const int reserved = parts.vocabulary.size();
  if (options.kind != TokenizerKind::kByteBpe) parts.unknown = parts.vocabulary.find(kUnknownToken);

  const Counts pieces = counted_pieces(texts, options);
  for (std::string& token :
       first_tokens(options.kind, pieces, options.vocabulary_size - reserved)) {
    parts.vocabulary.add(std::move(token));
  }
  if (uses_merges(options.kind)) {
    parts.merges = learn_merges(as_symbols(pieces, parts.vocabulary), options.min_count,
                                parts.vocabulary, options.vocabulary_size, reserved);
  }
  return Tokenizer(std::move(parts));
}

}  // namespace tp
