// The browser: the page (web/page.js) owns the canvas, the events and the clock, and calls these
// functions. Coordinates arrive in physical pixels of the canvas.

#include <emscripten.h>
#include <emscripten/html5.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "imgui_app/app/app.h"
#include "imgui_app/strings/korean_texts.h"

namespace tp::ui {
namespace {

// Calls into the page. `Module.host` is the object that web/page.js passes in.
EM_JS(void, host_frame_in, (double milliseconds), { Module["host"].frameIn(milliseconds); });
EM_JS(void, host_request_font, (int file, const char* name),
      { Module["host"].requestFont(file, UTF8ToString(name)); });
EM_JS(void, host_open_licences, (), { Module["host"].openLicences(); });
EM_JS(void, host_send, (const void* bytes, size_t size),
      { Module["host"].send(HEAPU8.subarray(bytes, bytes + size)); });
EM_JS(void, host_save_file, (const char* name, const void* bytes, size_t size),
      { Module["host"].saveFile(UTF8ToString(name), HEAPU8.slice(bytes, bytes + size)); });
EM_JS(void, host_save_picture, (const char* name, float x, float y, float width, float height),
      { Module["host"].savePicture(UTF8ToString(name), x, y, width, height); });
EM_JS(void, host_choose_file, (), { Module["host"].chooseFile(); });
EM_JS(void, host_edit_lines,
      (const char* lines, const char* title, const char* learn, const char* close), {
        Module["host"].editLines(UTF8ToString(lines), UTF8ToString(title), UTF8ToString(learn),
                                 UTF8ToString(close));
      });
EM_JS(void, host_copy_text, (const char* text), { Module["host"].copyText(UTF8ToString(text)); });
EM_JS(void, host_copy_link, (const char* query), { Module["host"].copyLink(UTF8ToString(query)); });
EM_JS(void, host_open_full_page, (const char* query),
      { Module["host"].openFullPage(UTF8ToString(query)); });
EM_JS(void, host_take_kept_run, (bool wanted), { Module["host"].takeKeptRun(wanted); });
EM_JS(void, host_tour_seen, (), { Module["host"].tourSeen(); });
EM_JS(void, host_scroll_to, (float top), { Module["host"].scrollTo(top); });

class WebPage : public Platform {
 public:
  void frame_in(double milliseconds) override { host_frame_in(milliseconds); }
  void request_font(FontFile file) override {
    host_request_font(static_cast<int>(file), font_file_name(file));
  }
  void open_licences() override { host_open_licences(); }
  bool has_dom_text_fields() const override { return true; }
  void send(std::vector<std::byte> command) override { host_send(command.data(), command.size()); }
  void save_file(const std::string& name, std::span<const std::byte> bytes) override {
    host_save_file(name.c_str(), bytes.data(), bytes.size());
  }
  void save_picture(const std::string& name, Rect rect) override {
    host_save_picture(name.c_str(), rect.min.x, rect.min.y, rect.width(), rect.height());
  }
  void choose_file() override { host_choose_file(); }
  void edit_lines(const std::string& lines, const char* title, const char* learn,
                  const char* close) override {
    host_edit_lines(lines.c_str(), title, learn, close);
  }
  void copy_text(const std::string& text) override { host_copy_text(text.c_str()); }
  void copy_link(const std::string& query) override { host_copy_link(query.c_str()); }
  void open_full_page(const std::string& query) override { host_open_full_page(query.c_str()); }
  void take_kept_run(bool wanted) override { host_take_kept_run(wanted); }
  void tour_seen() override { host_tour_seen(); }
  void scroll_to(float top) override { host_scroll_to(top); }
};

WebPage page;
std::unique_ptr<App> app;
std::string answer;  // the text last handed to the page
std::vector<std::byte> kept_file;

const char* hand_over(std::string text) {
  answer = std::move(text);
  return answer.c_str();
}

const char* hand_over(const Status& status) {
  return hand_over(status ? std::string() : status.error().message);
}

bool make_context() {
  EmscriptenWebGLContextAttributes attributes;
  emscripten_webgl_init_context_attributes(&attributes);
  attributes.majorVersion = 2;
  attributes.alpha = attributes.depth = attributes.stencil = attributes.antialias = false;
  const auto context = emscripten_webgl_create_context("#canvas", &attributes);
  return context > 0 && emscripten_webgl_make_context_current(context) == EMSCRIPTEN_RESULT_SUCCESS;
}

}  // namespace
}  // namespace tp::ui

