#pragma once

#include "imgui_app/draw/palette.h"

namespace tp::ui {

// Sizes and colours of everything that ImGui and ImPlot draw by themselves.
void apply_style(const Palette& palette, float scale);

}  // namespace tp::ui
