#include "imgui_app/widgets/clock.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tp::ui {

void clock(Ui& ui, std::span<const ClockHand> hands, Rect rect) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 centre((rect.min.x + rect.max.x) / 2, (rect.min.y + rect.max.y) / 2);
  const float radius = std::min(rect.width(), rect.height()) / 2 - ui.px(2);
  const float thin = std::max(1.0f, ui.px(1));
  const auto point = [&](double angle, float distance) {
    return ImVec2(centre.x + distance * static_cast<float>(std::sin(angle)),
                  centre.y - distance * static_cast<float>(std::cos(angle)));
  };
  list.AddCircleFilled(centre, radius, ui.colour(ui.palette.page), 96);
  list.AddCircle(centre, radius, ui.colour(ui.palette.edge), 96, thin);
  for (int i = 0; i < 12; ++i) {
    const double angle = i * std::numbers::pi / 6;
    const float inner = radius * (i % 3 == 0 ? 0.88f : 0.94f);
    list.AddLine(point(angle, inner), point(angle, radius), ui.colour(ui.palette.edge), thin);
  }
  // Slow hands first, so that the fast, long ones lie on top, as on a watch.
  for (size_t i = hands.size(); i-- > 0;) {
    const float reach = radius * (0.9f - 0.13f * static_cast<float>(i));
    const float width = ui.scale * (2 + 0.8f * static_cast<float>(i));
    list.AddLine(centre, point(hands[i].angle, reach), ui.colour(hands[i].colour), width);
    list.AddCircleFilled(point(hands[i].angle, reach), width * 1.1f, ui.colour(hands[i].colour));
  }
  list.AddCircleFilled(centre, ui.px(4), ui.colour(ui.palette.text));
  ui.mirror.place("clock", rect);
}

}  // namespace tp::ui
