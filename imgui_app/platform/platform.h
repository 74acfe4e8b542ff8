#pragma once

#include <string>
#include <vector>

#include "imgui_app/fonts.h"

namespace tp {

// What the app asks of the place it runs in. One source file per place, chosen by CMake.
class Platform {
 public:
  virtual ~Platform() = default;
  // Answers sooner or later with App::provide_font or App::font_failed.
  virtual void request_font(FontFile file) = 0;
  virtual void open_licences() = 0;
  // True where typing happens in DOM fields laid over the canvas.
  virtual bool has_dom_text_fields() const = 0;
};

}  // namespace tp
