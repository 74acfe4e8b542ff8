#pragma once

#include <string>
#include <vector>

#include "imgui_app/model/shown_positions.h"
#include "imgui_app/panels/panel.h"
#include "imgui_app/widgets/heatmap.h"

namespace tp::ui {

// Positions seen four ways: all values, a few of them as waves, the similarity of positions, and
// the hands of a clock. Those of the paper's formula, or learned ones as they are now, or the
// rotations of rotary ones.
class PositionsPanel : public Panel {
 public:
  explicit PositionsPanel(const RunEditor& editor) : editor_(editor) {}

  Watch watches() const override { return {.paths = {{std::string(kPositionPaths)}}}; }
  void draw(Ui& ui, const RunView& run, Rect rect, bool complete) override;
  void draw(Ui& ui, const ModelPositions& model, Rect rect);
  float height_for(const Ui&, float) const override { return height_; }
  bool full_width() const override { return true; }
  // Shows a cell as if the pointer were over it; nothing when `cell` is empty. Maps: "heatmap",
  // "similarity".
  bool point_at(const std::string& map, std::optional<Cell> cell);
  bool perform(const UiCommand& command, const RunView&) override {
    const auto* at = std::get_if<ui_command::Point>(&command);
    return at != nullptr && point_at(at->map, cell_of(*at));
  }

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

  const RunEditor& editor_;
  ShownPositions shown_;
  float height_ = 0;      // that it needs, as drawn last
  bool without_ = false;  // the model has no positions: the formula is there for comparison
  std::optional<Cell> pointed_cell_, pointed_pair_;
  std::vector<int> waves_;
};

// "PE(7, 10) = sin(7 / 10,000^(10/128)) = sin(3.4086) = -0.2639"
std::string encoding_formula(int position, int dimension, int d_model, double base);

}  // namespace tp::ui
