#pragma once

#include <cstdint>

#include "imgui_app/draw/ui.h"
#include "imgui_app/model/run_view.h"

namespace tp::ui {

// The way of the data through the model, for slow motion: after each step the parts light up in the
// order in which it flows, forward in one colour and back in another.
class FlowStrip {
 public:
  void draw(Ui& ui, const RunView& run, Rect rect);

 private:
  std::uint64_t step_ = 0;
  double since_ = -1e9;
};

}  // namespace tp::ui
