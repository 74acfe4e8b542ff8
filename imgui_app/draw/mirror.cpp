#include "imgui_app/draw/mirror.h"

#include <algorithm>

namespace tp::ui {

std::vector<Placed> Mirror::in_reading_order() const {
  const auto middle = [](const Placed& one) { return (one.rect.min.y + one.rect.max.y) / 2; };
  std::vector<Placed> all = placed_;
  std::ranges::stable_sort(all, [&](const Placed& a, const Placed& b) {
    return a.section != b.section ? a.section < b.section : middle(a) < middle(b);
  });
  // What has its middle beside the first one of a row is in that row.
  for (auto first = all.begin(); first != all.end();) {
    const auto end = std::find_if(first, all.end(), [&](const Placed& one) {
      return one.section != first->section || middle(one) > first->rect.max.y;
    });
    std::stable_sort(first, end,
                     [](const Placed& a, const Placed& b) { return a.rect.min.x < b.rect.min.x; });
    first = end;
  }
  return all;
}

}  // namespace tp::ui
