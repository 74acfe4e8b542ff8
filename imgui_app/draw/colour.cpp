#include "imgui_app/draw/colour.h"

#include <algorithm>
#include <cmath>

#include "engine/core/check.h"

namespace tp::ui {
namespace {

struct Oklab {
  double lightness, a, b;
};

double to_linear(uint8_t channel) {
  const double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

uint8_t from_linear(double value) {
  const double c = value <= 0.0031308 ? value * 12.92 : 1.055 * std::pow(value, 1 / 2.4) - 0.055;
  return static_cast<uint8_t>(std::lround(std::clamp(c, 0.0, 1.0) * 255));
}

// Björn Ottosson's Oklab: linear sRGB to cone responses, their cube roots, then to lightness and
// two opponent axes.
Oklab to_oklab(Colour colour) {
  const double r = to_linear(colour.r), g = to_linear(colour.g), b = to_linear(colour.b);
  const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

Colour from_oklab(Oklab lab) {
  const double l = lab.lightness + 0.3963377774 * lab.a + 0.2158037573 * lab.b;
  const double m = lab.lightness - 0.1055613458 * lab.a - 0.0638541728 * lab.b;
  const double s = lab.lightness - 0.0894841775 * lab.a - 1.2914855480 * lab.b;
  const double l3 = l * l * l, m3 = m * m * m, s3 = s * s * s;
  return {from_linear(4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * s3),
          from_linear(-1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * s3),
          from_linear(-0.0041960863 * l3 - 0.7034186147 * m3 + 1.7076147010 * s3)};
}

double luminance(Colour c) {
  return 0.2126 * to_linear(c.r) + 0.7152 * to_linear(c.g) + 0.0722 * to_linear(c.b);
}

}  // namespace

ColourTable interpolate_colours(std::span<const Colour> stops) {
  TP_CHECK(stops.size() >= 2, "a colour table needs at least two stops");
  ColourTable table;
  for (size_t i = 0; i < table.size(); ++i) {
    const double place =
        static_cast<double>(i * (stops.size() - 1)) / static_cast<double>(table.size() - 1);
    const size_t left = std::min(static_cast<size_t>(place), stops.size() - 2);
    const double share = place - static_cast<double>(left);
    const Oklab from = to_oklab(stops[left]), to = to_oklab(stops[left + 1]);
    table[i] = from_oklab({std::lerp(from.lightness, to.lightness, share),
                           std::lerp(from.a, to.a, share), std::lerp(from.b, to.b, share)});
  }
  return table;
}

double contrast(Colour a, Colour b) {
  const double bright = std::max(luminance(a), luminance(b));
  const double dark = std::min(luminance(a), luminance(b));
  return (bright + 0.05) / (dark + 0.05);
}

}  // namespace tp::ui
