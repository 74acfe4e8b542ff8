#pragma once

#include "imgui_app/draw/ui.h"

namespace tp::ui {

// A price with its patches below it, how it went on and how the model says that it does, in all of
// `rect`. Pointing at a patch lights its days.
void price_plot(Ui& ui, const Depiction& drawn, Rect rect);

}  // namespace tp::ui
