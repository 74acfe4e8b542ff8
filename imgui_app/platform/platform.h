#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "imgui_app/draw/fonts.h"
#include "imgui_app/draw/mirror.h"

namespace tp::ui {

// What the app asks of the place it runs in. One source file per place, chosen by CMake.
class Platform {
 public:
  virtual ~Platform() = default;
  // Draws a frame after this time, whatever else happens.
  virtual void frame_in(double milliseconds) = 0;
  // Answers sooner or later with App::provide_font or App::font_failed.
  virtual void request_font(FontFile file) = 0;
  virtual void open_licences() = 0;
  // True where typing happens in DOM fields laid over the canvas.
  virtual bool has_dom_text_fields() const = 0;

  // To the session; answers come through App::snapshot_arrived.
  virtual void send(std::vector<std::byte> command) = 0;

  // Hands a file to the person.
  virtual void save_file(const std::string& name, std::span<const std::byte> bytes) = 0;
  // The same with a part of the picture, as PNG; in physical pixels.
  virtual void save_picture(const std::string& name, Rect rect) = 0;
  // Lets the person choose one; answers with App::load_file.
  virtual void choose_file() = 0;
  // The same with lines that they write; `learn` and `close` are the labels of the buttons.
  virtual void edit_lines(const std::string& lines, const char* title, const char* learn,
                          const char* close) = 0;
  // A link to what is shown, into the clipboard.
  virtual void copy_link(const std::string& query) = 0;
  virtual void copy_text(const std::string& text) = 0;
  virtual void open_full_page(const std::string& query) = 0;
  // The run that was kept from the last visit: loads it, or forgets it.
  virtual void take_kept_run(bool wanted) = 0;
  // The tour need not be offered again.
  virtual void tour_seen() = 0;
  // Scrolls the page, in CSS pixels.
  virtual void scroll_to(float top) = 0;
};

// A text field of Dear ImGui; true when the text changed. Only where there are no DOM fields: the
// page does not have its code.
bool draw_text_field(const char* id, const char* hint, std::span<char> text);

}  // namespace tp::ui
