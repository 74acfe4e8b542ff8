#include <algorithm>
#include <cmath>

#include "imgui_app/draw/plots.h"
#include "imgui_app/panels/positions_panel.h"
#include "imgui_app/widgets/button.h"
#include "imgui_app/widgets/controls.h"

// A few dimensions of the positions as curves.

namespace tp::ui {

void PositionsPanel::draw_waves(Ui& ui, Rect rect) {
  PositionsSettings& s = ui.settings.pe;
  const Rect inside = ui.panel(rect, ui.tr(Text::waves_title));
  const Properties table = properties(ui.settings);
  const float box = std::min(ui.px(170), inside.width() / 2), box_top = rect.min.y + ui.px(8);
  text_box(ui, *find_property(table, "pe_waves"), ui.tr(Text::setting_pe_waves),
           {ImVec2(inside.max.x - box, box_top),
            ImVec2(inside.max.x, box_top + ui.px(ui.touch ? 40 : 32))});
  picture_link(ui, "waves", rect, box + ui.px(8));
  std::vector<PlotName> names;
  float names_width = 0;
  for (size_t i = 0; i < waves_.size(); ++i) {
    names.push_back({.text = fill(ui.tr(Text::dimension_short), {std::to_string(waves_[i])}),
                     .colour = ui.palette.series[i]});
    names_width = std::max(names_width, ui.measure(FontRole::kLabel, names[i].text).x + ui.px(8));
  }
  const float limit = static_cast<float>(shown_.limit());
  const float line = ui.measure(FontRole::kSmallNumber, " ").y;
  const float numbers = ui.measure(FontRole::kSmallNumber, tick_label(-limit / 2, false)).x;
  const Rect area{ImVec2(std::round(inside.min.x + numbers + ui.px(6)), inside.min.y),
                  ImVec2(inside.max.x - names_width, inside.max.y - line)};
  const int last = shown_.positions() - 1;
  PlotAxis x{0, static_cast<double>(last)};
  ui.mirror.place("waves", area);
  ui.mirror.grabs(area);
  if (!begin_plot(ui, {.id = "##waves", .area = area, .x = &x, .y = {-1.1 * limit, 1.1 * limit}})) {
    return;
  }
  draw_plot_scale(ui);
  draw_plot_numbers(ui, inside.max.x, position(ui));
  draw_plot_step(ui, position(ui), {ui.palette.accent, 1, std::max(1.0f, ui.px(1))}, false);
  // Enough samples for a fast wave to keep its shape; the encoding itself is its value at whole
  // positions. Learned ones are known at whole positions alone.
  const bool learned = shown_.learned();
  const int samples = learned ? last + 1 : 1024;
  std::vector<PlotPoint> wave(static_cast<size_t>(samples));
  for (size_t i = 0; i < waves_.size(); ++i) {
    const double frequency = learned ? 0 : shown_.frequency(waves_[i]);
    for (int k = 0; k < samples; ++k) {
      const double at = last * static_cast<double>(k) / (samples - 1);
      wave[static_cast<size_t>(k)] = {at, learned              ? shown_.value(k, waves_[i])
                                          : waves_[i] % 2 == 0 ? std::sin(at * frequency)
                                                               : std::cos(at * frequency)};
    }
    draw_plot_line(ui, wave, {ui.palette.series[i], 1, std::max(1.0f, 1.5f * ui.scale)});
    const PlotPoint dot{static_cast<double>(position(ui)), shown_.value(position(ui), waves_[i])};
    draw_plot_dots(ui, {&dot, 1}, ui.palette.panel, 5 * ui.scale);
    draw_plot_dots(ui, {&dot, 1}, ui.palette.series[i], 4 * ui.scale);
    names[i].y = plot_pixel({x.to, shown_.value(last, waves_[i])}).y;
  }
  if (plot_hovered() && ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    const int moved = std::clamp(static_cast<int>(std::lround(plot_pointer().x)), 0, last);
    ui.changed |= moved != s.position;
    s.position = moved;
  }
  end_plot();
  draw_plot_names(ui, {ImVec2(area.max.x + ui.px(8), area.min.y), ImVec2(inside.max.x, area.max.y)},
                  std::move(names));
}

}  // namespace tp::ui
