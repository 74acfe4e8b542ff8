#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/core/check.h"

namespace tp {

// In the place of an id where there is no token.
inline constexpr int kNoToken = -1;

// A longer token is neither learned nor read.
inline constexpr std::size_t kMaxTokenBytes = 256;

// Tokens by id and ids by token. Ids are given in the order of adding.
class TokenTable {
 public:
  int size() const { return static_cast<int>(spellings_.size()); }

  const std::string& spelling(int id) const {
    TP_CHECK(id >= 0 && id < size(), "a token id must be in the vocabulary");
    return spellings_[static_cast<std::size_t>(id)];
  }

  // kNoToken when there is none.
  int find(std::string_view spelling) const {
    const auto at = ids_.find(spelling);
    return at == ids_.end() ? kNoToken : at->second;
  }

  // Of a token that is there or is added now.
  int find_or_add(std::string_view spelling) {
    const int id = find(spelling);
    return id == kNoToken ? add(std::string(spelling)) : id;
  }

  int add(std::string spelling) {
    const bool added = ids_.try_emplace(spelling, size()).second;
    TP_CHECK(added, "a token is added to a vocabulary once");
    spellings_.push_back(std::move(spelling));
    return size() - 1;
  }

 private:
  // Lets a string_view be looked up without a copy.
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };

  std::vector<std::string> spellings_;
  std::unordered_map<std::string, int, TextHash, std::equal_to<>> ids_;
};

}  // namespace tp
