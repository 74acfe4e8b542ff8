#include "imgui_app/draw/colour.h"

#include <gtest/gtest.h>

#include "imgui_app/draw/palette.h"

namespace tp::ui {
namespace {

void expect_readable(const Palette& p) {
  for (const Colour background : {p.page, p.panel, p.raised}) {
    EXPECT_GE(contrast(p.text, background), 12);
    EXPECT_GE(contrast(p.muted, background), 5.5);
    EXPECT_GE(contrast(p.edge, background), 3.36);
    for (const Colour text : {p.accent, p.right, p.wrong, p.warning, p.negative, p.positive,
                              p.kind_query, p.kind_key, p.kind_value, p.kind_scores, p.kind_weights,
                              p.kind_context, p.kind_residual, p.kind_norm, p.kind_feed_forward}) {
      EXPECT_GE(contrast(text, background), 4.6);
    }
  }
  for (const Colour line : p.series) EXPECT_GE(contrast(line, p.panel), 4.5);
  EXPECT_GE(contrast(p.on_accent, p.accent), 4.6);
}

TEST(Palette, EveryTextIsReadable) {
  expect_readable(kDarkPalette);
  expect_readable(kLightPalette);
}

TEST(Palette, IsThatOfTheStyleSheet) {
  EXPECT_EQ(kDarkPalette.panel, colour_from_hex(0x171E26));
  EXPECT_EQ(kLightPalette.accent, colour_from_hex(0x00705E));
  EXPECT_EQ(kLightPalette.map_signed[2], colour_from_hex(0xFFFFFF));
}

TEST(ColourTable, EndsAndMiddleAreTheStops) {
  for (const Palette* p : {&kDarkPalette, &kLightPalette}) {
    for (const auto& stops : {p->map_signed, p->map_weights}) {
      const ColourTable table = interpolate_colours(stops);
      EXPECT_EQ(table.front(), stops.front());
      EXPECT_EQ(table.back(), stops.back());
    }
  }
}

// Away from zero every step is further from the panel: the eye can compare without a legend.
TEST(ColourTable, ContrastGrowsFromZero) {
  for (const Palette* p : {&kDarkPalette, &kLightPalette}) {
    const ColourTable weights = interpolate_colours(p->map_weights);
    for (size_t i = 8; i < weights.size(); i += 8) {
      EXPECT_GE(contrast(weights[i], p->panel), contrast(weights[i - 8], p->panel)) << i;
    }
    const ColourTable both = interpolate_colours(p->map_signed);
    for (size_t i = 8; i < 120; i += 8) {
      EXPECT_GE(contrast(both[127 - i], p->panel), contrast(both[135 - i], p->panel)) << i;
      EXPECT_GE(contrast(both[128 + i], p->panel), contrast(both[120 + i], p->panel)) << i;
    }
  }
}

}  // namespace
}  // namespace tp::ui
