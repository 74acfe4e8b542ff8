#pragma once

#include "imgui_app/run_view.h"
#include "imgui_app/ui.h"

namespace tp {

// Loss and held-out accuracy over the steps, and on request more, on shared axes.
class CurvesPanel {
 public:
  // In all of `rect`. `complete`: with its controls; else the two main curves alone.
  void draw(Ui& ui, const RunView& run, Rect rect, bool complete);
  // What it takes in a single column.
  float height_for(const Ui& ui, float width) const;
  // A strip without heading and controls: the loss, held-out accuracy and the moment.
  void draw_mini(Ui& ui, const RunView& run, Rect rect);
};

}  // namespace tp
