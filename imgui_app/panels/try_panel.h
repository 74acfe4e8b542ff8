#pragma once

#include "imgui_app/run_view.h"
#include "imgui_app/ui.h"

namespace tp {

// Something to type, what the model makes of it token by token, and held-out samples that turn
// green.
class TryPanel {
 public:
  // From the top of `rect` on. `complete`: with sampling and all samples that fit.
  void draw(Ui& ui, const RunView& run, Rect rect, bool complete);
  float height_for(const Ui& ui, float width) const;
  // One sample in a line, for a phone.
  void draw_line(Ui& ui, const RunView& run, Rect rect);
};

}  // namespace tp
