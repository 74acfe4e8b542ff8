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

std::vector<int> Tokenizer::encode(std::string_view text, Spelled spelled, Cache* cache) const {
  std::vector<int> ids;
  const auto encode_section = [&](std::string_view section) {
    visit_pieces(kind(), section, [&](std::string_view piece) {
      if (cache == nullptr) return encode_piece(piece, spelled, ids);
      const auto at = static_cast<std::size_t>(cache->pieces.find_or_add(piece));
      if (at == cache->ids.size()) encode_piece(piece, spelled, cache->ids.emplace_back());
      ids.insert(ids.end(), cache->ids[at].begin(), cache->ids[at].end());
    });
  };
  if (spelled == Spelled::kText) {
    encode_section(text);
    return ids;
  }
  for (const TextSection& section : sections_of(text, special_spellings_)) {
    if (section.special) {
      ids.push_back(find(section.text));
    } else {
      encode_section(section.text);
    }
  }
  return ids;
}

void Tokenizer::encode_piece(std::string_view piece, Spelled spelled, std::vector<int>& ids) const {
  const auto add = [&](int symbol) {
    const bool known = symbol != kNoToken && (spelled == Spelled::kToken || !is_special(symbol));
    const int id = known ? symbol : unknown();
    if (id != kNoToken) ids.push_back(id);
  };
  if (!uses_merges(kind())) return add(find(piece));
  std::vector<int> symbols;
  visit_pieces(TokenizerKind::kCharacter, piece,
               [&](std::string_view character) { symbols.push_back(find(character)); });
  merge_table_.apply(symbols);
  for (const int symbol : symbols) add(symbol);
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
