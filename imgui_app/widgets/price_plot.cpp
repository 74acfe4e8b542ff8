#include "imgui_app/widgets/price_plot.h"

#include <algorithm>
#include <vector>

#include "imgui_app/draw/plots.h"
#include "imgui_app/widgets/depiction.h"

namespace tp::ui {
namespace {

// Days count from 1; what follows begins at the last known day.
std::vector<PlotPoint> points_of(const Depiction& drawn, const std::vector<float>& prices) {
  std::vector<PlotPoint> points;
  const bool follows = &prices != &drawn.values;
  double day = follows ? static_cast<double>(drawn.values.size()) : 1;
  if (follows && !prices.empty()) points.push_back({day++, drawn.values.back()});
  for (const float price : prices) points.push_back({day++, price});
  return points;
}

// In two rows, since neighbours overlap.
void draw_patches(Ui& ui, const Depiction& drawn, Rect area) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float high = ui.px(4), row = ui.px(6);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  for (int i = 0; i < drawn.patches(); ++i) {
    const double first = i * drawn.stride + 1;
    const float top = area.max.y - row * static_cast<float>(2 - i % 2);
    const Rect bar{ImVec2(plot_pixel({first, 0}).x, top),
                   ImVec2(plot_pixel({first + drawn.patch - 1, 0}).x, top + high)};
    const bool lit = Rect{bar.min, ImVec2(bar.max.x, bar.min.y + row)}.contains(mouse);
    if (lit) {
      list.AddRectFilled(ImVec2(bar.min.x, area.min.y), ImVec2(bar.max.x, bar.min.y),
                         ui.colour(ui.palette.accent, 0.15f));
    }
    list.AddRectFilled(bar.min, bar.max, ui.colour(lit ? ui.palette.accent : ui.palette.edge),
                       ui.px(1));
  }
}

}  // namespace

void price_plot(Ui& ui, const Depiction& drawn, Rect rect) {
  struct Line {
    std::vector<PlotPoint> points;
    Colour colour;
    const char* name;
  };
  const Line lines[] = {
      {points_of(drawn, drawn.values), ui.palette.muted, ""},
      {points_of(drawn, drawn.truth), ui.palette.text, ui.tr(Text::price_truth)},
      {points_of(drawn, drawn.predicted), prediction_colour(ui), ui.tr(Text::price_predicted)}};
  PlotAxis days{.from = 1, .to = 2};
  double least = drawn.values.front(), most = least;
  float names = 0;
  for (const Line& line : lines) {
    for (const PlotPoint& point : line.points) {
      least = std::min(least, point.y), most = std::max(most, point.y);
      days.to = std::max(days.to, point.x);
    }
    if (!line.points.empty()) names = std::max(names, ui.measure(FontRole::kLabel, line.name).x);
  }
  if (most <= least) least -= 1, most += 1;
  // The last dots are whole.
  most += 0.08 * (most - least);
  days.to += 0.7;
  const float below = ui.measure(FontRole::kSmallNumber, " ").y + ui.px(2);
  const Rect area{ImVec2(rect.min.x + ui.px(48), rect.min.y + ui.px(6)),
                  ImVec2(rect.max.x - names - ui.px(10), rect.max.y - below)};
  if (area.height() < ui.px(24) || area.width() < ui.px(60)) return;
  ui.mirror.place("price_plot", rect);
  // The patches have the lowest 16 pixels.
  const double under = (most - least) * ui.px(18) / (area.height() - ui.px(18));
  if (!begin_plot(
          ui,
          {.id = "price", .area = area, .x = &days, .y = {.from = least - under, .to = most}})) {
    return;
  }
  draw_plot_scale(ui);
  draw_plot_numbers(ui, area.max.x, std::nullopt);
  draw_plot_step(ui, static_cast<double>(drawn.values.size()), {ui.palette.edge}, true);
  draw_patches(ui, drawn, area);
  std::vector<PlotName> named;
  for (const Line& line : lines) {
    if (line.points.empty()) continue;
    const bool follows = *line.name != '\0';
    draw_plot_line(ui, line.points, {line.colour, 1, ui.px(follows ? 2 : 1.5f)});
    if (!follows) continue;
    draw_plot_dots(ui, std::span(line.points).subspan(1), line.colour, ui.px(2.5f));
    named.push_back({plot_pixel(line.points.back()).y, line.name, line.colour});
  }
  end_plot();
  draw_plot_names(ui, {ImVec2(area.max.x + ui.px(8), rect.min.y), rect.max}, std::move(named));
}

}  // namespace tp::ui
