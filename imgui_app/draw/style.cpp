#include "imgui_app/draw/style.h"

#include <imgui.h>

namespace tp::ui {
namespace {

ImVec4 vec4(Colour c, float alpha = 1) {
  return ImVec4(static_cast<float>(c.r) / 255, static_cast<float>(c.g) / 255,
                static_cast<float>(c.b) / 255, alpha);
}

}  // namespace

void apply_style(const Palette& p, float s) {
  ImGuiStyle style;
  style.WindowPadding = ImVec2(16, 16);
  style.FramePadding = ImVec2(10, 8);
  style.ItemSpacing = ImVec2(8, 8);
  style.WindowRounding = style.ChildRounding = style.PopupRounding = style.FrameRounding = 6;
  style.ScrollbarSize = 12;
  style.PopupBorderSize = style.FrameBorderSize = 1;
  style.WindowBorderSize = 0;
  style.ScaleAllSizes(s);
  ImVec4* c = style.Colors;
  c[ImGuiCol_Text] = vec4(p.text);
  c[ImGuiCol_TextDisabled] = vec4(p.muted);
  c[ImGuiCol_WindowBg] = vec4(p.page);
  c[ImGuiCol_PopupBg] = vec4(p.panel);
  c[ImGuiCol_Border] = vec4(p.edge);
  c[ImGuiCol_FrameBg] = vec4(p.panel);
  c[ImGuiCol_FrameBgHovered] = c[ImGuiCol_FrameBgActive] = vec4(p.raised);
  c[ImGuiCol_TextSelectedBg] = vec4(p.accent, 0.35f);
  ImGui::GetStyle() = style;
}

}  // namespace tp::ui
