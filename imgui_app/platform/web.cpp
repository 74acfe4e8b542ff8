// The browser: the page (web/page.js) owns the canvas, the events and the clock, and calls these
// functions. Coordinates arrive in physical pixels of the canvas.

#include <emscripten.h>
#include <emscripten/html5.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "imgui_app/app.h"

namespace tp {
namespace {

// Calls into the page. `Module.host` is the object that web/page.js passes in.
EM_JS(void, host_request_font, (int file, const char* name),
      { Module["host"].requestFont(file, UTF8ToString(name)); });
EM_JS(void, host_open_licences, (), { Module["host"].openLicences(); });

class WebPage : public Platform {
 public:
  void request_font(FontFile file) override {
    host_request_font(static_cast<int>(file), font_file_name(file));
  }
  void open_licences() override { host_open_licences(); }
  bool has_dom_text_fields() const override { return true; }
};

WebPage page;
std::unique_ptr<App> app;
std::string answer;  // the text last handed to the page

const char* hand_over(std::string text) {
  answer = std::move(text);
  return answer.c_str();
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
}  // namespace tp

using namespace tp;

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
                                          float ratio, bool dark, bool touch) {
  app->surroundings = {.width = width,
                       .height = height,
                       .ratio = ratio,
                       .visible_height = visible_height,
                       .dark = dark,
                       .touch = touch};
  app->surroundings_changed();
}

EMSCRIPTEN_KEEPALIVE void tp_font(int file, const unsigned char* bytes, int size) {
  app->provide_font(static_cast<FontFile>(file), {bytes, bytes + size});
}
EMSCRIPTEN_KEEPALIVE void tp_font_failed(int file) {
  app->font_failed(static_cast<FontFile>(file));
}

EMSCRIPTEN_KEEPALIVE bool tp_frame() { return app->frame(); }
EMSCRIPTEN_KEEPALIVE float tp_content_height() { return app->content_height(); }
EMSCRIPTEN_KEEPALIVE int tp_version() { return app->version(); }

EMSCRIPTEN_KEEPALIVE void tp_pointer(float x, float y) {
  ImGui::GetIO().AddMousePosEvent(x, y);
  app->input_arrived();
}
EMSCRIPTEN_KEEPALIVE void tp_pointer_left() { tp_pointer(-FLT_MAX, -FLT_MAX); }
EMSCRIPTEN_KEEPALIVE void tp_button(bool down) {
  ImGui::GetIO().AddMouseButtonEvent(0, down);
  app->input_arrived();
}
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

EMSCRIPTEN_KEEPALIVE void tp_apply(const char* name, const char* text) { app->apply(name, text); }
// The sentence that says what was wrong, or an empty text.
EMSCRIPTEN_KEEPALIVE const char* tp_command(const char* json) {
  const Status status = app->command(json);
  return hand_over(status ? std::string() : status.error().message);
}
EMSCRIPTEN_KEEPALIVE const char* tp_state() { return hand_over(app->state_json()); }
EMSCRIPTEN_KEEPALIVE const char* tp_mirror() { return hand_over(app->mirror_json()); }

}  // extern "C"
