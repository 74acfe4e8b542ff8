#pragma once

#include <functional>
#include <iterator>
#include <utility>

namespace tp {

// A stable insertion sort, for lists of at most a few hundred. Each kind of list that std::sort or
// std::stable_sort is used for adds 2 to 4 KB of code to the page; this adds a tenth of that.
template <class Range, class Projection = std::identity>
void small_sort(Range&& range, Projection key = {}) {
  const auto first = std::begin(range);
  for (auto at = first; at != std::end(range); ++at) {
    for (auto place = at; place != first; --place) {
      const auto before = std::prev(place);
      if (!(std::invoke(key, *place) < std::invoke(key, *before))) break;
      std::swap(*place, *before);
    }
  }
}

}  // namespace tp
