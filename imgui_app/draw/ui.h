#pragma once

#include <imgui.h>

#include <string>
#include <string_view>
#include <vector>

#include "engine/session/snapshot.h"
#include "imgui_app/draw/fonts.h"
#include "imgui_app/draw/heatmap_renderer.h"
#include "imgui_app/draw/mirror.h"
#include "imgui_app/draw/palette.h"
#include "imgui_app/model/settings.h"

namespace tp::ui {

// What every panel and widget draws with. Coordinates are physical pixels; px() turns a length of
// the design (CSS pixels at text size 100%) into them.
struct Ui {
  Settings& settings;
  const Palette& palette;
  Fonts& fonts;
  Mirror& mirror;
  HeatmapRenderer& heatmaps;
  Language language;     // the one shown: the chosen one, unless its font is still on its way
  float scale;           // physical pixels per design pixel
  bool touch;            // the last pointer was a finger
  bool dom_text_fields;  // typing happens in the page's own fields, laid over the canvas
  double time = 0;       // milliseconds; for what moves
  bool reduced_motion = false;
  bool phone = false;  // the page is as narrow as one

  bool changed = false;                  // out: a setting was changed
  std::vector<UiCommand> commands = {};  // out: of the buttons that were pressed
  bool animating = false;                // out: something moves, another frame is due

  float px(float length) const;
  const char* tr(Text text) const { return ui::tr(text, language); }
  // What the engine says, in the language shown.
  std::string said(const Sentence& sentence) const { return in_language(sentence, language); }
  ImU32 colour(Colour c, float alpha = 1) const;

  // Text is drawn through these two alone, so that the mirror knows all of it.
  ImVec2 measure(FontRole role, std::string_view text, float wrap_width = 0) const;
  // Draws at `position` (top left) and returns the size. With `max_width` a text that is too long
  // ends in an ellipsis; with `wrap_width` it continues on the next line.
  struct TextOptions {
    float max_width = 0, wrap_width = 0;
  };
  ImVec2 text(ImVec2 position, FontRole role, Colour colour, std::string_view text,
              TextOptions options);
  ImVec2 text(ImVec2 position, FontRole role, Colour colour, std::string_view text) {
    return this->text(position, role, colour, text, TextOptions{});
  }

  // The text on one line of at most this width: … stands for the middle of what is too long.
  std::string in_one_line(FontRole role, std::string_view text, float width) const;

  // Fills whole pixels. Faster than AddRectFilled where there is no graphics processor: nothing is
  // blended and no texture is read.
  void fill(Rect rect, Colour colour) const;
  // The background of a panel.
  void card(Rect rect) const;
  // The same with its heading; returns the rectangle inside.
  Rect panel(Rect rect, std::string_view title);
};

}  // namespace tp::ui