using namespace tp;
using namespace tp::ui;

extern "C" {

// False when WebGL 2 is not there.
EMSCRIPTEN_KEEPALIVE bool tp_start(const char* language) {
  app = std::make_unique<App>(page);
  if (std::string_view(language) == "ko") app->settings.language = Language::kKorean;
  app->initial = app->settings;
  return make_context() && app->create_graphics();
}

EMSCRIPTEN_KEEPALIVE void tp_context_lost() { app->graphics_lost(); }
EMSCRIPTEN_KEEPALIVE bool tp_context_restored() { return app->create_graphics(); }

EMSCRIPTEN_KEEPALIVE void tp_surroundings(float width, float height, float visible_height,
                                          float ratio, bool dark, bool touch, bool reduced_motion) {
  app->surroundings = {.width = width,
                       .height = height,
                       .ratio = ratio,
                       .visible_height = visible_height,
                       .scroll_top = app->surroundings.scroll_top,
                       .dark = dark,
                       .touch = touch,
                       .reduced_motion = reduced_motion};
  app->surroundings_changed();
}
EMSCRIPTEN_KEEPALIVE void tp_scrolled(float top) {
  app->surroundings.scroll_top = top;
  app->input_arrived();
}

// The session.
EMSCRIPTEN_KEEPALIVE void tp_begin() { app->begin(); }
EMSCRIPTEN_KEEPALIVE void tp_snapshot(const std::byte* bytes, size_t size) {
  app->snapshot_arrived({bytes, size});
}
EMSCRIPTEN_KEEPALIVE void tp_session_failed(const char* why) { app->session_failed(why); }
EMSCRIPTEN_KEEPALIVE unsigned tp_sent() { return app->sent(); }
EMSCRIPTEN_KEEPALIVE bool tp_answered(unsigned id) { return app->answered(id); }
EMSCRIPTEN_KEEPALIVE bool tp_running() { return app->run().running(); }
EMSCRIPTEN_KEEPALIVE bool tp_flat_out() {
  return app->run().running() && steps_per_second_of(app->settings.pace) == 0;
}
EMSCRIPTEN_KEEPALIVE void tp_load_file(const char* name, const std::byte* bytes, size_t size) {
  app->load_file(name, {bytes, bytes + size});
}
EMSCRIPTEN_KEEPALIVE void tp_seen(bool visible) { app->seen(visible); }
EMSCRIPTEN_KEEPALIVE void tp_offer_kept_run(const char* task, double step) {
  app->offer_kept_run(task, static_cast<std::uint64_t>(step));
}
EMSCRIPTEN_KEEPALIVE void tp_offer_tour() { app->offer_tour(); }
EMSCRIPTEN_KEEPALIVE void tp_request_keeping() { app->request_keeping(); }
// How many bytes there are to keep; they stand at tp_kept_file() until the next call.
EMSCRIPTEN_KEEPALIVE size_t tp_take_kept_file() {
  kept_file = app->take_kept_file();
  return kept_file.size();
}
EMSCRIPTEN_KEEPALIVE const std::byte* tp_kept_file() { return kept_file.data(); }
EMSCRIPTEN_KEEPALIVE void tp_link_copied(bool worked) {
  app->notice(tr(worked ? Text::link_copied : Text::clipboard_failed, app->language()),
              worked ? NoticeTone::kGood : NoticeTone::kProblem);
}

EMSCRIPTEN_KEEPALIVE void tp_font(int file, const unsigned char* bytes, int size) {
  app->provide_font(static_cast<FontFile>(file), {bytes, bytes + size});
}
// Before the Korean font.
EMSCRIPTEN_KEEPALIVE void tp_korean_texts(const char* bytes, size_t size) {
  read_korean_texts({bytes, size});
}
EMSCRIPTEN_KEEPALIVE void tp_font_failed(int file) {
  app->font_failed(static_cast<FontFile>(file));
}

EMSCRIPTEN_KEEPALIVE bool tp_frame(double now) { return app->frame(now); }
EMSCRIPTEN_KEEPALIVE float tp_content_height() { return app->content_height(); }
EMSCRIPTEN_KEEPALIVE float tp_wanted_height() { return app->wanted_height(); }
EMSCRIPTEN_KEEPALIVE int tp_version() { return app->version(); }

EMSCRIPTEN_KEEPALIVE void tp_pointer(float x, float y) {
  ImGui::GetIO().AddMousePosEvent(x, y);
  app->input_arrived();
}
EMSCRIPTEN_KEEPALIVE void tp_pointer_left() { tp_pointer(-FLT_MAX, -FLT_MAX); }
EMSCRIPTEN_KEEPALIVE void tp_button(bool down, bool finger) {
  // A finger presses where nothing hovered: ImGui then lets it hover for a frame first.
  ImGui::GetIO().AddMouseSourceEvent(finger ? ImGuiMouseSource_TouchScreen
                                            : ImGuiMouseSource_Mouse);
  ImGui::GetIO().AddMouseButtonEvent(0, down);
  app->input_arrived();
}
// False: nothing there zooms, the wheel is the page's.
EMSCRIPTEN_KEEPALIVE bool tp_wheel(float x, float y, float notches) {
  if (!app->zooms_at(x, y)) return false;
  ImGui::GetIO().AddMouseWheelEvent(0, notches);
  app->input_arrived();
  return true;
}
EMSCRIPTEN_KEEPALIVE bool tp_key(const char* name) { return app->key(name); }
EMSCRIPTEN_KEEPALIVE void tp_escape() {
  ImGui::GetIO().AddKeyEvent(ImGuiKey_Escape, true);
  ImGui::GetIO().AddKeyEvent(ImGuiKey_Escape, false);
  app->input_arrived();
}
EMSCRIPTEN_KEEPALIVE int tp_cursor() { return ImGui::GetMouseCursor(); }
EMSCRIPTEN_KEEPALIVE bool tp_grabs_at(float x, float y) { return app->grabs_at(x, y); }
EMSCRIPTEN_KEEPALIVE const char* tp_text_field_at(float x, float y) {
  return hand_over(app->text_field_at(x, y));
}

// These answer with the sentence that says what was wrong, or an empty text.
EMSCRIPTEN_KEEPALIVE const char* tp_command(const char* json) {
  return hand_over(app->command(json));
}
EMSCRIPTEN_KEEPALIVE const char* tp_press(const char* name) { return hand_over(app->press(name)); }
EMSCRIPTEN_KEEPALIVE const char* tp_set(const char* name, const char* text) {
  return hand_over(app->set(name, text));
}
EMSCRIPTEN_KEEPALIVE void tp_apply(const char* name, const char* text) { app->apply(name, text); }
EMSCRIPTEN_KEEPALIVE const char* tp_state() { return hand_over(app->state_json()); }
EMSCRIPTEN_KEEPALIVE const char* tp_mirror() { return hand_over(app->mirror_json()); }

// Questions: the first of each pair gives an id, the second the answer when it is known.
EMSCRIPTEN_KEEPALIVE unsigned tp_ask_explanation(const char* path, int row, int column) {
  return app->ask_explanation(path, row, column);
}
EMSCRIPTEN_KEEPALIVE const char* tp_explanation(unsigned id) {
  return hand_over(app->explanation_json(id));
}
EMSCRIPTEN_KEEPALIVE unsigned tp_ask_tensors(const char* pattern) {
  return app->ask_tensors(pattern);
}
EMSCRIPTEN_KEEPALIVE const char* tp_tensors(const char* pattern, unsigned id) {
  return hand_over(app->tensors_json(pattern, id));
}

}  // extern "C"
