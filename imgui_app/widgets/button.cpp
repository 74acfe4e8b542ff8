#include "imgui_app/widgets/button.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "imgui_app/widgets/controls.h"

namespace tp::ui {
namespace {

// Shapes, because the fonts have no such signs. In a square of side `size` around `c`.
void draw_icon(ImDrawList& list, Icon icon, ImVec2 c, float size, ImU32 colour) {
  const float h = size / 2;
  const auto at = [&](float x, float y) { return ImVec2(c.x + x * h, c.y + y * h); };
  switch (icon) {
    case Icon::kNone:
      return;
    case Icon::kPlay:
      list.AddTriangleFilled(at(-0.7f, -0.9f), at(-0.7f, 0.9f), at(0.9f, 0), colour);
      return;
    case Icon::kPause:
      list.AddRectFilled(at(-0.7f, -0.85f), at(-0.2f, 0.85f), colour);
      list.AddRectFilled(at(0.2f, -0.85f), at(0.7f, 0.85f), colour);
      return;
    case Icon::kStep:
      list.AddTriangleFilled(at(-0.8f, -0.85f), at(-0.8f, 0.85f), at(0.4f, 0), colour);
      list.AddRectFilled(at(0.45f, -0.85f), at(0.8f, 0.85f), colour);
      return;
    case Icon::kReset: {
      list.PathArcTo(c, h * 0.8f, -0.9f, 4.3f);
      list.PathStroke(colour, 0, size * 0.13f);
      list.AddTriangleFilled(at(0.05f, -1.05f), at(0.05f, -0.35f), at(-0.6f, -0.7f), colour);
      return;
    }
    case Icon::kBefore:
    case Icon::kAfter: {
      const float tip = icon == Icon::kBefore ? -0.4f : 0.4f;
      const ImVec2 points[] = {at(-tip, -0.8f), at(tip, 0), at(-tip, 0.8f)};
      list.AddPolyline(points, 3, colour, 0, size * 0.13f);
      return;
    }
    case Icon::kDice:
      list.AddRect(at(-0.85f, -0.85f), at(0.85f, 0.85f), colour, size * 0.2f, 0, size * 0.11f);
      for (const float p : {-0.4f, 0.0f, 0.4f}) list.AddCircleFilled(at(p, p), size * 0.1f, colour);
      return;
  }
}

}  // namespace

float button_width(const Ui& ui, std::string_view label) {
  return ui.measure(FontRole::kLabel, label).x + ui.px(20);
}

bool button(Ui& ui, Action action, ButtonLook look, Icon icon) {
  const Rect rect = action.rect;
  ImGui::SetCursorScreenPos(rect.min);
  bool pressed = ImGui::InvisibleButton(action.name.c_str(), ImVec2(rect.width(), rect.height()));
  pressed &= action.enabled;
  const bool hovered = ImGui::IsItemHovered() && action.enabled;
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  const Palette& p = ui.palette;
  const bool filled = look == ButtonLook::kPrimary;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float alpha = action.enabled ? 1.0f : 0.45f;
  if (filled) {
    list.AddRectFilled(rect.min, rect.max, ui.colour(p.accent, hovered ? 0.88f : alpha), ui.px(6));
  } else if (hovered || action.pressed) {
    list.AddRectFilled(rect.min, rect.max, ui.colour(p.raised), ui.px(6));
  }
  if (look == ButtonLook::kFramed) {
    list.AddRect(rect.min, rect.max, ui.colour(action.pressed ? p.accent : p.edge, alpha), ui.px(6),
                 0, std::max(1.0f, ui.px(1)));
  }
  const Colour ink = filled ? p.on_accent : look == ButtonLook::kFramed ? p.text : p.accent;
  const FontRole role = filled ? FontRole::kBody : FontRole::kLabel;
  const ImVec2 size = ui.measure(role, action.label);
  const float icon_size = icon == Icon::kNone ? 0 : ui.px(filled ? 16 : 14);
  const float gap = icon == Icon::kNone ? 0 : ui.px(7);
  const bool both = size.x + icon_size + gap + ui.px(8) <= rect.width();
  const float width = both ? size.x + icon_size + gap : icon_size;
  float x = rect.min.x + (rect.width() - width) / 2;
  const float middle = (rect.min.y + rect.max.y) / 2;
  draw_icon(list, icon, ImVec2(std::round(x + icon_size / 2), std::round(middle)), icon_size,
            ui.colour(ink, alpha));
  x += icon_size + gap;
  if (both) {
    ui.text(ImVec2(x, middle - size.y / 2), role, action.enabled ? ink : p.muted, action.label);
  } else if (icon == Icon::kNone) {
    ui.text(ImVec2(rect.min.x + ui.px(4), middle - size.y / 2), role, ink, action.label,
            {.max_width = rect.width() - ui.px(8)});
  } else {
    tooltip(ui, action.label);
  }
  if (pressed) ui.commands.push_back(action.command);
  ui.mirror.action(std::move(action));
  return pressed;
}

bool quiet_button(Ui& ui, std::string_view name, std::string_view label, Rect rect) {
  ImGui::SetCursorScreenPos(rect.min);
  const bool pressed =
      ImGui::InvisibleButton(std::string(name).c_str(), ImVec2(rect.width(), rect.height()));
  ui.mirror.place(name, rect);
  if (ImGui::IsItemHovered()) {
    ImGui::GetWindowDrawList()->AddRectFilled(rect.min, rect.max, ui.colour(ui.palette.raised),
                                              ui.px(6));
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  }
  const ImVec2 size = ui.measure(FontRole::kLabel, label);
  ui.text(
      ImVec2(rect.min.x + (rect.width() - size.x) / 2, rect.min.y + (rect.height() - size.y) / 2),
      FontRole::kLabel, ui.palette.accent, label);
  return pressed;
}

void heading_button(Ui& ui, Action action, Rect panel, float there) {
  const float width = button_width(ui, action.label);
  const ImVec2 max(panel.max.x - ui.px(12) - there, panel.min.y + ui.px(ui.touch ? 48 : 38));
  action.rect = {ImVec2(max.x - width, panel.min.y + ui.px(ui.touch ? 4 : 10)), max};
  button(ui, std::move(action), ButtonLook::kQuiet);
}

void picture_link(Ui& ui, const std::string& place, Rect panel, float there) {
  ui.mirror.place(place + "_panel", panel);
  heading_button(ui,
                 {.name = "png_" + place,
                  .label = ui.tr(Text::download_png),
                  .command = ui_command::DownloadPng{place + "_panel"}},
                 panel, there);
}

}  // namespace tp::ui
