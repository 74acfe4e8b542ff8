#include "imgui_app/draw/style.h"

#include <imgui.h>
#include <implot.h>

#include <algorithm>

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

  ImPlotStyle plot;
  plot.PlotPadding = ImVec2(2 * s, 4 * s);
  plot.LabelPadding = ImVec2(4 * s, 4 * s);
  plot.PlotBorderSize = 0;
  plot.MajorTickLen = plot.MinorTickLen = ImVec2(0, 0);
  plot.MajorGridSize = plot.MinorGridSize = ImVec2(std::max(1.0f, s), std::max(1.0f, s));
  plot.MinorAlpha = 0;
  plot.Colors[ImPlotCol_FrameBg] = plot.Colors[ImPlotCol_PlotBg] = vec4(p.panel, 0);
  plot.Colors[ImPlotCol_AxisText] = vec4(p.muted);
  plot.Colors[ImPlotCol_AxisGrid] = vec4(p.hairline, 0.7f);
  plot.Colors[ImPlotCol_AxisBg] = plot.Colors[ImPlotCol_AxisBgHovered] =
      plot.Colors[ImPlotCol_AxisBgActive] = vec4(p.panel, 0);
  plot.Colors[ImPlotCol_PlotBorder] = vec4(p.hairline);
  ImPlot::GetStyle() = plot;
}

}  // namespace tp::ui
