#include "imgui_app/widgets/picture_field.h"

#include <algorithm>
#include <cmath>

#include "imgui_app/widgets/depiction.h"

namespace tp::ui {

Depiction drawn_picture(std::string_view rows, const Depiction& like) {
  Depiction picture = like;
  std::size_t count = 0;
  for (const char sign : rows) {
    if (sign == ' ') continue;
    if ((sign != '#' && sign != '.') || count >= like.values.size()) return like;
    picture.values[count++] = sign == '#' ? 0.85f : 0.15f;
  }
  return count == like.values.size() ? picture : like;
}

std::string rows_of(const Depiction& picture) {
  std::string rows;
  for (std::size_t i = 0; i < picture.values.size(); ++i) {
    if (i > 0 && i % static_cast<std::size_t>(picture.width) == 0) rows += ' ';
    rows += picture.values[i] > 0.5f ? '#' : '.';
  }
  return rows;
}

std::optional<std::string> picture_field(Ui& ui, const Depiction& shown, Rect rect) {
  ImGui::SetCursorScreenPos(rect.min);
  ImGui::InvisibleButton("picture field", ImVec2(rect.width(), rect.height()));
  ui.mirror.place("picture_field", rect);
  ui.mirror.grabs(rect);
  draw_depiction(ui, shown, rect);
  if (!ImGui::IsItemActive()) return std::nullopt;
  const float side = rect.width() / static_cast<float>(shown.width);
  const ImVec2 to = ImGui::GetIO().MousePos, moved = ImGui::GetIO().MouseDelta;
  // Null outside of the picture.
  Depiction picture = shown;
  const auto pixel_at = [&](ImVec2 at) -> float* {
    if (!rect.contains(at)) return nullptr;
    const int last = shown.width - 1;
    const int x = std::min(static_cast<int>((at.x - rect.min.x) / side), last);
    const int y = std::min(static_cast<int>((at.y - rect.min.y) / side), last);
    return &picture.values[static_cast<std::size_t>(y * shown.width + x)];
  };
  ImGuiStorage& storage = *ImGui::GetStateStorage();
  const ImGuiID kept = ImGui::GetID("picture ink");
  const bool begins = ImGui::IsItemActivated();
  if (begins && pixel_at(to)) storage.SetBool(kept, *pixel_at(to) <= 0.5f);
  // All pixels on the way from where the pointer was a frame ago.
  const float way = begins ? 0 : std::max(std::abs(moved.x), std::abs(moved.y));
  const int steps = 1 + static_cast<int>(2 * way / side);
  for (int i = 0; i < steps; ++i) {
    const float back = begins ? 0 : static_cast<float>(i) / static_cast<float>(steps);
    float* pixel = pixel_at(ImVec2(to.x - back * moved.x, to.y - back * moved.y));
    if (pixel) *pixel = storage.GetBool(kept) ? 1.0f : 0.0f;
  }
  const std::string rows = rows_of(picture);
  return rows == rows_of(shown) ? std::nullopt : std::optional(rows);
}

}  // namespace tp::ui
