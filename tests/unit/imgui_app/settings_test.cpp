#include "imgui_app/model/settings.h"

#include <gtest/gtest.h>

namespace tp::ui {
namespace {

TEST(Settings, WavesAreAListOfDimensions) {
  std::vector<int> waves;
  EXPECT_TRUE(parse_waves("0 10, 50  100", 128, waves));
  EXPECT_EQ(waves, (std::vector<int>{0, 10, 50, 100}));
  EXPECT_TRUE(parse_waves("", 128, waves));
  EXPECT_TRUE(waves.empty());
  EXPECT_TRUE(parse_waves("5 5 5 5 5 5 5 5", 128, waves));  // the same one many times is one
  EXPECT_EQ(waves, (std::vector<int>{5}));
  for (const char* wrong : {"x", "128", "-1", "1.5", "0 1 2 3 4 5 6", "99999999999999999999"}) {
    EXPECT_FALSE(parse_waves(wrong, 128, waves)) << wrong;
  }
}

TEST(Settings, OneSettingLimitsAnother) {
  Settings s;
  s.pe.positions = 8;
  s.pe.d_model = 4;
  s.pe.position = 90;
  s.pe.dimension = 100;
  normalise(s);
  EXPECT_EQ(s.pe.position, 7);
  EXPECT_EQ(s.pe.dimension, 3);
  const Properties table = properties(s);
  EXPECT_EQ(set_property(*find_property(table, "pe_position"), 8.0), PropertyProblem::kOutOfRange);
}

TEST(Settings, DefaultsAreAllowedValues) {
  Settings s;
  for (const Property& property : properties(s)) {
    EXPECT_EQ(set_property(property, property.text()), PropertyProblem::kNone) << property.name;
  }
  std::vector<int> waves;
  EXPECT_TRUE(parse_waves(s.pe.waves, s.pe.d_model, waves));
}

}  // namespace
}  // namespace tp::ui
