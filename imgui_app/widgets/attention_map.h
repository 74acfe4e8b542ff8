#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "imgui_app/draw/ui.h"
#include "imgui_app/model/attention_choice.h"
#include "imgui_app/widgets/heatmap.h"

namespace tp::ui {

// A token of either side, or both: a cell. -1: none.
struct Lit {
  int row = -1, column = -1;
  bool any() const { return row >= 0 || column >= 0; }
  bool operator==(const Lit&) const = default;
};

// Weights between two lists of tokens, as a map or as lines.
struct AttentionPicture {
  HeatmapImage image;  // of the weights, made by weight_image()
  std::span<const ShownToken> rows, columns;
  std::span<const ShownLink> targets;  // outlined
  bool causal = false;                 // a row sees only the columns up to its own
  std::string_view row_title, column_title;
  Lit lit;
  const Depiction* drawn = nullptr;  // what the patches among the tokens are of
};

struct PictureAnswer {
  Lit hovered;
  bool pressed = false;  // a click or tap on what is hovered
  Rect cells;
};

// Weights from 0 to 1 on the fixed scale of all attention maps: place in the table = weight^0.6.
HeatmapImage weight_image(std::span<const float> weights, int rows, int columns, int version);
inline constexpr float kWeightExponent = 0.6f;

// What the axes take beside cells of this size.
struct AxisRoom {
  float left = 0, top = 0;
};
AxisRoom map_axes(const Ui& ui, const AttentionPicture& picture, float side);

// The map with its tokens at the left and above, `side` wide and high, from `position` on.
PictureAnswer attention_map(Ui& ui, const AttentionPicture& picture, ImVec2 position, float side);

// The colours of the weights with 0, 0.1, 0.5 and 1.
void weight_legend(Ui& ui, Rect rect);
float weight_legend_height(const Ui& ui);

}  // namespace tp::ui
