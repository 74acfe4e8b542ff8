#include "imgui_app/app/app.h"

#include <backends/imgui_impl_opengl3.h>
#include <implot.h>

#include <algorithm>
#include <cmath>

#include "imgui_app/platform/opengl.h"
#include "imgui_app/widgets/controls.h"

namespace tp::ui {
namespace {

constexpr float kLatinLeading = 1.4f, kHangulLeading = 1.55f;

ImVec4 vec4(Colour c, float alpha = 1) {
  return ImVec4(static_cast<float>(c.r) / 255, static_cast<float>(c.g) / 255,
                static_cast<float>(c.b) / 255, alpha);
}

}  // namespace

App::App(Platform& platform) : platform_(platform) {
  ImGui::CreateContext();
  ImPlot::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.ConfigInputTrickleEventQueue = true;
}

App::~App() {
  if (graphics_) {
    heatmaps_.destroy();
    ImGui_ImplOpenGL3_Shutdown();
  }
  ImPlot::DestroyContext();
  ImGui::DestroyContext();
}

bool App::create_graphics() {
  if (!ImGui_ImplOpenGL3_Init(TP_IMGUI_GLSL) || !heatmaps_.create()) return false;
  graphics_ = true;
  style_dirty_ = true;
  unsettled_ = kSettling;
  return true;
}

void App::graphics_lost() {
  if (!graphics_) return;
  heatmaps_.forget();
  ImGui_ImplOpenGL3_Shutdown();
  graphics_ = false;
}

void App::provide_font(FontFile file, std::vector<unsigned char> bytes) {
  fonts_.provide(file, std::move(bytes));
  if (frames_ > 0 && graphics_) update_fonts();  // now, not while a picture is due
  unsettled_ = kSettling;
}

void App::font_failed(FontFile file) {
  if (file == FontFile::kHangul && settings.language == Language::kKorean) {
    settings.language = shown_language_;
    if (requested_for_) requested_for_->first = shown_language_;
  }
  notices_.push_back(tr(Text::korean_font_failed, shown_language_));
  settings_changed();
}

bool App::dark() const {
  return settings.theme == Theme::kSystem ? surroundings.dark : settings.theme == Theme::kDark;
}

float App::scale() const {
  return surroundings.ratio * static_cast<float>(scale_of(settings.text_size));
}

Properties App::all_properties() {
  Properties all = properties(settings);
  for (Property& property : editor_.properties()) all.push_back(std::move(property));
  return all;
}

void App::settings_changed() {
  normalise(settings);
  if (editor_.lacks_material()) {
    editor_.drop_choice();
    notice(tr(Text::lines_wanted, drawable_language()));
  }
  for (Command& command : editor_.changed(run_.running())) {
    if (begun_) send(std::move(command));  // before that, a link is being applied
  }
  style_dirty_ = true;
  unsettled_ = kSettling;
  ++version_;
}

std::string App::text_field_at(float x, float y) const {
  if (ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel)) {
    return {};
  }
  Settings copy = settings;
  Properties table = properties(copy);
  for (Property& property : editor_.properties()) table.push_back(std::move(property));
  for (const Property& property : table) {
    const auto place = mirror_.places().find(std::string(property.name));
    if (property.kind == Property::Kind::kText && place != mirror_.places().end() &&
        place->second.contains(ImVec2(x, y))) {
      return std::string(property.name);
    }
  }
  return {};
}

Language App::drawable_language() const {
  const bool drawable = settings.language != Language::kKorean || fonts_.has(FontFile::kHangul);
  return drawable ? settings.language : shown_language_;
}

