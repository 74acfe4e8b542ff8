#pragma once

#include <span>
#include <vector>

#include "imgui_app/draw/ui.h"
#include "imgui_app/model/attention_choice.h"

// Tokens along the side of a map, each centred on its cell. Where they are too wide to stand side
// by side they take turns on up to three lines; where even that is too narrow, some are left out.

namespace tp::ui {

class TokenAxis {
 public:
  TokenAxis(const Ui& ui, std::span<const ShownToken> tokens, float length);

  float height() const { return static_cast<float>(tiers_) * line_; }
  // From left to right in `rect`; the first line is next to the map, above or below it.
  void draw(Ui& ui, Rect rect, bool above, int lit) const;

 private:
  bool fits(const std::vector<float>& widths, float length, int step, int tiers, float gap) const;
  float left_of(std::size_t i, float width, float length) const;

  std::span<const ShownToken> tokens_;
  float line_ = 0;
  int step_ = 1, tiers_ = 1;
};

// Tokens from top to bottom, right-aligned: the width they need, and drawn in `rect`.
float token_column_width(const Ui& ui, std::span<const ShownToken> tokens);
void draw_token_column(Ui& ui, std::span<const ShownToken> tokens, Rect rect, int lit);

}  // namespace tp::ui
