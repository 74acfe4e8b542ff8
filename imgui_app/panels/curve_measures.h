#pragma once

#include <algorithm>

#include "imgui_app/draw/ui.h"

// Sizes that the plots of the curves share.

namespace tp::ui {

inline float hair(const Ui& ui) { return std::max(1.0f, ui.px(1)); }
inline float caption_height(const Ui& ui) { return ui.measure(FontRole::kLabel, " ").y; }
inline float steps_height(const Ui& ui) {
  return ui.measure(FontRole::kSmallNumber, " ").y + ui.px(2);
}
// Of the marks above the loss.
inline float lane_height(const Ui& ui) { return ui.px(ui.touch ? 20 : 12); }
inline float plot_gap(const Ui& ui) { return ui.px(8); }

inline bool overlap(Rect a, Rect b) {
  return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

}  // namespace tp::ui
