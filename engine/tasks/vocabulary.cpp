#include "engine/tasks/vocabulary.h"

#include <algorithm>

#include "engine/core/check.h"

namespace tp {
namespace {

constexpr std::string_view kMarks[] = {"<pad>", "<bos>", "<eos>", "<unk>"};

}  // namespace

Vocabulary::Vocabulary(Marks marks)
    : marks_(marks == Marks::none    ? 0
             : marks == Marks::three ? 3
                                     : 4),
      words_(kMarks, kMarks + marks_) {}

int Vocabulary::add(std::string_view word) {
  const auto place =
      std::lower_bound(sorted_.begin(), sorted_.end(), word,
                       [this](int id, std::string_view w) { return words_[id] < w; });
  if (place != sorted_.end() && words_[*place] == word) return *place;
  const int id = size();
  sorted_.insert(place, id);
  words_.emplace_back(word);
  return id;
}

std::string_view Vocabulary::word(int id) const {
  TP_CHECK(id >= 0 && id < size(), "no word has that number");
  return words_[id];
}

int Vocabulary::find(std::string_view word) const {
  const auto place =
      std::lower_bound(sorted_.begin(), sorted_.end(), word,
                       [this](int id, std::string_view w) { return words_[id] < w; });
  return place != sorted_.end() && words_[*place] == word ? *place : -1;
}

std::vector<std::string_view> Vocabulary::words() const {
  return {words_.begin() + marks_, words_.end()};
}

std::string Vocabulary::join(std::span<const int> ids, std::string_view separator) const {
  std::string text;
  for (int id : ids) {
    if (id == kEnd && is_mark(kEnd)) break;
    if (is_mark(id) && id != kUnknown) continue;
    if (!text.empty()) text += separator;
    text += word(id);
  }
  return text;
}

}  // namespace tp
