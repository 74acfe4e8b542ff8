#pragma once

#include "imgui_app/draw/ui.h"

// Examples drawn in place of their tokens: a picture cut into patches, or a price.

namespace tp::ui {

// All of it, with the cuts between the patches of a picture; a price with what follows it: the
// truth in the colour of text, the prediction in its own.
void draw_depiction(Ui& ui, const Depiction& drawn, Rect rect);
// One patch alone: of a price, on the scale of the whole.
void draw_patch(Ui& ui, const Depiction& drawn, int patch, Rect rect);
// Where a patch is in the whole.
Rect patch_in(const Depiction& drawn, int patch, Rect rect);
// Outlines a patch in the whole.
void light_patch(Ui& ui, const Depiction& drawn, int patch, Rect rect, float thickness);

inline Colour prediction_colour(const Ui& ui) { return ui.palette.series[0]; }
// Of a bracket; -1 is one without a partner.
inline Colour depth_colour(const Ui& ui, int depth) {
  const auto& colours = ui.palette.series;
  return depth < 0 ? ui.palette.wrong : colours[static_cast<std::size_t>(depth) % colours.size()];
}

}  // namespace tp::ui
