#pragma once

#include "imgui_app/panels/panel.h"

namespace tp::ui {

// Something to type, what the model makes of it token by token, and held-out samples that turn
// green.
class TryPanel : public Panel {
 public:
  // From the top of `rect` on. `complete`: with sampling and all samples that fit.
  void draw(Ui& ui, const RunView& run, Rect rect, bool complete) override;
  float height_for(const Ui& ui, float width) const override;
  Watch watches() const override { return {.samples = true}; }
  float weight() const override { return 4.2f; }
  // One sample in a line, for a phone.
  float strip_height(const Ui& ui) const override { return ui.phone ? ui.px(48) : 0; }
  void draw_strip(Ui& ui, const RunView& run, Rect rect) override;
};

}  // namespace tp::ui
