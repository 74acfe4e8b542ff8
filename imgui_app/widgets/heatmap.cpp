#include "imgui_app/widgets/heatmap.h"

#include <algorithm>
#include <cmath>

#include "imgui_app/widgets/controls.h"

namespace tp::ui {
namespace {

// Just outside the cells, so that none of them is hidden.
void outline(Ui& ui, ImVec2 min, ImVec2 max) {
  const float line = std::max(1.0f, ui.px(1));
  ImGui::GetWindowDrawList()->AddRect(ImVec2(min.x - line, min.y - line),
                                      ImVec2(max.x + line, max.y + line),
                                      ui.colour(ui.palette.accent), 0, 0, line);
}

}  // namespace

int tick_step(int count, int most) {
  for (int decade = 1;; decade *= 10) {
    for (const int step : {1, 2, 5}) {
      if ((count - 1) / (step * decade) + 1 <= most) return step * decade;
    }
  }
}

HeatmapAnswer heatmap(Ui& ui, const HeatmapView& view, Rect rect) {
  const HeatmapImage& image = view.image;
  const float line = ui.measure(FontRole::kSmallNumber, "0").y;
  const float widest = ui.measure(FontRole::kSmallNumber, std::to_string(image.rows - 1)).x;
  const float title = ui.measure(FontRole::kLabel, " ").y;
  HeatmapAnswer answer;
  // The row title stands above the numbers, the column title below them.
  answer.map = {ImVec2(rect.min.x + widest + ui.px(6), rect.min.y + title),
                ImVec2(rect.max.x, rect.max.y - line - title - ui.px(2))};
  const Rect& map = answer.map;
  const float cell_width = map.width() / static_cast<float>(image.columns);
  const float cell_height = map.height() / static_cast<float>(image.rows);

  ImGui::SetCursorScreenPos(map.min);
  ImGui::InvisibleButton(view.name.c_str(), ImVec2(map.width(), map.height()));
  ui.mirror.place(view.name, map);
  if (ImGui::IsItemHovered() || ImGui::IsItemActive()) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const auto index = [](float offset, float cell, int count) {
      return std::clamp(static_cast<int>(std::floor(offset / cell)), 0, count - 1);
    };
    answer.hovered = Cell{index(mouse.y - map.min.y, cell_height, image.rows),
                          index(mouse.x - map.min.x, cell_width, image.columns)};
    answer.pressed = ImGui::IsItemActive();
  }

  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float gap = std::min(cell_width, cell_height) >= ui.px(8) ? std::max(1.0f, ui.px(1)) : 0;
  ui.heatmaps.draw(list, view.name, image, map.min, map.max, gap, ui.palette.panel);

  ui.text(ImVec2(map.min.x, rect.min.y), FontRole::kLabel, ui.palette.muted, view.row_title);
  const int row_step =
      tick_step(image.rows, std::max(2, static_cast<int>(map.height() / (2 * line))));
  for (int row = 0; row < image.rows; row += row_step) {
    const std::string number = std::to_string(row);
    const float x = map.min.x - ui.px(6) - ui.measure(FontRole::kSmallNumber, number).x;
    const float y = map.min.y + (static_cast<float>(row) + 0.5f) * cell_height - line / 2;
    ui.text(ImVec2(x, y), FontRole::kSmallNumber, ui.palette.muted, number);
  }
  const std::string last = std::to_string(image.columns - 1);
  const float label = ui.measure(FontRole::kSmallNumber, last).x + ui.px(20);
  const int column_step =
      tick_step(image.columns, std::max(2, static_cast<int>(map.width() / label)));
  for (int column = 0; column < image.columns; column += column_step) {
    const std::string number = std::to_string(column);
    const float width = ui.measure(FontRole::kSmallNumber, number).x;
    const float centre = map.min.x + (static_cast<float>(column) + 0.5f) * cell_width;
    const float x = std::min(centre - width / 2, map.max.x - width);
    ui.text(ImVec2(x, map.max.y + ui.px(2)), FontRole::kSmallNumber, ui.palette.muted, number);
  }
  const float title_width = ui.measure(FontRole::kLabel, view.column_title).x;
  ui.text(ImVec2(map.max.x - title_width, map.max.y + ui.px(2) + line), FontRole::kLabel,
          ui.palette.muted, view.column_title);

  const std::optional<Cell> marked = answer.hovered ? answer.hovered : view.marked;
  if (marked) {
    const float left = map.min.x + static_cast<float>(marked->column) * cell_width;
    const float top = map.min.y + static_cast<float>(marked->row) * cell_height;
    outline(ui, ImVec2(map.min.x, top), ImVec2(map.max.x, top + cell_height));
    outline(ui, ImVec2(left, map.min.y), ImVec2(left + cell_width, map.max.y));
  }
  return answer;
}

void colour_legend(Ui& ui, const ColourTable& colours, float minimum, float maximum, Rect rect) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float line = ui.measure(FontRole::kSmallNumber, "0").y;
  const float bar = rect.height() - line - ui.px(2);
  const auto entries = static_cast<float>(colours.size());
  for (size_t i = 0; i < colours.size(); ++i) {
    const float left = rect.min.x + rect.width() * static_cast<float>(i) / entries;
    const float right = rect.min.x + rect.width() * static_cast<float>(i + 1) / entries;
    list.AddRectFilled(ImVec2(left, rect.min.y), ImVec2(right + 1, rect.min.y + bar),
                       ui.colour(colours[i]));
  }
  list.AddRect(rect.min, ImVec2(rect.max.x + 1, rect.min.y + bar), ui.colour(ui.palette.hairline));
  int decimals = 0;
  for (float most = std::max(std::abs(minimum), std::abs(maximum)); most < 1 && decimals < 6;
       most *= 10) {
    ++decimals;
  }
  for (const float share : {0.0f, 0.5f, 1.0f}) {
    const float value = minimum + share * (maximum - minimum);
    const std::string number = signed_number(value, value == 0 ? 0 : decimals);
    const float width = ui.measure(FontRole::kSmallNumber, number).x;
    ui.text(ImVec2(rect.min.x + share * (rect.width() - width), rect.max.y - line),
            FontRole::kSmallNumber, ui.palette.muted, number);
  }
}

}  // namespace tp::ui
