#include "imgui_app/widgets/word_row.h"

#include <algorithm>

namespace tp::ui {

std::optional<int> word_row(Ui& ui, const std::vector<std::string>& words, int chosen, int usable,
                            Rect rect) {
  const float row = ui.px(26);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImVec2 at = rect.min;
  std::optional<int> pressed;
  const auto width_of = [&](size_t i) {
    return ui.measure(FontRole::kLabel, ui.fonts.drawable(words[i])).x + ui.px(14);
  };
  // The line begins where the chosen word is still in it.
  size_t first = 0;
  float needed = 0;
  for (size_t i = 0; i < words.size() && static_cast<int>(i) <= chosen; ++i) {
    needed += width_of(i);
    while (needed > rect.width() && first < i) needed -= width_of(first++);
  }
  if (static_cast<size_t>(chosen) >= words.size()) first = 0;
  for (size_t i = first; i < words.size(); ++i) {
    const std::string shown = ui.fonts.drawable(words[i]);
    const ImVec2 size = ui.measure(FontRole::kLabel, shown);
    const float width = size.x + ui.px(12);
    if (at.x + width > rect.max.x && at.x > rect.min.x) break;
    const Rect chip{at, ImVec2(std::min(at.x + width, rect.max.x), at.y + row)};
    ImGui::SetCursorScreenPos(chip.min);
    const bool can_be = static_cast<int>(i) < usable;
    if (ImGui::InvisibleButton(("word " + std::to_string(i)).c_str(),
                               ImVec2(chip.width(), chip.height())) &&
        can_be) {
      pressed = static_cast<int>(i);
    }
    const bool here = static_cast<int>(i) == chosen;
    const Colour fill_colour = here                     ? ui.palette.accent
                               : ImGui::IsItemHovered() ? ui.palette.raised
                                                        : ui.palette.panel;
    list.AddRectFilled(chip.min, chip.max, ui.colour(fill_colour), ui.px(6));
    ui.text(ImVec2(chip.min.x + ui.px(6), chip.min.y + (row - size.y) / 2), FontRole::kLabel,
            here     ? ui.palette.on_accent
            : can_be ? ui.palette.text
                     : ui.palette.muted,
            shown, {.max_width = chip.width() - ui.px(12)});
    at.x += width + ui.px(2);
  }
  return pressed;
}

}  // namespace tp::ui
