#pragma once

#include <cstdint>

#include "imgui_app/draw/ui.h"
#include "imgui_app/model/run_view.h"

namespace tp::ui {

// The way of the data through the model, for slow motion: after each step the parts light up in the
// order in which it flows, forward and then back.
class FlowStrip {
 public:
  // Returns the height used.
  float draw(Ui& ui, const RunView& run, ImVec2 at, float width);

 private:
  std::uint64_t step_ = 0;
  double since_ = -1e9;
};

}  // namespace tp::ui
