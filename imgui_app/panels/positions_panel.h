#pragma once

#include <string>
#include <vector>

#include "imgui_app/draw/ui.h"
#include "imgui_app/model/shown_positions.h"
#include "imgui_app/widgets/heatmap.h"

namespace tp::ui {

// Positions seen four ways: all values, a few of them as waves, the similarity of positions, and
// the hands of a clock. Those of the paper's formula, or learned ones as they are now, or the
// rotations of rotary ones.
class PositionsPanel {
 public:
  // Draws into a column of the page from `top` on and returns where the drawing ends. `room` is the
  // height that is free below `top`.
  float draw(Ui& ui, const ModelPositions& model, ImVec2 top, float width, float room);

  // Shows a cell as if the pointer were over it; nothing when `cell` is empty. Maps: "heatmap",
  // "similarity".
  bool point_at(const std::string& map, std::optional<Cell> cell);

 private:
  int position(const Ui& ui) const;
  int dimension(const Ui& ui) const;
  float setup_height(const Ui& ui, const ModelPositions& model, float width, int columns) const;
  std::string note(const Ui& ui, const ModelPositions& model) const;
  float story_height(const Ui& ui, float width) const;
  float caption_height(const Ui& ui, float width) const;
  void draw_setup(Ui& ui, const ModelPositions& model, Rect rect, int columns);
  void draw_map(Ui& ui, Rect rect);
  void draw_clock(Ui& ui, Rect rect);
  float draw_hands(Ui& ui, Rect room, std::string& spoken);
  void draw_waves(Ui& ui, Rect rect);
  void draw_similarity(Ui& ui, Rect rect);
  void draw_words(Ui& ui, Rect rect);

  ShownPositions shown_;
  bool without_ = false;  // the model has no positions: the formula is there for comparison
  std::optional<Cell> pointed_cell_, pointed_pair_;
  std::vector<int> waves_;
};

// "PE(7, 10) = sin(7 / 10,000^(10/128)) = sin(3.4086) = -0.2639"
std::string encoding_formula(int position, int dimension, int d_model, double base);

}  // namespace tp::ui
