#include "engine/core/nearest.h"

#include <algorithm>
#include <string>
#include <vector>

#include "engine/core/shown_name.h"

namespace tp {
namespace {

// Letters to change, add, leave out or exchange with their neighbour (Damerau and Levenshtein).
std::size_t distance(std::string_view a, std::string_view b) {
  const std::size_t columns = b.size() + 1;
  std::vector<std::size_t> table((a.size() + 1) * columns);
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& {
    return table[i * columns + j];
  };
  const auto same = [](char x, char y) {
    return x == y || (x == '_' && y == '-') || (x == '-' && y == '_');
  };
  for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = i;
  for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = same(a[i - 1], b[j - 1]) ? 0 : 1;
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + change});
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1])) {
        at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
      }
    }
  }
  return table.back();
}

}  // namespace

std::string_view nearest_name(std::string_view word, std::span<const std::string_view> names) {
  constexpr std::size_t kLongest = 40;  // of what a person mistypes
  if (word.size() > kLongest) return {};
  std::string_view best;
  std::size_t least = std::max<std::size_t>(word.size() / 3, 1) + 1;
  for (const std::string_view name : names) {
    const std::size_t apart = distance(word, name);
    if (apart >= least) continue;
    least = apart;
    best = name;
  }
  return best;
}

Error unknown_name(const Error& kind, std::string_view name,
                   std::span<const std::string_view> names) {
  std::string all;
  for (const std::string_view one : names) all += (all.empty() ? "" : ", ") + std::string(one);
  const std::string near(nearest_name(name, names));
  const bool none = near.empty();
  return {"there is no " + kind.message + " " + shown_name(name) +
              (none ? ": choose one of " : ": the nearest is " + near + "; there are ") + all + ".",
          "없는 " + kind.korean + "입니다: " + shown_text(name) + ". " +
              (none ? "" : "비슷한 " + kind.korean + ": " + near + ". ") + kind.korean +
              " 목록: " + all + "."};
}

}  // namespace tp
