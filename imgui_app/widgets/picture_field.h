#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "imgui_app/draw/ui.h"

namespace tp::ui {

// The picture that a text of rows (# and .) draws, as large and cut as `like`; `like` itself when
// the text draws none.
Depiction drawn_picture(std::string_view rows, const Depiction& like);
// And the rows of a picture.
std::string rows_of(const Depiction& picture);

// A picture to draw on: where the pointer begins, ink becomes paper or paper ink, and so does what
// it is drawn over. The rows of the picture when it changed.
std::optional<std::string> picture_field(Ui& ui, const Depiction& shown, Rect rect);

}  // namespace tp::ui
