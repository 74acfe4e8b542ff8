#pragma once

#include "imgui_app/draw/ui.h"
#include "imgui_app/model/run_editor.h"
#include "imgui_app/model/run_view.h"

namespace tp::ui {

// What the run is made of: six basics, and on request everything.
class SetupPanel {
 public:
  // The basics, in all of `rect`.
  void draw_basics(Ui& ui, RunEditor& editor, const RunView& run, Rect rect);
  // Everything, from `top` on; returns where it ends.
  float draw_all(Ui& ui, RunEditor& editor, const RunView& run, ImVec2 top, float width);
};

// "124,832 parameters · 12 MB · about 40 steps/s": of what the settings would make.
std::string size_line(const Ui& ui, const RunView& run);

}  // namespace tp::ui
