#pragma once

#include <optional>
#include <span>
#include <string>

#include "imgui_app/draw/ui.h"
#include "imgui_app/model/attention_choice.h"

namespace tp::ui {

struct Cell {
  int row = 0, column = 0;
  bool operator==(const Cell&) const = default;
};

// What a script points at; nothing where it names no row.
inline std::optional<Cell> cell_of(const ui_command::Point& at) {
  return at.row < 0 ? std::nullopt : std::optional(Cell{at.row, at.column});
}

struct HeatmapView {
  std::string name;  // stable, for the mirror
  HeatmapImage image;
  std::string_view row_title, column_title;
  std::optional<Cell> marked;  // its row and column are outlined

  // As many tokens as there are rows or columns take the place of their numbers.
  std::span<const ShownToken> row_tokens = {}, column_tokens = {};
  const Depiction* drawn = nullptr;     // what patches among the tokens are of
  Cell first = {};                      // the number of the first row and column
  std::span<const Cell> outlined = {};  // cells, each by itself
  bool numbers = false;                 // the values are written where cells are large enough
};

struct HeatmapAnswer {
  std::optional<Cell> hovered;
  bool pressed = false;  // the hovered cell was clicked, tapped or dragged to
  Rect map;              // where the cells are
};

// A map with numbered axes at the left and below, in all of `rect`.
HeatmapAnswer heatmap(Ui& ui, const HeatmapView& view, Rect rect);

// A strip with the colours of the table and the values at its ends and its middle.
void colour_legend(Ui& ui, const ColourTable& colours, float minimum, float maximum, Rect rect);

// A round step that puts at most `most` labels on an axis of `count` cells.
int tick_step(int count, int most);

}  // namespace tp::ui
