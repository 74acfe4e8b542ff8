#pragma once

#include <string>
#include <vector>

#include "engine/core/property.h"
#include "imgui_app/strings/strings.h"

namespace tp {

enum class Theme { kSystem, kDark, kLight };
enum class TextSize { k100, k125, k150, k200 };

struct PositionsSettings {
  int positions = 100;
  int d_model = 128;
  double base = 10000;
  int position = 7;
  int dimension = 10;
  std::string waves = "0 10 50 100";
  std::string sentence;  // empty: the example of the language shown
};

// Everything a person can set, on the page and in the native app.
struct Settings {
  Language language = Language::kEnglish;
  Theme theme = Theme::kSystem;
  TextSize text_size = TextSize::k100;
  PositionsSettings pe;
};

inline constexpr int kMostWaves = 6;

// The property table. Its order is that of the DOM controls; a setting that limits another one
// comes before it.
Properties properties(Settings& settings);

// Brings settings that depend on others back into their range.
void normalise(Settings& settings);

double scale_of(TextSize size);

// The dimensions named in `text`, or nothing when it is not a list of at most kMostWaves dimensions
// below d_model. An empty list is fine.
bool parse_waves(const std::string& text, int d_model, std::vector<int>& dimensions);

}  // namespace tp
