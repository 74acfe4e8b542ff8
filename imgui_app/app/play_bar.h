#pragma once

#include "imgui_app/draw/ui.h"
#include "imgui_app/model/run_view.h"

namespace tp::ui {

// Play, Step, Reset, New seed, the pace, and how far it is in figures.
class PlayBar {
 public:
  // From `top` on over the whole width; returns where it ends.
  float draw(Ui& ui, const RunView& run, ImVec2 top, float width);
  // For a phone: the buttons and the step, in one row.
  void draw_small(Ui& ui, const RunView& run, Rect rect);
  // All figures as one sentence.
  std::string progress(const Ui& ui, const RunView& run);
  // Those that a phone has no other place for.
  std::string short_progress(const Ui& ui, const RunView& run);

 private:
  float draw_buttons(Ui& ui, const RunView& run, ImVec2 at, float height, bool words);
  void draw_figures(Ui& ui, const RunView& run, Rect rect, bool large);

  // Figures change at most ten times a second, so that they can be read.
  struct Figures {
    std::string step, loss, right, speed, left;
    Text measure = Text::figure_right;  // what `right` is
  };
  const Figures& figures(const Ui& ui, const RunView& run);
  Figures shown_;
  double shown_at_ = -1e9;
};

// Numbers as the play bar and the story write them.
std::string decimal(double value, int decimals);
std::string loss_text(double loss);

}  // namespace tp::ui
