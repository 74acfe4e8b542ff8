#pragma once

#include <span>

#include "engine/session/snapshot.h"
#include "imgui_app/draw/ui.h"

namespace tp::ui {

// The steps whose map is kept, so that one sees how it came about.
inline constexpr std::uint64_t kStillSteps[] = {0, 25, 50, 75, 100, 150, 200, 300};

// Early maps in the order of their steps, empty frames where the run has not been yet. A press goes
// there. `version` changes whenever the stills do.
void filmstrip(Ui& ui, std::span<const Still> stills, Moment now, int version, Rect rect);

// Frames below each other in a column as high as the map, or side by side in one or two lines.
float filmstrip_column_width(const Ui& ui);
float filmstrip_height(const Ui& ui, float width);

}  // namespace tp::ui
