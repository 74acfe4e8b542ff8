#pragma once

#include <string>
#include <vector>

#include "imgui_app/ui.h"
#include "imgui_app/widgets/heatmap.h"

namespace tp {

// Sinusoidal encodings seen four ways: all values, a few of them as waves, the similarity of
// positions, and the hands of a clock.
class PositionsPanel {
 public:
  // Draws into a column of the page from `top` on and returns where the drawing ends. `room` is the
  // height that is free below `top`.
  float draw(Ui& ui, ImVec2 top, float width, float room);

  // Shows a cell as if the pointer were over it; nothing when `cell` is empty. Maps: "heatmap",
  // "similarity".
  bool point_at(const std::string& map, std::optional<Cell> cell);

 private:
  void compute(const PositionsSettings& settings);
  void draw_setup(Ui& ui, Rect rect, int columns);
  void draw_map(Ui& ui, Rect rect);
  void draw_clock(Ui& ui, Rect rect);
  void draw_waves(Ui& ui, Rect rect);
  void draw_similarity(Ui& ui, Rect rect);
  void draw_words(Ui& ui, Rect rect);

  struct Key {
    int positions = 0, d_model = 0;
    double base = 0;
    bool operator==(const Key&) const = default;
  };
  Key computed_for_;
  int version_ = 0;
  std::vector<float> table_;       // [positions, d_model]
  std::vector<float> similarity_;  // [positions, positions]
  std::optional<Cell> pointed_cell_, pointed_pair_;
  std::vector<int> waves_;
};

// "PE(7, 10) = sin(7 / 10,000^(10/128)) = sin(3.4086) = -0.2639"
std::string encoding_formula(int position, int dimension, int d_model, double base);

}  // namespace tp
