#pragma once

#include <string>

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
  // Points at a token of the answer.
  bool perform(const UiCommand& command, const RunView& run) override;

 private:
  void draw_problem(Ui& ui, const TryResult& tried, Rect room);
  void draw_answered(Ui& ui, const Snapshot& now, Rect room, bool complete);
  void draw_chances_of(Ui& ui, const TryResult& tried, int shown, Rect room, int most);
  int shown_token(const TryResult& tried);

  std::string pointed_in_;           // the input whose answer these are of
  int pointed_ = -1, hovered_ = -1;  // tokens; -1: none
};

}  // namespace tp::ui
