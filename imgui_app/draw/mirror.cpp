#include "imgui_app/draw/mirror.h"

#include <algorithm>

namespace tp::ui {

std::vector<const Placed*> Mirror::in_reading_order() const {
  using Iterator = std::vector<const Placed*>::iterator;
  std::vector<const Placed*> all;
  for (const Placed& one : placed_) all.push_back(&one);
  const auto middle = [](const Placed* one) { return (one->rect.min.y + one->rect.max.y) / 2; };
  // Either downwards, section by section, or across; equals stay as they were drawn.
  const auto sort = [&](Iterator first, Iterator last, bool across) {
    std::sort(first, last, [&](const Placed* a, const Placed* b) {
      if (!across && a->section != b->section) return a->section < b->section;
      const float one = across ? a->rect.min.x : middle(a);
      const float other = across ? b->rect.min.x : middle(b);
      return one != other ? one < other : a < b;
    });
  };
  sort(all.begin(), all.end(), false);
  // What has its middle beside the first one of a row is in that row.
  for (Iterator first = all.begin(); first != all.end();) {
    const Placed& head = **first;
    const Iterator end = std::find_if(first, all.end(), [&](const Placed* one) {
      return one->section != head.section || middle(one) > head.rect.max.y;
    });
    sort(first, end, true);
    first = end;
  }
  return all;
}

}  // namespace tp::ui
