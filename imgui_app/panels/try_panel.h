#pragma once

#include "imgui_app/draw/ui.h"
#include "imgui_app/model/run_view.h"

namespace tp::ui {

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

}  // namespace tp::ui
