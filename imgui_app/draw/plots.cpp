#include "imgui_app/draw/plots.h"

#include <implot.h>
#include <implot_internal.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine/core/small_sort.h"

namespace tp::ui {
namespace {

float hair(const Ui& ui) { return std::max(1.0f, ui.px(1)); }

ImVec4 vec4(const Ui& ui, Colour colour, float alpha = 1) {
  return ImGui::ColorConvertU32ToFloat4(ui.colour(colour, alpha));
}

int write_tick(double value, char* buffer, int size, void* axis) {
  const std::string label = tick_label(value, static_cast<const PlotAxis*>(axis)->share);
  return std::snprintf(buffer, static_cast<std::size_t>(size), "%s", label.c_str());
}

// A tick that is labelled.
struct Tick {
  double value;
  float pixel;
  std::string label;
};

// Of ImPlot's ticks those of a round interval that stand at least `apart` pixels from each other:
// ImPlot labels every tenth of a round interval, which suits plots of 400 pixels and more.
std::vector<Tick> labelled_ticks(ImAxis which, float apart) {
  const ImPlotAxis& axis = ImPlot::GetCurrentPlot()->Axes[which];
  std::vector<Tick> ticks;
  for (int i = 0; i < axis.Ticker.TickCount(); ++i) {
    const ImPlotTick& tick = axis.Ticker.Ticks[i];
    if (tick.TextOffset < 0 || !axis.Range.Contains(tick.PlotPos)) continue;
    ticks.push_back({tick.PlotPos, tick.PixelPos, axis.Ticker.GetText(i)});
  }
  if (ticks.size() < 2) return ticks;
  const float between = std::abs(ticks[1].pixel - ticks[0].pixel);
  const bool powers = axis.Scale == ImPlotScale_Log10;
  const double step = powers ? 1 : ticks[1].value - ticks[0].value;
  const auto round = [&](double stride) {  // 1, 2 or 5 times a power of ten; of steps also 4 times
    const double size = std::log10(stride * step) + 1e-6;
    const long long tenths = std::llround(10 * std::pow(10, size - std::floor(size)));
    return tenths == 10 || tenths == 20 || tenths == 50 || (tenths == 40 && which == ImAxis_X1);
  };
  int stride = 1;
  while (stride < 10 && (static_cast<float>(stride) * between < apart || !round(stride))) ++stride;
  int index = 0;
  std::erase_if(ticks, [&](const Tick& tick) {
    return (powers ? index++ : std::llround(tick.value / step)) % stride != 0;
  });
  return ticks;
}

ImAxis axis_of(PlotSide side) { return side == PlotSide::kLeft ? ImAxis_Y1 : ImAxis_Y2; }

void dashed(const Ui& ui, ImVec2 from, ImVec2 to, ImU32 colour) {
  const float dash = ui.px(4), length = std::max(to.x - from.x, to.y - from.y);
  const bool across = to.x > from.x;
  for (float at = 0; at < length; at += 2 * dash) {
    const float end = std::min(at + dash, length);
    ImGui::GetWindowDrawList()->AddLine(
        ImVec2(from.x + (across ? at : 0), from.y + (across ? 0 : at)),
        ImVec2(from.x + (across ? end : 0), from.y + (across ? 0 : end)), colour, hair(ui));
  }
}

Rect area_now() {
  const ImVec2 min = ImPlot::GetPlotPos(), size = ImPlot::GetPlotSize();
  return {min, ImVec2(min.x + size.x, min.y + size.y)};
}

constexpr ImPlotAxisFlags kBareAxis = ImPlotAxisFlags_NoTickLabels | ImPlotAxisFlags_NoTickMarks |
                                      ImPlotAxisFlags_NoHighlight | ImPlotAxisFlags_NoSideSwitch;

void set_up_axis(ImAxis which, const PlotAxis& axis) {
  // Opposite: two axes on one side would stand a few pixels apart.
  const bool second = which == ImAxis_Y2;
  ImPlot::SetupAxis(which, nullptr, second ? kBareAxis | ImPlotAxisFlags_Opposite : kBareAxis);
  if (axis.logarithmic) ImPlot::SetupAxisScale(which, ImPlotScale_Log10);
  ImPlot::SetupAxisLimits(which, axis.from, axis.to, ImPlotCond_Always);
}

}  // namespace

bool begin_plot(const Ui& ui, const PlotFrame& frame) {
  ImPlotStyle& style = ImPlot::GetStyle();
  style.PlotPadding = style.LabelPadding = ImVec2(0, 0);
  style.PlotBorderSize = 0;
  // The grid is drawn with the numbers, at the ticks that have one.
  for (const ImPlotCol nothing : {ImPlotCol_FrameBg, ImPlotCol_PlotBg, ImPlotCol_AxisGrid,
                                  ImPlotCol_AxisBg, ImPlotCol_AxisBgHovered}) {
    style.Colors[nothing] = ImVec4(0, 0, 0, 0);
  }
  style.Colors[ImPlotCol_Selection] = vec4(ui, ui.palette.muted);
  ImPlotInputMap& input = ImPlot::GetInputMap();
  input.Select = ImGuiMouseButton_Left;
  input.SelectCancel = ImGuiMouseButton_Right;
  input.Pan = frame.pan ? ImGuiMouseButton_Left : ImGuiMouseButton_Middle;
  input.Fit = ImGuiMouseButton_Middle;
  input.OverrideMod = ImGuiMod_None;  // Ctrl with the wheel zooms, too
  constexpr ImPlotFlags kBare = ImPlotFlags_CanvasOnly | ImPlotFlags_NoFrame;
  ImGui::SetCursorScreenPos(frame.area.min);
  if (!ImPlot::BeginPlot(frame.id, ImVec2(frame.area.width(), frame.area.height()),
                         frame.select ? kBare & ~ImPlotFlags_NoBoxSelect : kBare)) {
    return false;
  }
  set_up_axis(ImAxis_Y1, frame.y);
  ImPlot::SetupAxisFormat(ImAxis_Y1, write_tick, const_cast<PlotAxis*>(&frame.y));
  if (frame.right) set_up_axis(ImAxis_Y2, *frame.right);
  if (frame.least > 0) {
    ImPlot::SetupAxis(ImAxis_X1, nullptr, kBareAxis);
    ImPlot::SetupAxisLinks(ImAxis_X1, &frame.x->from, &frame.x->to);
    ImPlot::SetupAxisLimitsConstraints(ImAxis_X1, frame.whole.from, frame.whole.to);
    ImPlot::SetupAxisZoomConstraints(ImAxis_X1, frame.least, frame.whole.to - frame.whole.from);
  } else {
    set_up_axis(ImAxis_X1, *frame.x);
  }
  ImPlot::SetupAxisFormat(ImAxis_X1, write_tick, frame.x);
  ImPlot::SetupFinish();
  return true;
}

void end_plot() { ImPlot::EndPlot(); }

ImVec2 plot_pixel(PlotPoint point, PlotSide side) {
  return ImPlot::PlotToPixels(point.x, point.y, ImAxis_X1, axis_of(side));
}

PlotPoint plot_pointer() {
  const ImPlotPoint point = ImPlot::GetPlotMousePos(ImAxis_X1, ImAxis_Y1);
  return {point.x, point.y};
}

bool plot_hovered() { return ImPlot::IsPlotHovered(); }

float draw_plot_scale(Ui& ui) {
  const float line = ui.measure(FontRole::kSmallNumber, " ").y;
  const Rect area = area_now();
  float widest = 0;
  for (const Tick& tick : labelled_ticks(ImAxis_Y1, 1.6f * line)) {
    ImGui::GetWindowDrawList()->AddLine(ImVec2(area.min.x, tick.pixel),
                                        ImVec2(area.max.x, tick.pixel),
                                        ui.colour(ui.palette.hairline, 0.7f), hair(ui));
    const float width = ui.measure(FontRole::kSmallNumber, tick.label).x;
    ui.text(ImVec2(area.min.x - ui.px(6) - width, tick.pixel - line / 2), FontRole::kSmallNumber,
            ui.palette.muted, tick.label);
    widest = std::max(widest, width);
  }
  return widest;
}

void draw_plot_numbers(Ui& ui, float right, std::optional<double> marked) {
  const Rect area = area_now();
  const float y = area.max.y + ui.px(2), air = ui.px(8);
  float taken_from = 0, taken_to = -1;
  const auto put = [&](float pixel, const std::string& label, Colour colour) {
    const float width = ui.measure(FontRole::kSmallNumber, label).x;
    const float x = std::clamp(pixel - width / 2, area.min.x, std::max(area.min.x, right - width));
    if (x < taken_to + air && x + width > taken_from - air) return;
    if (taken_to < 0) taken_from = x, taken_to = x + width;
    ui.text(ImVec2(x, y), FontRole::kSmallNumber, colour, label);
  };
  if (marked) {
    put(plot_pixel({*marked, 1}).x, tick_label(*marked, false), ui.palette.text);
  } else {
    taken_to = taken_from = -2 * air;
  }
  const std::string widest = tick_label(ImPlot::GetPlotLimits().X.Max, false);
  const float apart = ui.measure(FontRole::kSmallNumber, widest).x + 3 * air;
  for (const Tick& tick : labelled_ticks(ImAxis_X1, apart)) {
    put(tick.pixel, tick.label, ui.palette.muted);
  }
}

void draw_plot_line(const Ui& ui, std::span<const PlotPoint> line, PlotStroke stroke,
                    PlotSide side) {
  ImPlot::SetAxes(ImAxis_X1, axis_of(side));
  for (std::size_t i = 0, end = 0; i < line.size(); i = end + 1) {
    for (end = i; end < line.size() && std::isfinite(line[end].y);) ++end;
    if (end - i == 1) draw_plot_dots(ui, line.subspan(i, 1), stroke.colour, stroke.width, side);
    if (end - i < 2) continue;
    ImPlot::SetNextLineStyle(vec4(ui, stroke.colour, stroke.alpha), stroke.width);
    ImPlot::PlotLine("##line", &line[i].x, &line[i].y, static_cast<int>(end - i), 0, 0,
                     sizeof(PlotPoint));
  }
  ImPlot::SetAxes(ImAxis_X1, ImAxis_Y1);
}

void draw_plot_dots(const Ui& ui, std::span<const PlotPoint> dots, Colour colour, float radius,
                    PlotSide side) {
  if (dots.empty()) return;
  ImPlot::SetAxes(ImAxis_X1, axis_of(side));
  ImPlot::SetNextMarkerStyle(ImPlotMarker_Circle, radius, vec4(ui, colour), 0, vec4(ui, colour));
  ImPlot::PlotScatter("##dots", &dots[0].x, &dots[0].y, static_cast<int>(dots.size()), 0, 0,
                      sizeof(PlotPoint));
  ImPlot::SetAxes(ImAxis_X1, ImAxis_Y1);
}

void draw_plot_level(const Ui& ui, double y, PlotSide side) {
  const Rect area = area_now();
  const float at = std::round(plot_pixel({0, y}, side).y);
  if (at < area.min.y || at > area.max.y) return;
  dashed(ui, ImVec2(area.min.x, at), ImVec2(area.max.x, at), ui.colour(ui.palette.edge));
}

void draw_plot_step(const Ui& ui, double x, PlotStroke stroke, bool dashes) {
  const Rect area = area_now();
  const float at = std::round(plot_pixel({x, 1}).x);
  if (at < area.min.x || at > area.max.x) return;
  const ImU32 colour = ui.colour(stroke.colour, stroke.alpha);
  if (dashes) return dashed(ui, ImVec2(at, area.min.y), ImVec2(at, area.max.y), colour);
  ImGui::GetWindowDrawList()->AddLine(ImVec2(at, area.min.y), ImVec2(at, area.max.y), colour,
                                      stroke.width);
}

PlotGrip draw_plot_grip(Ui& ui, double x) {
  const float size = ui.px(ui.touch ? 44 : 12), at = plot_pixel({x, 1}).x;
  const Rect area = area_now();
  PlotGrip grip;
  if (at < area.min.x - 1 || at > area.max.x + 1) return grip;
  // ImPlot's own line would be as thick as its grip.
  ImPlot::DragLineX(0, &x, ImVec4(0, 0, 0, 0), size, ImPlotDragToolFlags_NoFit, nullptr,
                    &grip.hovered, &grip.held);
  ui.mirror.grabs({ImVec2(at - size / 2, area.min.y), ImVec2(at + size / 2, area.max.y)});
  const bool lit = grip.hovered || grip.held;
  draw_plot_step(ui, x, {ui.palette.accent, lit ? 1 : 0.8f, lit ? 2 * hair(ui) : hair(ui)}, false);
  return grip;
}

void draw_plot_names(Ui& ui, Rect column, std::vector<PlotName> names) {
  const float line = ui.measure(FontRole::kLabel, " ").y;
  const auto most = static_cast<std::size_t>(std::max(0.0f, column.height() / line));
  if (names.size() > most) names.resize(most);
  small_sort(names, &PlotName::y);
  float top = column.min.y;
  for (PlotName& name : names) {
    name.y = std::max(name.y - line / 2, top);
    top = name.y + line;
  }
  float bottom = column.max.y - line;
  for (std::size_t i = names.size(); i-- > 0; bottom -= line) {
    names[i].y = bottom = std::min(names[i].y, bottom);
  }
  for (const PlotName& name : names) {
    ui.text(ImVec2(column.min.x, name.y), FontRole::kLabel, name.colour, name.text);
    const ImVec2 size = ui.measure(FontRole::kSmallNumber, name.number);
    if (name.number.empty()) continue;
    ui.text(ImVec2(column.max.x - size.x, name.y + (line - size.y) / 2), FontRole::kSmallNumber,
            name.colour, name.number);
  }
}

}  // namespace tp::ui
