#pragma once

#include "imgui_app/widgets/attention_map.h"
#include "imgui_app/widgets/head_chips.h"

namespace tp::ui {

// What there is to place.
struct AttentionContents {
  int kinds = 1, layers = 1, heads = 1;
  bool targets = false, typed = false;
  float drawn = 0;  // width of the whole drawing for a height of 1; 0: there is none
  bool operator==(const AttentionContents&) const = default;
};

// Where each part of the attention panel is. Parts that are not there have no width.
struct AttentionLayout {
  float padding = 0;
  Rect heading;              // title and share on target
  Rect kind, view, example;  // choices
  Rect of;                   // held-out or typed
  Rect png;                  // the picture as a file
  Rect legend, targets;      // below the map
  ImVec2 picture;            // its top left corner, axes included
  float side = 0;            // of the cells
  AxisRoom axes;
  Rect film, film_title;
  ChipPlan chip_plan;
  Rect chips, caption;
  Rect whole;        // the drawing that the patches are of, beside the caption
  float height = 0;  // of the whole panel
};

// Fills `rect`; with a height of 0, the panel is as high as it likes to be.
AttentionLayout attention_layout(const Ui& ui, const AttentionContents& contents,
                                 const AttentionPicture& picture, Rect rect);

// The width that the values of a choice need side by side.
float segments_width(const Ui& ui, const Property& property, int choices);

}  // namespace tp::ui
