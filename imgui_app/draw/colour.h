#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace tp::ui {

// An sRGB colour with 8 bits a channel, opaque.
struct Colour {
  uint8_t r, g, b;
  bool operator==(const Colour&) const = default;
};

constexpr Colour colour_from_hex(uint32_t rgb) {
  return {static_cast<uint8_t>(rgb >> 16), static_cast<uint8_t>(rgb >> 8),
          static_cast<uint8_t>(rgb)};
}

using ColourTable = std::array<Colour, 256>;

// Evenly spaced stops, joined by straight lines in Oklab, where equal steps look equal.
ColourTable interpolate_colours(std::span<const Colour> stops);

// WCAG 2 contrast, 1 to 21.
double contrast(Colour a, Colour b);

}  // namespace tp::ui