// Notes which characters are needed, asks for the files they are in, and changes the language shown
// as soon as it can be drawn, so that there is never an empty box.
void App::update_fonts() {
  if (std::pair now(settings.language, settings.pe.sentence + settings.attempt.input);
      now != requested_for_) {
    // The words of the page and of the sentence, which may be in any language.
    fonts_.want(all_texts(Language::kEnglish));
    if (settings.language == Language::kKorean) fonts_.want(all_texts(Language::kKorean));
    fonts_.want(now.second);
    requested_for_ = std::move(now);
    requested_.clear();
  }
  const float leading = settings.language == Language::kKorean && fonts_.has(FontFile::kHangul)
                            ? kHangulLeading
                            : kLatinLeading;
  if (fonts_.update(scale(), leading)) {
    if (fonts_.builds() > 1) {
      ImGui_ImplOpenGL3_DestroyFontsTexture();
      ImGui_ImplOpenGL3_CreateFontsTexture();
    }
    unsettled_ = kSettling;
  }
  if (const std::optional<FontFile> missing = fonts_.missing()) {
    if (requested_.insert(*missing).second) platform_.request_font(*missing);
  }
  const Language before = shown_language_;
  shown_language_ = drawable_language();
  if (before != shown_language_) ++version_;
}

void App::apply_style() {
  const Palette& p = dark() ? kDarkPalette : kLightPalette;
  const float s = scale();
  ImGuiStyle style;
  style.WindowPadding = ImVec2(16, 16);
  style.FramePadding = ImVec2(10, 8);
  style.ItemSpacing = ImVec2(8, 8);
  style.WindowRounding = style.ChildRounding = style.PopupRounding = style.FrameRounding = 6;
  style.ScrollbarSize = 12;
  style.PopupBorderSize = style.FrameBorderSize = 1;
  style.WindowBorderSize = 0;
  style.ScaleAllSizes(s);
  ImVec4* c = style.Colors;
  c[ImGuiCol_Text] = vec4(p.text);
  c[ImGuiCol_TextDisabled] = vec4(p.muted);
  c[ImGuiCol_WindowBg] = vec4(p.page);
  c[ImGuiCol_PopupBg] = vec4(p.panel);
  c[ImGuiCol_Border] = vec4(p.edge);
  c[ImGuiCol_FrameBg] = vec4(p.panel);
  c[ImGuiCol_FrameBgHovered] = c[ImGuiCol_FrameBgActive] = vec4(p.raised);
  c[ImGuiCol_TextSelectedBg] = vec4(p.accent, 0.35f);
  ImGui::GetStyle() = style;

  heatmaps_.set_colours(ColourMap::kSigned, interpolate_colours(p.map_signed));
  heatmaps_.set_colours(ColourMap::kWeights, interpolate_colours(p.map_weights));
  style_dirty_ = false;
}

bool App::frame(double milliseconds) {
  time_ = milliseconds;
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = ImVec2(std::round(surroundings.width * surroundings.ratio),
                          std::round(surroundings.height * surroundings.ratio));
  io.DisplayFramebufferScale = ImVec2(1, 1);
  io.DeltaTime = 1.0f / 60;
  update_fonts();
  if (style_dirty_) apply_style();
  heatmaps_.begin_frame();
  mirror_.begin_frame();
  const Palette& palette = dark() ? kDarkPalette : kLightPalette;
  Ui ui{.settings = settings,
        .palette = palette,
        .fonts = fonts_,
        .mirror = mirror_,
        .heatmaps = heatmaps_,
        .language = shown_language_,
        .scale = scale(),
        .touch = surroundings.touch || io.DisplaySize.x < 480 * scale(),
        .dom_text_fields = platform_.has_dom_text_fields(),
        .time = time_,
        .reduced_motion = surroundings.reduced_motion};

  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(io.DisplaySize);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::Begin("page", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleVar();
  ImGui::PushFont(fonts_[FontRole::kBody]);
  draw_page(ui);
  ImGui::PopFont();
  ImGui::End();
  ImGui::Render();

  glViewport(0, 0, static_cast<GLsizei>(io.DisplaySize.x), static_cast<GLsizei>(io.DisplaySize.y));
  const ImVec4 page = vec4(palette.page);
  glClearColor(page.x, page.y, page.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());

  if (ui.changed) settings_changed();
  for (const std::string& json : ui.commands) {
    if (Status status = command(json); !status) notice(status.error().message);
  }
  sync_session();
  ++frames_;
  ++version_;
  unsettled_ = fonts_.stale() ? kSettling : std::max(unsettled_ - 1, 0);
  return unsettled_ > 0 || ui.animating;
}

}  // namespace tp::ui
