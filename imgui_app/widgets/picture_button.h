#pragma once

#include <string_view>

#include "imgui_app/draw/ui.h"

namespace tp::ui {

// A small map to press, inside `action.rect`, which may hold words beside it as well. Without
// values it is an empty frame. True when it was pressed; the command is then on its way.
bool picture_button(Ui& ui, Action action, Rect picture, const HeatmapImage& image);

}  // namespace tp::ui
