#include "imgui_app/widgets/attention_map.h"

#include <algorithm>
#include <cmath>

#include "imgui_app/widgets/token_axis.h"

namespace tp::ui {
namespace {

int index_at(float offset, float cell, std::size_t count) {
  return std::clamp(static_cast<int>(std::floor(offset / cell)), 0, static_cast<int>(count) - 1);
}

void dashed_rect(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour, float line, float dash) {
  for (float x = min.x; x < max.x; x += 2 * dash) {
    const float end = std::min(x + dash, max.x);
    list.AddRectFilled(ImVec2(x, min.y), ImVec2(end, min.y + line), colour);
    list.AddRectFilled(ImVec2(x, max.y - line), ImVec2(end, max.y), colour);
  }
  for (float y = min.y; y < max.y; y += 2 * dash) {
    const float end = std::min(y + dash, max.y);
    list.AddRectFilled(ImVec2(min.x, y), ImVec2(min.x + line, end), colour);
    list.AddRectFilled(ImVec2(max.x - line, y), ImVec2(max.x, end), colour);
  }
}

// An area that answers with the row or column under the pointer.
bool area(Ui& ui, const char* name, Rect rect, bool& pressed) {
  ImGui::SetCursorScreenPos(rect.min);
  pressed |= ImGui::InvisibleButton(
      name, ImVec2(std::max(rect.width(), 1.0f), std::max(rect.height(), 1.0f)));
  // After a tap the pointer stays where the finger was: that is no hovering.
  return (ImGui::IsItemHovered() && !ui.touch) || ImGui::IsItemActive() ||
         ImGui::IsItemDeactivated();
}

}  // namespace

HeatmapImage weight_image(std::span<const float> weights, int rows, int columns, int version) {
  return {.values = weights,
          .rows = rows,
          .columns = columns,
          .version = version,
          .minimum = 0,
          .maximum = 1,
          .exponent = kWeightExponent,
          .colours = ColourMap::kWeights};
}

AxisRoom map_axes(const Ui& ui, const AttentionPicture& picture, float side) {
  const float title = ui.measure(FontRole::kLabel, " ").y;
  return {.left = token_column_width(ui, picture.rows, picture.drawn, side) + ui.px(6),
          .top = title + TokenAxis(ui, picture.columns, picture.drawn, side).height() + ui.px(2)};
}

PictureAnswer attention_map(Ui& ui, const AttentionPicture& picture, ImVec2 position, float side) {
  const AxisRoom axes = map_axes(ui, picture, side);
  const float title = ui.measure(FontRole::kLabel, " ").y;
  PictureAnswer answer;
  answer.cells = {ImVec2(std::round(position.x + axes.left), std::round(position.y + axes.top)),
                  {}};
  Rect& cells = answer.cells;
  cells.max = ImVec2(cells.min.x + side, cells.min.y + side);
  const float width = side / static_cast<float>(picture.columns.size());
  const float height = side / static_cast<float>(picture.rows.size());
  ui.mirror.place("attention_map", cells);

  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const Rect row_area{ImVec2(position.x, cells.min.y), ImVec2(cells.min.x, cells.max.y)};
  const Rect column_area{ImVec2(cells.min.x, position.y + title), ImVec2(cells.max.x, cells.min.y)};
  const int row = index_at(mouse.y - cells.min.y, height, picture.rows.size());
  const int column = index_at(mouse.x - cells.min.x, width, picture.columns.size());
  if (area(ui, "attention cells", cells, answer.pressed)) answer.hovered = {row, column};
  if (area(ui, "attention rows", row_area, answer.pressed)) answer.hovered = {row, -1};
  if (area(ui, "attention columns", column_area, answer.pressed)) answer.hovered = {-1, column};

  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float line = std::max(1.0f, ui.px(1));
  const float gap = std::min(width, height) >= ui.px(8) ? line : 0;
  ui.heatmaps.draw(list, "attention_map", picture.image, cells.min, cells.max, gap,
                   ui.palette.page);
  const auto corner = [&](int r, int c) {
    return ImVec2(std::round(cells.min.x + static_cast<float>(c) * width),
                  std::round(cells.min.y + static_cast<float>(r) * height));
  };
  const int rows = static_cast<int>(picture.rows.size());
  const int columns = static_cast<int>(picture.columns.size());
  for (int r = 0; picture.causal && r + 1 < std::min(rows, columns); ++r) {  // what comes later
    list.AddRectFilled(corner(r, r + 1), corner(r + 1, columns), ui.colour(ui.palette.page));
  }
  list.AddRect(ImVec2(cells.min.x - line, cells.min.y - line),
               ImVec2(cells.max.x + line, cells.max.y + line), ui.colour(ui.palette.hairline), 0, 0,
               line);
  for (const ShownLink& target : picture.targets) {
    const ImVec2 min = corner(target.output, target.source);
    ImVec2 max = corner(target.output + 1, target.source + 1);
    max = ImVec2(max.x - gap, max.y - gap);
    if (target.scored) {
      list.AddRect(min, max, ui.colour(ui.palette.text), 0, 0, line);
    } else {
      dashed_rect(list, min, max, ui.colour(ui.palette.muted), line, ui.px(3));
    }
  }
  const auto outline = [&](ImVec2 min, ImVec2 max) {
    list.AddRect(ImVec2(min.x - line, min.y - line), ImVec2(max.x + line, max.y + line),
                 ui.colour(ui.palette.accent), 0, 0, std::max(1.0f, ui.px(2)));
  };
  if (picture.lit.row >= 0)
    outline(corner(picture.lit.row, 0), corner(picture.lit.row + 1, columns));
  if (picture.lit.column >= 0) {
    outline(corner(0, picture.lit.column), corner(rows, picture.lit.column + 1));
  }

  TokenAxis(ui, picture.columns, picture.drawn, side)
      .draw(ui, {column_area.min, ImVec2(cells.max.x, cells.min.y - ui.px(2))}, true,
            picture.lit.column);
  draw_token_column(ui, picture.rows, picture.drawn,
                    {row_area.min, ImVec2(cells.min.x - ui.px(6), cells.max.y)}, picture.lit.row);
  ui.text(position, FontRole::kLabel, ui.palette.muted, picture.row_title);
  const float title_width = ui.measure(FontRole::kLabel, picture.column_title).x;
  ui.text(ImVec2(cells.max.x - title_width, position.y), FontRole::kLabel, ui.palette.muted,
          picture.column_title);
  return answer;
}

float weight_legend_height(const Ui& ui) {
  return ui.px(10) + ui.measure(FontRole::kSmallNumber, "0").y;
}

void weight_legend(Ui& ui, Rect rect) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ColourTable colours = interpolate_colours(ui.palette.map_weights);
  const float bar = rect.min.y + ui.px(8);
  const auto at = [&](std::size_t i) {
    return rect.min.x + rect.width() * static_cast<float>(i) / static_cast<float>(colours.size());
  };
  for (std::size_t i = 0; i < colours.size(); i += 4) {
    list.AddRectFilled(ImVec2(at(i), rect.min.y), ImVec2(at(i + 4), bar),
                       ui.colour(colours[i + 2]));
  }
  list.AddRect(rect.min, ImVec2(rect.max.x, bar), ui.colour(ui.palette.hairline));
  for (const auto& [weight, label] :
       {std::pair{0.0f, "0"}, {0.1f, "0.1"}, {0.5f, "0.5"}, {1.0f, "1"}}) {
    const float width = ui.measure(FontRole::kSmallNumber, label).x;
    const float place = rect.min.x + rect.width() * std::pow(weight, kWeightExponent);
    const float x = std::clamp(place - width / 2, rect.min.x, rect.max.x - width);
    ui.text(ImVec2(x, bar + ui.px(2)), FontRole::kSmallNumber, ui.palette.muted, label);
  }
}

}  // namespace tp::ui
