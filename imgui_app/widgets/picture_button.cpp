#include "imgui_app/widgets/picture_button.h"

#include <algorithm>

namespace tp::ui {

bool picture_button(Ui& ui, Action action, Rect picture, const HeatmapImage& image) {
  const Rect rect = action.rect;
  ImGui::SetCursorScreenPos(rect.min);
  const bool pressed =
      ImGui::InvisibleButton(action.name.c_str(), ImVec2(rect.width(), rect.height())) &&
      action.enabled;
  const bool hovered = ImGui::IsItemHovered() && action.enabled;
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (hovered || action.pressed) {
    list.AddRectFilled(rect.min, rect.max, ui.colour(ui.palette.raised), ui.px(6));
  }
  if (!image.values.empty()) {
    ui.heatmaps.draw(list, action.name, image, picture.min, picture.max, 0, ui.palette.panel);
  }
  const float line = std::max(1.0f, ui.px(action.pressed ? 2 : 1));
  const Colour edge = action.pressed         ? ui.palette.accent
                      : hovered              ? ui.palette.edge
                      : image.values.empty() ? ui.palette.hairline
                                             : ui.palette.edge;
  list.AddRect(ImVec2(picture.min.x - line, picture.min.y - line),
               ImVec2(picture.max.x + line, picture.max.y + line), ui.colour(edge), ui.px(2), 0,
               line);
  if (pressed) ui.commands.push_back(action.command);
  ui.mirror.action(std::move(action));
  return pressed;
}

}  // namespace tp::ui
