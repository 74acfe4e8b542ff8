#pragma once

#include <optional>
#include <string>

#include "imgui_app/run_view.h"
#include "imgui_app/ui.h"
#include "imgui_app/widgets/heatmap.h"

namespace tp {

// Where each written token looks: one map in large, all heads in small, how it came about.
class AttentionPanel {
 public:
  void draw(Ui& ui, const RunView& run, Rect rect);
  // What it takes in a single column.
  float height_for(const Ui& ui, float width) const;
  // Shows a cell of the large map as if the pointer were over it; nothing when `cell` is empty.
  bool point_at(const RunView& run, std::optional<Cell> cell);
};

}  // namespace tp
