#pragma once

#include <imgui.h>

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/result.h"
#include "imgui_app/panels/positions_panel.h"
#include "imgui_app/platform/platform.h"
#include "imgui_app/ui.h"

namespace tp {

// The user interface, without a window: settings in, pictures and a description of them out. It
// keeps no clock and asks for no frames; the platform calls frame() when something happened.
class App {
 public:
  explicit App(Platform& platform);
  ~App();

  // Surroundings, told by the platform whenever they change.
  struct Surroundings {
    float width = 1280, height = 800;  // of the canvas, in CSS pixels
    float ratio = 1;                   // physical pixels per CSS pixel
    float visible_height = 800;        // of the viewport: the layout fills at least this
    bool dark = false;                 // what the system prefers
    bool touch = false;                // the last pointer was a finger
  };
  Surroundings surroundings;
  void surroundings_changed() { style_dirty_ = true, unsettled_ = kSettling; }
  // The platform gave ImGui an event.
  void input_arrived() { unsettled_ = kSettling; }

  // With an OpenGL context current. False when it cannot draw (the reason is on stderr).
  bool create_graphics();
  // The context is gone and took its objects along; create_graphics() follows when it is back.
  void graphics_lost();

  void provide_font(FontFile file, std::vector<unsigned char> bytes);
  void font_failed(FontFile file);

  // Draws one picture. True when another one should follow at once (something is still settling).
  bool frame();

  // The height that the content needs at this width, in CSS pixels, known after frame().
  float content_height() const { return content_height_; }
  // Whether a finger that lands here drags something, instead of scrolling the page.
  bool grabs_at(float x, float y) const { return mirror_.grabs_at(ImVec2(x, y)); }
  // The text setting whose field is drawn here and not covered, or nothing.
  std::string text_field_at(float x, float y) const;

  // {"type": "set", "name": "pe_d_model", "value": 64} and the like; see docs/ARCHITECTURE.md. The
  // error is a sentence in the language shown.
  Status command(std::string_view json);
  // A setting as text, from a control or a flag. A bad one changes nothing.
  Status set(std::string_view name, std::string_view text);
  // The same from a link: what is wrong with it is shown on the page.
  void apply(std::string_view name, std::string_view text);

  // The settings that differ from what a new visitor gets, as a query string without "?".
  std::string query() const;
  // Plain JSON: what is set and what is shown.
  std::string state_json() const;
  // Plain JSON: the DOM controls and texts that stand for the canvas.
  std::string mirror_json() const;
  // Grows whenever state or mirror may have changed.
  int version() const { return version_; }

  Settings settings;
  // What a new visitor gets: the language of the browser, and otherwise the defaults.
  Settings initial;

 private:
  // The language chosen, unless it cannot be drawn yet.
  Language drawable_language() const;
  std::string problem_sentence(PropertyProblem problem, const Property* property,
                               std::string_view name, std::string_view text) const;
  void settings_changed();
  void update_fonts();
  bool dark() const;
  float scale() const;
  void apply_style();
  float draw_header(Ui& ui);
  void draw_header_controls(Ui& ui, Rect rect, bool vertical);
  float draw_notices(Ui& ui, float top, float width);
  void draw_footer(Ui& ui, float top);

  Platform& platform_;
  Fonts fonts_;
  Mirror mirror_;
  HeatmapRenderer heatmaps_;
  PositionsPanel positions_;
  Language shown_language_ = Language::kEnglish;
  std::set<FontFile> requested_;  // also those that failed, until the language or a text changes
  std::pair<Language, std::string> requested_for_;
  std::vector<std::string> notices_;
  float content_height_ = 0;
  bool graphics_ = false, style_dirty_ = true;
  static constexpr int kSettling = 3;  // frames that ImGui needs to settle after a change
  int unsettled_ = kSettling;
  int version_ = 0, frames_ = 0;
};

}  // namespace tp
