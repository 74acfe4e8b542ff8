#pragma once

#include "imgui_app/widgets/attention_map.h"

namespace tp::ui {

// The columns' tokens above, the rows' below, and a line from each row to what it looks at: the
// heavier the weight, the thicker and brighter. `rect` holds the two rows of tokens and their
// titles as well.
PictureAnswer attention_lines(Ui& ui, const AttentionPicture& picture, Rect rect);

}  // namespace tp::ui
