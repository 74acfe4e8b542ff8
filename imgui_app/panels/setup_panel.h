#pragma once

#include "imgui_app/panels/panel.h"

namespace tp::ui {

// What the run is made of: six basics, and on request everything.
class SetupPanel : public Panel {
 public:
  explicit SetupPanel(RunEditor& editor) : editor_(editor) {}

  void draw(Ui& ui, const RunView& run, Rect rect, bool complete) override;
  float height_for(const Ui&, float) const override { return height_; }
  bool full_width() const override { return true; }
  // The basics.
  bool has_side() const override { return true; }
  void draw_side(Ui& ui, const RunView& run, Rect rect) override;
  float side_height() const override { return side_height_; }

 private:
  RunEditor& editor_;
  float height_ = 0, side_height_ = 0;  // of everything and of the basics, as drawn last
};

// "124,832 parameters · 12 MB · about 40 steps/s": of what the settings would make.
std::string size_line(const Ui& ui, const RunView& run);

}  // namespace tp::ui
