#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "imgui_app/draw/ui.h"
#include "imgui_app/model/attention_choice.h"

// Tokens along the side of a map, each centred on its cell. Where they are too wide to stand side
// by side they take turns on up to three lines. Where even that is too narrow, those of a text are
// joined to words, each centred on its cells; of others, or of words, some are left out. Patches of
// `drawn` are small pictures, and never left out.

namespace tp::ui {

// What is written for one token, or for those of a word.
struct AxisLabel {
  std::string text;
  std::size_t first = 0, count = 1;  // of its tokens
  bool mark = false;
  std::optional<int> depth = {};  // of a bracket
  float middle(float cell) const {
    return (static_cast<float>(first) + static_cast<float>(count) / 2) * cell;
  }
  bool holds(int token) const {
    const auto i = static_cast<std::size_t>(token);
    return token >= 0 && i >= first && i < first + count;
  }
};

class TokenAxis {
 public:
  TokenAxis(const Ui& ui, std::span<const ShownToken> tokens, const Depiction* drawn, float length);

  float height() const { return static_cast<float>(tiers_) * line_; }
  // From left to right in `rect`; the first line is next to the map, above or below it.
  void draw(Ui& ui, Rect rect, bool above, int lit) const;

 private:
  bool find_room(const Ui& ui, float length, int most_step, int most_tiers);
  bool fits(const std::vector<float>& widths, float length, int step, int tiers, float gap) const;
  float left_of(std::size_t i, float width, float length) const;

  std::size_t tokens_ = 0;
  const Depiction* drawn_;  // null: the tokens are no patches
  std::vector<AxisLabel> labels_;
  float line_ = 0;
  int step_ = 1, tiers_ = 1;
};

// Tokens from top to bottom, right-aligned: the width they need, and drawn in `rect`.
float token_column_width(const Ui& ui, std::span<const ShownToken> tokens, const Depiction* drawn,
                         float length);
void draw_token_column(Ui& ui, std::span<const ShownToken> tokens, const Depiction* drawn,
                       Rect rect, int lit);

}  // namespace tp::ui
