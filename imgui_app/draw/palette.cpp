#include "imgui_app/draw/palette.h"

namespace tp::ui {
namespace {

template <size_t N>
std::array<Colour, N> colours(const uint32_t (&hex)[N]) {
  std::array<Colour, N> result;
  for (size_t i = 0; i < N; ++i) result[i] = colour_from_hex(hex[i]);
  return result;
}

}  // namespace

#define TP_UNPACK(...) __VA_ARGS__

const Palette kLightPalette = {
#define TP_COLOUR(name, light, dark) .name = colour_from_hex(light),
#define TP_COLOUR_LIST(name, count, light, dark) .name = colours<count>({TP_UNPACK light}),
#include "palette.inc"
#undef TP_COLOUR
#undef TP_COLOUR_LIST
};

const Palette kDarkPalette = {
#define TP_COLOUR(name, light, dark) .name = colour_from_hex(dark),
#define TP_COLOUR_LIST(name, count, light, dark) .name = colours<count>({TP_UNPACK dark}),
#include "palette.inc"
#undef TP_COLOUR
#undef TP_COLOUR_LIST
};

}  // namespace tp::ui
