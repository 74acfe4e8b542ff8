#pragma once

#include <imgui.h>

#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/result.h"
#include "imgui_app/app/flow_strip.h"
#include "imgui_app/app/lettering.h"
#include "imgui_app/app/play_bar.h"
#include "imgui_app/draw/graphics.h"
#include "imgui_app/draw/ui.h"
#include "imgui_app/model/experiments.h"
#include "imgui_app/model/notices.h"
#include "imgui_app/model/session_link.h"
#include "imgui_app/panels/panel_list.h"
#include "imgui_app/platform/platform.h"

namespace tp::ui {

class JsonWriter;

// The user interface, without a window: settings and snapshots in, pictures, commands and a
// description of them out. It keeps no clock and requests no frames; the platform calls frame()
// when something happened.
//
//   app.cpp              the frame, and what arrives from outside
//   app_layout.cpp       where everything is at each size
//   app_header.cpp       the header and its menu
//   app_lines.cpp        the lines that pairs learns
//   app_story.cpp        the story and what it offers
//   app_margins.cpp      the footer, the lower bar of a phone
//   app_notices.cpp      what lies over the page at its lower left
//   app_tour.cpp         the tour and the sheet of keys
//   app_commands.cpp     commands, keys, buttons
//   app_settings.cpp     settings by name, the link
//   app_description.cpp  state and DOM mirror, as JSON
class App {
 public:
  explicit App(Platform& platform);

  // Surroundings, told by the platform whenever they change.
  struct Surroundings {
    float width = 1280, height = 800;  // of the canvas, in CSS pixels
    float ratio = 1;                   // physical pixels per CSS pixel
    float visible_height = 800;        // of the viewport: the layout fills at least this
    float scroll_top = 0;              // of the page: what sticks to its bottom follows
    bool dark = false;                 // what the system prefers
    bool touch = false;                // the last pointer was a finger
    bool reduced_motion = false;
  };
  Surroundings surroundings;
  void surroundings_changed() { style_dirty_ = true, unsettled_ = kSettling; }
  // The platform gave ImGui an event.
  void input_arrived() { unsettled_ = kSettling; }

  // With an OpenGL context current. False when it cannot draw (the reason is on stderr).
  bool create_graphics();
  // The context is gone with its objects; create_graphics() follows when it is back.
  void graphics_lost() { graphics_.lost(); }

  void provide_font(FontFile file, std::vector<unsigned char> bytes);
  void font_failed(FontFile file);

  // Draws one picture. True when another one should follow at once (something is still settling or
  // moving). `milliseconds` never goes back.
  bool frame(double milliseconds);

  // The height that the content needs at this width, in CSS pixels, known after frame().
  float content_height() const { return content_height_; }
  // The height that a frame in an article should have, in CSS pixels: that of the content where the
  // panel is not stretched to fill the frame. 0 where this is no embed.
  float wanted_height() const {
    return settings.embed ? content_height_ - std::floor(stretched_ / surroundings.ratio) : 0;
  }
  // Whether a finger that lands here drags something, instead of scrolling the page.
  bool grabs_at(float x, float y) const { return mirror_.grabs_at(ImVec2(x, y)); }
  // Whether the wheel zooms there; else it is the page's.
  bool zooms_at(float x, float y) const { return mirror_.zooms_at(ImVec2(x, y)); }
  // The text setting whose field is drawn here and not covered, or nothing.
  std::string text_field_at(float x, float y) const;

  // --- The session ---
  // Starts the first run, after the link was applied. It plays by itself except in an embed
  // and when less motion is wanted.
  void begin();
  void snapshot_arrived(std::span<const std::byte> bytes);
  // The session could not be started, or died.
  void session_failed(std::string_view why);
  // Commands are on their way whose effect has not arrived.
  bool waiting() const { return !link_.answered(link_.sent()); }
  std::uint32_t sent() const { return link_.sent(); }
  bool answered(std::uint32_t id) const { return link_.answered(id); }
  // A model or a text of the user's.
  void load_file(std::string_view name, std::vector<std::byte> bytes);
  // The page was hidden, or is seen again.
  void seen(bool visible) { link_.seen(visible, settings.keep_training); }
  // There is a run from the last visit.
  void offer_kept_run(std::string_view task, std::uint64_t step);
  // The tour was not seen here yet.
  void offer_tour() { offers_tour_ = true, unsettled_ = kSettling; }
  // Asks for the file of the run as it is, to be kept by the platform; take_kept_file() has it
  // when it has come, once.
  void request_keeping() { link_.request_keeping(); }
  std::vector<std::byte> take_kept_file() { return link_.take_kept_file(); }

