#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tp {

// The marks that come first in every vocabulary. Where each input can be written, there is no
// kUnknown and its number belongs to the first word.
inline constexpr int kPad = 0, kBegin = 1, kEnd = 2, kUnknown = 3;

// Words (or letters) and their numbers.
class Vocabulary {
 public:
  enum class Marks { none, three, four };  // four: with <unk>

  Vocabulary() = default;
  explicit Vocabulary(Marks marks);

  // The number of `word`, which is added when it is new.
  int add(std::string_view word);

  int size() const { return static_cast<int>(words_.size()); }
  int marks() const { return marks_; }  // how many; they are the first numbers
  bool is_mark(int id) const { return id < marks_; }
  bool has_unknown() const { return marks_ > kUnknown; }
  std::string_view word(int id) const;
  // The marks are not found: a typed word that spells one is not meant as a mark. -1 when there is
  // none.
  int find(std::string_view word) const;

  // Everything but the marks, in the order of the numbers.
  std::vector<std::string_view> words() const;

  // The words of `ids` with `separator` between them, up to the end mark; other marks are left out.
  std::string join(std::span<const int> ids, std::string_view separator) const;

 private:
  int marks_ = 0;
  std::vector<std::string> words_;
  std::vector<int> sorted_;  // the ids behind the marks, by their word
};

}  // namespace tp
