#include "imgui_app/widgets/heatmap.h"

#include <algorithm>
#include <cmath>

#include "imgui_app/widgets/controls.h"
#include "imgui_app/widgets/token_axis.h"

namespace tp::ui {
namespace {

// Just outside the cells, so that none of them is hidden.
void outline(Ui& ui, ImVec2 min, ImVec2 max) {
  const float line = std::max(1.0f, ui.px(1));
  ImGui::GetWindowDrawList()->AddRect(ImVec2(min.x - line, min.y - line),
                                      ImVec2(max.x + line, max.y + line),
                                      ui.colour(ui.palette.accent), 0, 0, line);
}

Rect cell_rect(const HeatmapImage& image, const Rect& map, Cell cell) {
  const float width = map.width() / static_cast<float>(image.columns);
  const float height = map.height() / static_cast<float>(image.rows);
  const ImVec2 min(map.min.x + static_cast<float>(cell.column) * width,
                   map.min.y + static_cast<float>(cell.row) * height);
  return {min, ImVec2(min.x + width, min.y + height)};
}

// The colour of a value, to the next stop of the table: enough to choose an ink.
Colour near_colour(const Palette& palette, const HeatmapImage& image, float value) {
  const auto& stops =
      image.colours == ColourMap::kSigned ? palette.map_signed : palette.map_weights;
  const float share =
      std::clamp((value - image.minimum) / (image.maximum - image.minimum), 0.0f, 1.0f);
  const float place = std::pow(share, image.exponent) * static_cast<float>(stops.size() - 1);
  return stops[static_cast<std::size_t>(std::lround(place))];
}

void write_numbers(Ui& ui, const HeatmapImage& image, const Rect& map) {
  const Rect first = cell_rect(image, map, {0, 0});
  const ImVec2 needed = ui.measure(FontRole::kSmallNumber, signed_number(-0.25, 2));
  if (first.width() < needed.x + ui.px(6) || first.height() < 0.9f * needed.y) return;
  for (int row = 0; row < image.rows; ++row) {
    for (int column = 0; column < image.columns; ++column) {
      const float value = image.values[static_cast<std::size_t>(row * image.columns + column)];
      const bool fits = std::abs(value) < 99.5f;  // two decimals, or none
      const std::string text = !std::isfinite(value)      ? (value < 0 ? "−∞" : "∞")
                               : std::abs(value) < 9.995f ? signed_number(value, 2)
                                                          : signed_number(value, fits ? 1 : 0);
      const ImVec2 size = ui.measure(FontRole::kSmallNumber, text);
      const Rect cell = cell_rect(image, map, {row, column});
      if (size.x > cell.width()) continue;
      const Colour below = near_colour(ui.palette, image, value);
      const bool dark_ink = contrast(ui.palette.text, below) >= contrast(ui.palette.panel, below);
      ui.text(
          ImVec2((cell.min.x + cell.max.x - size.x) / 2, (cell.min.y + cell.max.y - size.y) / 2),
          FontRole::kSmallNumber, dark_ink ? ui.palette.text : ui.palette.panel, text);
    }
  }
}

bool fits(std::span<const ShownToken> tokens, int count) {
  return !tokens.empty() && std::ssize(tokens) == count;
}

void draw_row_numbers(Ui& ui, const HeatmapView& view, const Rect& map) {
  const float line = ui.measure(FontRole::kSmallNumber, "0").y;
  const float cell_height = map.height() / static_cast<float>(view.image.rows);
  const int step =
      tick_step(view.image.rows, std::max(2, static_cast<int>(map.height() / (2 * line))));
  for (int row = 0; row < view.image.rows; row += step) {
    const std::string number = std::to_string(view.first.row + row);
    const float x = map.min.x - ui.px(6) - ui.measure(FontRole::kSmallNumber, number).x;
    const float y = map.min.y + (static_cast<float>(row) + 0.5f) * cell_height - line / 2;
    ui.text(ImVec2(x, y), FontRole::kSmallNumber, ui.palette.muted, number);
  }
}

void draw_column_numbers(Ui& ui, const HeatmapView& view, const Rect& map) {
  const float cell_width = map.width() / static_cast<float>(view.image.columns);
  const std::string last = std::to_string(view.first.column + view.image.columns - 1);
  const float label = ui.measure(FontRole::kSmallNumber, last).x + ui.px(20);
  const int step =
      tick_step(view.image.columns, std::max(2, static_cast<int>(map.width() / label)));
  for (int column = 0; column < view.image.columns; column += step) {
    const std::string number = std::to_string(view.first.column + column);
    const float width = ui.measure(FontRole::kSmallNumber, number).x;
    const float centre = map.min.x + (static_cast<float>(column) + 0.5f) * cell_width;
    const float x = std::min(centre - width / 2, map.max.x - width);
    ui.text(ImVec2(x, map.max.y + ui.px(2)), FontRole::kSmallNumber, ui.palette.muted, number);
  }
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
  const float title = ui.measure(FontRole::kLabel, " ").y;
  const bool row_tokens = fits(view.row_tokens, image.rows);
  const bool column_tokens = fits(view.column_tokens, image.columns);
  const float widest =
      row_tokens
          ? token_column_width(ui, view.row_tokens, view.drawn, rect.height() - 3 * line)
          : ui.measure(FontRole::kSmallNumber, std::to_string(view.first.row + image.rows - 1)).x;
  HeatmapAnswer answer;
  // The row title stands above the numbers, the column title below them.
  answer.map = {ImVec2(rect.min.x + widest + ui.px(6), rect.min.y + title), rect.max};
  std::optional<TokenAxis> below;
  if (column_tokens) below.emplace(ui, view.column_tokens, view.drawn, answer.map.width());
  const float labels = below ? below->height() : line;
  answer.map.max.y -= labels + title + ui.px(2);
  const Rect& map = answer.map;
  const Rect first = cell_rect(image, map, {0, 0});

  ImGui::SetCursorScreenPos(map.min);
  ImGui::InvisibleButton(view.name.c_str(), ImVec2(map.width(), map.height()));
  ui.mirror.place(view.name, map);
  if (ImGui::IsItemHovered() || ImGui::IsItemActive()) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const auto index = [](float offset, float cell, int count) {
      return std::clamp(static_cast<int>(std::floor(offset / cell)), 0, count - 1);
    };
    answer.hovered = Cell{index(mouse.y - map.min.y, first.height(), image.rows),
                          index(mouse.x - map.min.x, first.width(), image.columns)};
    answer.pressed = ImGui::IsItemActive();
  }

  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float gap =
      std::min(first.width(), first.height()) >= ui.px(8) ? std::max(1.0f, ui.px(1)) : 0;
  ui.heatmaps.draw(list, view.name, image, map.min, map.max, gap, ui.palette.panel);
  if (view.numbers) write_numbers(ui, image, map);