  // {"type": "set", "name": "pe_d_model", "value": 64} and the like; see docs/ARCHITECTURE.md. The
  // error is a sentence in the language shown.
  Status command(std::string_view json);
  Status perform(const UiCommand& command);
  // A button that is shown, by the name of its action: what its DOM twin does.
  Status press(std::string_view name);
  // A key of the canvas by its DOM name. True when it means something.
  bool key(std::string_view name);
  // A setting as text, from a control or a flag. A bad one changes nothing.
  Status set(std::string_view name, std::string_view text);
  // The same from a link: what is wrong with it is shown on the page.
  void apply(std::string_view name, std::string_view text);
  void notice(std::string text, NoticeTone tone = NoticeTone::kProblem);

  // The settings that differ from what a new visitor gets, as a query string without "?".
  std::string query() const;
  // Plain JSON: what is set and what is shown.
  std::string state_json() const;
  // Plain JSON: the DOM controls and texts that stand for the canvas.
  std::string mirror_json() const;
  // Grows whenever state or mirror may have changed.
  int version() const { return version_; }

  // What scripts ask for, in two calls: the first gives the id of the command that asks. The second
  // has the answer as plain JSON once that is known, before it an empty text.
  std::uint32_t ask_explanation(std::string_view path, int row, int column);
  std::string explanation_json(std::uint32_t id) const;
  std::uint32_t ask_tensors(std::string_view pattern);
  std::string tensors_json(std::string_view pattern, std::uint32_t id);

  Settings settings;
  // What a new visitor gets: the language of the browser, and otherwise the defaults.
  Settings initial;

  const RunView& run() const { return link_.run(); }
  // The language chosen, unless it cannot be drawn yet.
  Language language() const { return lettering_.drawable(settings.language); }

 private:
  bool dark() const;
  float scale() const;
  const Palette& palette() const { return dark() ? kDarkPalette : kLightPalette; }
  void load_fonts();
  Ui begin_frame();
  void finish_frame();
  void settings_changed();
  Properties all_properties();
  ConstProperties all_properties() const;

  // app_layout.cpp
  void draw_page(Ui& ui);
  float draw_tabs(Ui& ui, ImVec2 at, float width);
  float draw_wide(Ui& ui, ImVec2 at, float width, float room);
  float draw_column(Ui& ui, ImVec2 at, float width, float room);
  float draw_chosen(Ui& ui, ImVec2 at, float width, float room);
  void draw_beside(Ui& ui, Panel& panel, Rect rect);

  // app_header.cpp
  float draw_header(Ui& ui);
  void draw_menu(Ui& ui, Rect rect, bool close);
  void draw_choices(Ui& ui, std::span<const char* const> names, Rect rect, bool vertical);

  // app_story.cpp
  float draw_story_line(Ui& ui, ImVec2 at, float width);
  std::vector<Action> story_actions(const Ui& ui) const;
  std::vector<Action> next_actions(const Ui& ui) const;

  // app_margins.cpp
  float draw_lines(Ui& ui, float top, float width);
  void draw_bottom_bar(Ui& ui, float width);
  void draw_footer(Ui& ui, float top);

  // app_tour.cpp
  void go_to_tour(int step);  // 0, or behind the last: closes it
  void stop_offering_tour();
  void draw_tour(Ui& ui);
  void draw_keys(Ui& ui);

  // app_notices.cpp
  struct Card;
  std::vector<Card> cards(const Ui& ui);
  void draw_notices(Ui& ui, float width);
  void draw_card(Ui& ui, Card& card, ImVec2 lower_left, float width);

  // app_commands.cpp
  struct Performer;
  bool means_something(const UiCommand& command) const;

  // app_settings.cpp
  std::string problem_sentence(PropertyProblem problem, const ConstProperty* property,
                               std::string_view name, std::string_view text) const;

  // app_description.cpp
  void describe_shown(JsonWriter& json) const;
  void describe_run(JsonWriter& json) const;
  void describe_control(JsonWriter& json, const ConstProperty& property) const;

  Platform& platform_;
  Graphics graphics_;
  Lettering lettering_;
  Mirror mirror_;
  SessionLink link_;
  PanelList panels_;
  PlayBar play_bar_;
  FlowStrip flow_;
  Diagnosis diagnosis_;  // of the newest snapshot
  Experiments experiments_;
  Notices notices_;
  std::optional<std::pair<std::string, std::uint64_t>> kept_run_;
  Watch watching_;  // what is on the screen, and what was asked for
  Watch asked_;     // by scripts
  bool show_keys_ = false;
  int tour_ = 0;                                  // the step that is shown, from 1; 0: none
  int tour_scrolled_ = 0;                         // the one for which the page was scrolled
  bool offers_tour_ = false;                      // to a new visitor, once
  bool toggle_menu_ = false, menu_open_ = false;  // of a narrow page
  bool task_linked_ = false;                      // the link names one
  double time_ = 0;
  float content_height_ = 0, stretched_ = 0;  // the second is of the chosen panel, and in pixels
  bool style_dirty_ = true;
  static constexpr int kSettling = 3;  // frames that ImGui needs to settle after a change
  int unsettled_ = kSettling;
  int version_ = 0, frames_ = 0;
};

}  // namespace tp::ui
