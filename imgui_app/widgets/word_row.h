#pragma once

#include <optional>
#include <string>
#include <vector>

#include "imgui_app/draw/ui.h"

namespace tp::ui {

// Words to press in one line, as many as fit with the chosen one among them; those from `usable` on
// are greyed. Returns the one that was pressed.
std::optional<int> word_row(Ui& ui, const std::vector<std::string>& words, int chosen, int usable,
                            Rect rect);

}  // namespace tp::ui
