#include "imgui_app/widgets/attention_lines.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "imgui_app/widgets/token_axis.h"

namespace tp::ui {
namespace {

constexpr float kFaintest = 0.02f;         // weights below are not drawn
constexpr std::size_t kMostLines = 1'500;  // the strongest; more would only be a grey area

struct Line {
  float weight;
  int row, column;
};

std::vector<Line> strongest(const HeatmapImage& image) {
  std::vector<Line> lines;
  for (int row = 0; row < image.rows; ++row) {
    for (int column = 0; column < image.columns; ++column) {
      const float weight =
          image.values[static_cast<std::size_t>(row) * static_cast<std::size_t>(image.columns) +
                       static_cast<std::size_t>(column)];
      if (weight >= kFaintest) lines.push_back({weight, row, column});
    }
  }
  std::ranges::sort(lines, std::ranges::greater{}, &Line::weight);
  if (lines.size() > kMostLines) lines.resize(kMostLines);
  std::ranges::reverse(lines);  // the strongest are drawn last, on top
  return lines;
}

}  // namespace

PictureAnswer attention_lines(Ui& ui, const AttentionPicture& picture, Rect rect) {
  const float title = ui.measure(FontRole::kLabel, " ").y, gap = ui.px(4);
  const TokenAxis above(ui, picture.columns, picture.drawn, rect.width());
  const TokenAxis below(ui, picture.rows, picture.drawn, rect.width());
  PictureAnswer answer;
  answer.cells = {ImVec2(rect.min.x, rect.min.y + title + above.height() + gap),
                  ImVec2(rect.max.x, rect.max.y - title - below.height() - gap)};
  const Rect& cells = answer.cells;
  ui.mirror.place("attention_map", cells);
  const auto across = [&](int i, std::size_t count) {
    return cells.min.x + (static_cast<float>(i) + 0.5f) * cells.width() / static_cast<float>(count);
  };

  ImGui::SetCursorScreenPos(rect.min);
  answer.pressed = ImGui::InvisibleButton("attention lines", ImVec2(rect.width(), rect.height()));
  const bool hovered =
      (ImGui::IsItemHovered() && !ui.touch) || ImGui::IsItemActive() || ImGui::IsItemDeactivated();
  if (hovered) {  // the nearer side's token
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const bool upper = mouse.y < (cells.min.y + cells.max.y) / 2;
    const auto count = upper ? picture.columns.size() : picture.rows.size();
    const float share = (mouse.x - cells.min.x) / cells.width();
    const int i = std::clamp(static_cast<int>(share * static_cast<float>(count)), 0,
                             static_cast<int>(count) - 1);
    answer.hovered = upper ? Lit{-1, i} : Lit{i, -1};
  }

  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ColourTable colours = interpolate_colours(ui.palette.map_weights);
  const auto in_light = [&](int row, int column) {
    return (picture.lit.row < 0 || picture.lit.row == row) &&
           (picture.lit.column < 0 || picture.lit.column == column);
  };
  const auto draw = [&](const Line& line) {
    const float share = std::pow(std::clamp(line.weight, 0.0f, 1.0f), kWeightExponent);
    const Colour colour = colours[static_cast<std::size_t>(std::lround(share * 255))];
    const float alpha = in_light(line.row, line.column) ? 1.0f : 0.12f;
    list.AddLine(ImVec2(across(line.column, picture.columns.size()), cells.min.y),
                 ImVec2(across(line.row, picture.rows.size()), cells.max.y),
                 ui.colour(colour, alpha), std::max(1.0f, share * 6 * ui.scale));
  };
  for (const Line& line : strongest(picture.image)) draw(line);
  for (const ShownLink& target : picture.targets) {  // where it should look
    if (!in_light(target.output, target.source)) continue;
    const ImVec2 from(across(target.source, picture.columns.size()), cells.min.y);
    const ImVec2 to(across(target.output, picture.rows.size()), cells.max.y);
    const ImU32 ink = ui.colour(ui.palette.text, 0.7f);
    const float thin = std::max(1.0f, ui.px(1));
    if (target.scored) {
      list.AddLine(from, to, ink, thin);
      continue;
    }
    const float length = std::hypot(to.x - from.x, to.y - from.y), dash = ui.px(5);
    const auto at = [&](float t) {
      return ImVec2(std::lerp(from.x, to.x, t), std::lerp(from.y, to.y, t));
    };
    for (float d = 0; d + dash <= length; d += 2 * dash) {
      list.AddLine(at(d / length), at((d + dash) / length), ink, thin);
    }
  }
  const auto edge = [&](float y) {
    list.AddLine(ImVec2(cells.min.x, y), ImVec2(cells.max.x, y), ui.colour(ui.palette.hairline),
                 std::max(1.0f, ui.px(1)));
  };
  edge(cells.min.y), edge(cells.max.y);
  above.draw(ui, {ImVec2(rect.min.x, rect.min.y + title), ImVec2(rect.max.x, cells.min.y - gap)},
             true, picture.lit.column);
  below.draw(ui, {ImVec2(rect.min.x, cells.max.y + gap), ImVec2(rect.max.x, rect.max.y - title)},
             false, picture.lit.row);
  const float title_width = ui.measure(FontRole::kLabel, picture.column_title).x;
  ui.text(ImVec2(rect.max.x - title_width, rect.min.y), FontRole::kLabel, ui.palette.muted,
          picture.column_title);
  ui.text(ImVec2(rect.min.x, rect.max.y - title), FontRole::kLabel, ui.palette.muted,
          picture.row_title);
  return answer;
}

}  // namespace tp::ui
