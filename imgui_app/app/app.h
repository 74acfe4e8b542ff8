#pragma once

#include <imgui.h>

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/result.h"
#include "engine/session/command.h"
#include "imgui_app/app/flow_strip.h"
#include "imgui_app/app/play_bar.h"
#include "imgui_app/draw/ui.h"
#include "imgui_app/model/run_editor.h"
#include "imgui_app/model/run_view.h"
#include "imgui_app/panels/attention_panel.h"
#include "imgui_app/panels/curves_panel.h"
#include "imgui_app/panels/positions_panel.h"
#include "imgui_app/panels/setup_panel.h"
#include "imgui_app/panels/try_panel.h"
#include "imgui_app/platform/platform.h"

namespace tp::ui {

class JsonWriter;

// The user interface, without a window: settings and snapshots in, pictures, commands and a
// description of them out. It keeps no clock and asks for no frames; the platform calls frame()
// when something happened.
//
//   app.cpp           life, fonts, style, the frame
//   app_layout.cpp    where everything is at each size
//   app_run.cpp       the session's side: what is sent, what arrives
//   app_protocol.cpp  commands, keys, settings by name, the link
//   app_description.cpp  state and DOM mirror, as JSON
class App {
 public:
  explicit App(Platform& platform);
  ~App();

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
  // The context is gone and took its objects along; create_graphics() follows when it is back.
  void graphics_lost();

  void provide_font(FontFile file, std::vector<unsigned char> bytes);
  void font_failed(FontFile file);

  // Draws one picture. True when another one should follow at once (something is still settling or
  // moving). `milliseconds` never goes back.
  bool frame(double milliseconds);

  // The height that the content needs at this width, in CSS pixels, known after frame().
  float content_height() const { return content_height_; }
  // Whether a finger that lands here drags something, instead of scrolling the page.
  bool grabs_at(float x, float y) const { return mirror_.grabs_at(ImVec2(x, y)); }
  // Whether the wheel zooms there; else it is the page's.
  bool zooms_at(float x, float y) const { return mirror_.zooms_at(ImVec2(x, y)); }
  // The text setting whose field is drawn here and not covered, or nothing.
  std::string text_field_at(float x, float y) const;

  // --- The session ---
  // Starts the first run, after the link was applied. By itself it plays only where somebody sees
  // it: not in an embed, and not when less motion is wanted.
  void begin();
  void snapshot_arrived(std::span<const std::byte> bytes);
  // The session could not be started, or died.
  void session_failed(std::string_view why);
  // Commands are on their way whose effect has not arrived.
  bool waiting() const { return !answered(sent_); }
  std::uint32_t sent() const { return sent_; }
  bool answered(std::uint32_t id) const;
  // A model or a text of the user's.
  void load_file(std::string_view name, std::vector<std::byte> bytes);
  // The page was hidden, or is seen again.
  void seen(bool visible);
  // There is a run from the last visit.
  void offer_kept_run(std::string_view task, std::uint64_t step);
  // Asks for the file of the run as it is, to be kept by the platform (see Platform::save_file).
  void request_keeping();
  // What the last snapshot brought for that, once; empty when there is none.
  std::vector<std::byte> take_kept_file() { return std::exchange(kept_file_, {}); }

  // {"type": "set", "name": "pe_d_model", "value": 64} and the like; see docs/ARCHITECTURE.md. The
  // error is a sentence in the language shown.
  Status command(std::string_view json);
  // A key of the canvas by its DOM name. True when it means something.
  bool key(std::string_view name);
  // A setting as text, from a control or a flag. A bad one changes nothing.
  Status set(std::string_view name, std::string_view text);
  // The same from a link: what is wrong with it is shown on the page.
  void apply(std::string_view name, std::string_view text);
  void notice(std::string text);

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

  const RunView& run() const { return run_; }
  Language language() const { return drawable_language(); }

