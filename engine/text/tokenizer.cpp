#include "engine/text/tokenizer.h"

#include <array>
#include <utility>

#include "engine/core/check.h"
#include "engine/text/tokenizer_pieces.h"

namespace tp {

std::vector<TextSection> sections_of(std::string_view text,
                                     std::span<const std::string> special_tokens) {
  std::array<std::vector<std::string_view>, 256> by_first_byte;
  const auto starting_with = [&](char first) -> std::vector<std::string_view>& {
    return by_first_byte[static_cast<unsigned char>(first)];
  };
  for (const std::string& token : special_tokens) starting_with(token[0]).push_back(token);

  std::vector<TextSection> sections;
  std::size_t begin = 0;
  const auto finish_plain = [&](std::size_t end) {
    if (end > begin) sections.push_back({text.substr(begin, end - begin), false});
  };
  for (std::size_t i = 0; i < text.size();) {
    std::string_view longest;
    for (const std::string_view token : starting_with(text[i])) {
      if (token.size() > longest.size() && text.substr(i).starts_with(token)) longest = token;
    }
    if (longest.empty()) {
      ++i;
      continue;
    }
    finish_plain(i);
    sections.push_back({longest, true});
    i += longest.size();
    begin = i;
  }
  finish_plain(text.size());
  return sections;
}

Tokenizer::Tokenizer(Parts parts)
    : parts_(std::move(parts)),
      merge_table_(parts_.merges),
      is_special_(static_cast<std::size_t>(parts_.vocabulary.size())) {
  for (const int id : parts_.special) {
    TP_CHECK(!spelling(id).empty(), "a special token must not be empty");
    is_special_[static_cast<std::size_t>(id)] = true;
    special_spellings_.push_back(spelling(id));
  }
}

bool Tokenizer::is_special(int id) const {
  TP_CHECK(id >= 0 && id < size(), "a token id must be in the vocabulary");
  return is_special_[static_cast<std::size_t>(id)];
}

std::vector<int> Tokenizer::encode(std::string_view text) const {
  std::vector<int> ids;
  for (const TextSection& section : sections_of(text, special_spellings_)) {
    if (section.special) {
      ids.push_back(find(section.text));
      continue;
    }
    for (const std::string& piece : pieces_of(kind(), section.text)) encode_piece(piece, ids);
  }
  return ids;
}

void Tokenizer::encode_piece(std::string_view piece, std::vector<int>& ids) const {
  std::vector<int> symbols;
  if (uses_merges(kind())) {
    for (const std::string& character : pieces_of(TokenizerKind::kCharacter, piece)) {
      symbols.push_back(find(character));
    }
    merge_table_.apply(symbols);
  } else {
    symbols.push_back(find(piece));
  }
  for (const int symbol : symbols) {
    const int id = symbol == kNoToken ? unknown() : symbol;
    if (id != kNoToken) ids.push_back(id);
  }
}

std::string Tokenizer::decode(std::span<const int> ids, Special special) const {
  std::vector<SpelledToken> tokens;
  for (const int id : ids) {
    if (special == Special::kSkip && is_special(id)) continue;
    tokens.push_back({spelling(id), is_special(id)});
  }
  return text_of(kind(), tokens);
}

}  // namespace tp
