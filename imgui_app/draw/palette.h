#pragma once

#include <array>
#include <string_view>

#include "imgui_app/draw/colour.h"

namespace tp::ui {

// The colours of one theme, generated from web/palette.css so that canvas and page cannot differ.
struct Palette {
#define TP_COLOUR(name, light, dark) Colour name;
#define TP_COLOUR_LIST(name, count, light, dark) std::array<Colour, count> name;
#include "palette.inc"
#undef TP_COLOUR
#undef TP_COLOUR_LIST
};

extern const Palette kLightPalette;
extern const Palette kDarkPalette;

}  // namespace tp::ui