  const std::optional<Cell> marked = answer.hovered ? answer.hovered : view.marked;
  ui.text(ImVec2(map.min.x, rect.min.y), FontRole::kLabel, ui.palette.muted, view.row_title);
  if (row_tokens) {
    draw_token_column(ui, view.row_tokens, view.drawn,
                      {ImVec2(rect.min.x, map.min.y), ImVec2(map.min.x - ui.px(6), map.max.y)},
                      marked ? marked->row : -1);
  } else {
    draw_row_numbers(ui, view, map);
  }
  if (below) {
    below->draw(
        ui,
        {ImVec2(map.min.x, map.max.y + ui.px(2)), ImVec2(map.max.x, map.max.y + ui.px(2) + labels)},
        false, marked ? marked->column : -1);
  } else {
    draw_column_numbers(ui, view, map);
  }
  const float title_width = ui.measure(FontRole::kLabel, view.column_title).x;
  ui.text(ImVec2(map.max.x - title_width, map.max.y + ui.px(2) + labels), FontRole::kLabel,
          ui.palette.muted, view.column_title);

  for (const Cell& cell : view.outlined) {
    const Rect one = cell_rect(image, map, cell);
    outline(ui, one.min, one.max);
  }
  if (marked) {
    const Rect one = cell_rect(image, map, *marked);
    outline(ui, ImVec2(map.min.x, one.min.y), ImVec2(map.max.x, one.max.y));
    outline(ui, ImVec2(one.min.x, map.min.y), ImVec2(one.max.x, map.max.y));
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