 private:
  // The language chosen, unless it cannot be drawn yet.
  Language drawable_language() const;
  std::string problem_sentence(PropertyProblem problem, const Property* property,
                               std::string_view name, std::string_view text) const;
  Properties all_properties();
  void settings_changed();
  void update_fonts();
  bool dark() const;
  float scale() const;
  void apply_style();

  // app_layout.cpp
  void draw_page(Ui& ui);
  float draw_header(Ui& ui);
  void draw_menu(Ui& ui, Rect rect, bool close);
  void draw_choices(Ui& ui, std::span<const char* const> names, Rect rect, bool vertical);
  float draw_story_line(Ui& ui, ImVec2 at, float width);
  float draw_notices(Ui& ui, float top, float width);
  float draw_tabs(Ui& ui, ImVec2 at, float width);
  float draw_wide(Ui& ui, ImVec2 at, float width, float room);
  float draw_column(Ui& ui, ImVec2 at, float width, float room);
  void draw_panel(Ui& ui, Panel panel, Rect rect, bool complete);
  ModelPositions model_positions() const;
  void draw_bottom_bar(Ui& ui, float width);
  void draw_footer(Ui& ui, float top);
  void draw_keys(Ui& ui);

  // app_run.cpp
  void send(Command command);
  bool plays_by_itself() const;
  void sync_session();
  void try_input(bool again);
  void tell_problems(const Snapshot& snapshot);
  void settings_arrived(const std::string& config, std::uint32_t refused, bool is_new, bool adopt);
  std::uint32_t watched() const;
  void start(std::string_view task, std::string_view preset, bool play);
  void rewind_by(int places);

  // app_protocol.cpp
  bool plain_command(std::string_view type);
  Status reset_settings(const std::string& name);
  Status type_word(const std::string& word);

  // app_description.cpp
  void describe_shown(JsonWriter& json) const;
  void describe_run(JsonWriter& json) const;
  void describe_control(JsonWriter& json, const Property& property) const;

  Platform& platform_;
  Fonts fonts_;
  Mirror mirror_;
  HeatmapRenderer heatmaps_;
  PositionsPanel positions_;
  AttentionPanel attention_;
  CurvesPanel curves_;
  TryPanel try_;
  SetupPanel setup_;
  PlayBar play_bar_;
  FlowStrip flow_;
  mutable RunEditor editor_;  // reading its tables needs addresses that could be written to
  RunView run_;

  Language shown_language_ = Language::kEnglish;
  std::set<FontFile> requested_;  // also those that failed, until the language or a text changes
  std::optional<std::pair<Language, std::string>> requested_for_;
  std::vector<std::string> notices_;
  std::string failure_;  // the one of them that says what stopped the run
  std::optional<std::pair<std::string, std::uint64_t>> kept_run_;
  std::vector<std::byte> kept_file_;
  bool show_keys_ = false;
  bool toggle_menu_ = false, menu_open_ = false;  // of a narrow page
  bool wide_ = true;                              // several columns at the last frame

  std::uint32_t sent_ = 0;        // id of the last command
  std::uint32_t started_ = 0;     // of the last that starts a run
  std::uint32_t keeping_ = 0;     // the save whose file is to be kept, not handed out
  std::uint32_t adopt_ = 0;       // the file that the controls follow once it runs
  std::string offered_material_;  // that file, where it is a text
  bool begun_ = false;
  bool task_linked_ = false;  // the link names one
  bool rests_ = false;        // paused because nobody sees it
  struct Told {               // what the session was told last
    double pace = -1;
    std::uint32_t watch = ~0u;
    int example = 0;
    std::string input;
    double temperature = 0;
    int top_k = 0;
    bool operator==(const Told&) const = default;
  };
  Told told_;
  int rolls_ = 0;
  double time_ = 0, tried_at_ = 0;
  std::uint64_t tried_step_ = 0;
  std::string last_error_;

  float content_height_ = 0;
  bool graphics_ = false, style_dirty_ = true;
  static constexpr int kSettling = 3;  // frames that ImGui needs to settle after a change
  int unsettled_ = kSettling;
  int version_ = 0, frames_ = 0;
};

}  // namespace tp::ui
