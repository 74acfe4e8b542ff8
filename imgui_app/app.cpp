#include "imgui_app/app.h"

#include <backends/imgui_impl_opengl3.h>
#include <implot.h>

#include <algorithm>
#include <cmath>

#include "imgui_app/platform/opengl.h"
#include "imgui_app/widgets/controls.h"

namespace tp {
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
  unsettled_ = kSettling;
}

void App::font_failed(FontFile file) {
  if (file == FontFile::kHangul && settings.language == Language::kKorean) {
    settings.language = requested_for_.first = shown_language_;
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

void App::settings_changed() {
  normalise(settings);
  style_dirty_ = true;
  unsettled_ = kSettling;
  ++version_;
}

std::string App::text_field_at(float x, float y) const {
  if (ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel)) {
    return {};
  }
  Settings copy = settings;
  for (const Property& property : properties(copy)) {
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
  // The words of the page and of the sentence, which may be in any language.
  fonts_.want(all_texts(Language::kEnglish));
  fonts_.want(settings.pe.sentence);
  if (settings.language == Language::kKorean) fonts_.want(all_texts(Language::kKorean));
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
  if (std::pair now(settings.language, settings.pe.sentence); now != requested_for_) {
    requested_for_ = std::move(now);
    requested_.clear();
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

  ImPlotStyle plot;
  plot.PlotPadding = ImVec2(2 * s, 4 * s);
  plot.LabelPadding = ImVec2(4 * s, 4 * s);
  plot.PlotBorderSize = 0;
  plot.MajorTickLen = plot.MinorTickLen = ImVec2(0, 0);
  plot.MajorGridSize = plot.MinorGridSize = ImVec2(std::max(1.0f, s), std::max(1.0f, s));
  plot.MinorAlpha = 0;
  plot.Colors[ImPlotCol_FrameBg] = plot.Colors[ImPlotCol_PlotBg] = vec4(p.panel, 0);
  plot.Colors[ImPlotCol_AxisText] = vec4(p.muted);
  plot.Colors[ImPlotCol_AxisGrid] = vec4(p.hairline, 0.7f);
  plot.Colors[ImPlotCol_AxisBg] = plot.Colors[ImPlotCol_AxisBgHovered] =
      plot.Colors[ImPlotCol_AxisBgActive] = vec4(p.panel, 0);
  plot.Colors[ImPlotCol_PlotBorder] = vec4(p.hairline);
  ImPlot::GetStyle() = plot;

  heatmaps_.set_colours(ColourMap::kSigned, interpolate_colours(p.map_signed));
  heatmaps_.set_colours(ColourMap::kWeights, interpolate_colours(p.map_weights));
  style_dirty_ = false;
}

bool App::frame() {
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
        .dom_text_fields = platform_.has_dom_text_fields()};

  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(io.DisplaySize);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::Begin("page", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse |
                   ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleVar();
  ImGui::PushFont(fonts_[FontRole::kBody]);

  const float margin = ui.px(io.DisplaySize.x < ui.px(500) ? 8 : 16), footer = ui.px(32);
  const float width = io.DisplaySize.x - 2 * margin;
  float y = draw_header(ui);
  const ImVec2 story = ui.text(ImVec2(margin, y + ui.px(8)), FontRole::kBody, palette.text,
                               ui.tr(Text::positions_story), {.wrap_width = width});
  y += story.y + ui.px(16);
  y = draw_notices(ui, y, width);
  const float visible = surroundings.visible_height * surroundings.ratio;
  y = positions_.draw(ui, ImVec2(margin, y), width, visible - y - footer - ui.px(4));
  draw_footer(ui, y + ui.px(4));
  content_height_ = std::ceil((y + ui.px(4) + footer) / surroundings.ratio);

  ImGui::PopFont();
  ImGui::End();
  ImGui::Render();

  glViewport(0, 0, static_cast<GLsizei>(io.DisplaySize.x), static_cast<GLsizei>(io.DisplaySize.y));
  const ImVec4 page = vec4(palette.page);
  glClearColor(page.x, page.y, page.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());

  if (ui.changed) settings_changed();
  ++frames_;
  ++version_;
  return --unsettled_ > 0;
}

float App::draw_header(Ui& ui) {
  const float width = ImGui::GetIO().DisplaySize.x, height = ui.px(ui.touch ? 52 : 48);
  const float margin = ui.px(width < ui.px(500) ? 12 : 16), control = control_height(ui);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(ImVec2(0, 0), ImVec2(width, height), ui.colour(ui.palette.panel));
  list.AddLine(ImVec2(0, height), ImVec2(width, height), ui.colour(ui.palette.hairline));
  const float line = ui.measure(FontRole::kHeading, " ").y;
  const ImVec2 name = ui.text(ImVec2(margin, (height - line) / 2), FontRole::kHeading,
                              ui.palette.text, ui.tr(Text::app_name));
  const float top = (height - control) / 2;
  if (width >= ui.px(840)) {
    draw_header_controls(
        ui, {ImVec2(margin + name.x + ui.px(24), top), ImVec2(width - margin, top + control)},
        false);
    return height;
  }
  const float menu = ui.measure(FontRole::kLabel, ui.tr(Text::menu)).x + ui.px(24);
  if (quiet_button(ui, "menu", ui.tr(Text::menu),
                   {ImVec2(width - margin - menu, top), ImVec2(width - margin, top + control)})) {
    ImGui::OpenPopup("menu of settings");
  }
  const float popup = std::min(width - 2 * margin, ui.px(280));
  ImGui::SetNextWindowPos(ImVec2(width - margin - popup, height + ui.px(4)));
  ImGui::SetNextWindowSize(ImVec2(popup, 3 * control + ui.px(48)));
  if (ImGui::BeginPopup("menu of settings", ImGuiWindowFlags_NoMove)) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_header_controls(ui, {at, ImVec2(at.x + popup - ui.px(32), at.y + control)}, true);
    ImGui::EndPopup();
  }
  return height;
}

void App::draw_header_controls(Ui& ui, Rect rect, bool vertical) {
  const Properties table = properties(settings);
  const float gap = ui.px(vertical ? 8 : 16);
  float x = rect.max.x, y = rect.min.y;
  const char* names[] = {"text_size", "language", "theme"};
  if (!vertical) std::reverse(std::begin(names), std::end(names));
  for (const char* name : names) {
    const Property& property = *find_property(table, name);
    if (vertical) {
      combo_box(ui, property, {ImVec2(rect.min.x, y), ImVec2(rect.max.x, y + rect.height())});
      y += rect.height() + gap;
      continue;
    }
    float widest = 0;
    for (int i = 0; i < std::ssize(property.choices); ++i) {
      widest = std::max(widest, ui.measure(FontRole::kBody, choice_label(ui, property, i)).x);
    }
    const float width = ui.measure(FontRole::kLabel, label_of(ui, property)).x + widest + ui.px(52);
    combo_box(ui, property, {ImVec2(x - width, y), ImVec2(x, rect.max.y)});
    x -= width + gap;
  }
}

float App::draw_notices(Ui& ui, float top, float width) {
  const float left = (ImGui::GetIO().DisplaySize.x - width) / 2;
  std::vector<std::string> shown = notices_;
  if (settings.language != shown_language_) shown.push_back(ui.tr(Text::korean_font_loading));
  for (size_t i = 0; i < shown.size(); ++i) {
    const bool closable = i < notices_.size();
    const float close =
        closable ? ui.measure(FontRole::kLabel, ui.tr(Text::close)).x + ui.px(16) : 0;
    const float wrap = width - ui.px(24) - close;
    const ImVec2 size = ui.measure(FontRole::kBody, shown[i], wrap);
    const float height = std::max(size.y + ui.px(16), closable ? control_height(ui) : 0);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Rect rect{ImVec2(left, top), ImVec2(left + width, top + height)};
    list.AddRectFilled(rect.min, rect.max, ui.colour(ui.palette.raised), ui.px(6));
    list.AddRectFilled(rect.min, ImVec2(rect.min.x + ui.px(4), rect.max.y),
                       ui.colour(ui.palette.warning), ui.px(6), ImDrawFlags_RoundCornersLeft);
    ui.text(ImVec2(rect.min.x + ui.px(16), rect.min.y + (height - size.y) / 2), FontRole::kBody,
            ui.palette.text, shown[i], {.wrap_width = wrap});
    if (closable && quiet_button(ui, "close_notice_" + std::to_string(i), ui.tr(Text::close),
                                 {ImVec2(rect.max.x - close, rect.min.y), rect.max})) {
      notices_.erase(notices_.begin() + static_cast<std::ptrdiff_t>(i));
      unsettled_ = kSettling;
    }
    top = rect.max.y + ui.px(8);
  }
  return top;
}

void App::draw_footer(Ui& ui, float top) {
  const float margin = ui.px(16), height = ui.px(24), width = ImGui::GetIO().DisplaySize.x;
  const float button = ui.measure(FontRole::kLabel, ui.tr(Text::licences)).x + ui.px(16);
  const float line = ui.measure(FontRole::kLabel, " ").y;
  ui.text(ImVec2(margin, top + (height - line) / 2), FontRole::kLabel, ui.palette.muted,
          ui.tr(Text::privacy), {.max_width = width - 2 * margin - button});
  if (quiet_button(ui, "licences", ui.tr(Text::licences),
                   {ImVec2(width - margin - button, top), ImVec2(width - margin, top + height)})) {
    platform_.open_licences();
  }
}

}  // namespace tp
