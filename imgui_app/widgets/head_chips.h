#pragma once

#include <optional>
#include <string>
#include <vector>

#include "imgui_app/draw/ui.h"
#include "imgui_app/model/attention_choice.h"

// All layers and heads of one kind of attention as small maps, the mean of each layer first. A
// press chooses.

namespace tp::ui {

// How they are arranged in the room there is.
struct ChipPlan {
  bool words = false;          // few enough for name, pattern and entropy in words beside each
  bool one_layer = false;      // only the chosen layer, with buttons for its neighbours
  bool upright = false;        // a layer is a column
  float side = 0;              // of a map
  float margin = 0;            // for the names at the left
  int in_line = 1, lines = 1;  // chips of one layer
  float width = 0, height = 0;
};
// `room` is the greatest height; 0 when there is no limit.
ChipPlan plan_chips(const Ui& ui, int layers, int heads, float width, float room);
// Beside the map; nothing when that is not high enough.
std::optional<ChipPlan> plan_upright_chips(const Ui& ui, int layers, int heads, float room);

struct ChipContents {
  const AttentionChoice& choice;
  int shown_head = 0;  // the one in large
  int version = 0;     // changes whenever the maps do
};
void head_chips(Ui& ui, const ChipContents& contents, const ChipPlan& plan, Rect rect);

// "anti-diagonal", in the language shown.
const char* pattern_name(const Ui& ui, AttentionPattern pattern);
// "0.34", or a dash where it is not known.
std::string entropy_text(double entropy);
// "Mean", "Head 2", "Layer 1, head 2" when there are several.
std::string head_name(const Ui& ui, const AttentionChoice& choice, int layer, int head);

}  // namespace tp::ui
