#pragma once

#include <span>
#include <string>

#include "imgui_app/draw/ui.h"

namespace tp::ui {

struct ClockHand {
  double angle;  // radians, clockwise from the top
  Colour colour;
  std::string label;
};

// A dial whose first hand is the longest. The tip of a hand is (sin, cos) of its angle: the pair of
// values that the encoding holds.
void clock(Ui& ui, std::span<const ClockHand> hands, Rect rect);

}  // namespace tp::ui
