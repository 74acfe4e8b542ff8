#include "tests/app/panel_stage.h"

#include <backends/imgui_impl_opengl3.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "imgui_app/platform/opengl.h"
#include "tests/subjects/command_text.h"

namespace tp::ui {

PanelStage::PanelStage(int width, int height)
    : width_(width),
      height_(height),
      window_(std::make_unique<NativeWindow>(width, height, TP_FONT_FOLDER, false)) {
  if (!ok()) return;
  heatmaps.create();
  for (int i = 0; i < kFontFiles; ++i) {
    const auto file = static_cast<FontFile>(i);
    std::ifstream stream(std::string(TP_FONT_FOLDER "/") + font_file_name(file), std::ios::binary);
    fonts.provide(file, {std::istreambuf_iterator<char>(stream), {}});
  }
}

bool PanelStage::frame(const Draw& draw, Rect rect) {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = ImVec2(static_cast<float>(width_), static_cast<float>(height_));
  io.DeltaTime = 0.02f;
  const bool korean = settings.language == Language::kKorean;
  fonts.want(all_texts(Language::kEnglish) + all_texts(Language::kKorean));
  if (fonts.update(scale, korean ? 1.55f : 1.4f) && fonts.builds() > 1) {
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
  }
  const Palette& palette = dark ? kDarkPalette : kLightPalette;
  heatmaps.set_colours(ColourMap::kSigned, interpolate_colours(palette.map_signed));
  heatmaps.set_colours(ColourMap::kWeights, interpolate_colours(palette.map_weights));
  heatmaps.begin_frame();
  mirror.begin_frame();
  Ui ui{.settings = settings,
        .palette = palette,
        .fonts = fonts,
        .mirror = mirror,
        .heatmaps = heatmaps,
        .language = settings.language,
        .scale = scale,
        .touch = touch,
        .dom_text_fields = true,
        .time = time,
        .reduced_motion = reduced_motion};
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(io.DisplaySize);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::Begin("stage", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
  ImGui::PopStyleVar();
  ImGui::PushFont(fonts[FontRole::kBody]);
  ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(0, 0), io.DisplaySize, ui.colour(palette.page));
  draw(ui, rect);
  ImGui::PopFont();
  ImGui::End();
  ImGui::Render();
  if (!blind) {
    glViewport(0, 0, width_, height_);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  }
  for (const UiCommand& command : ui.commands) commands.push_back(as_json(command));
  time += 20;
  return ui.animating || ui.changed || fonts.stale();
}

void PanelStage::settle(const Draw& draw, Rect rect, const std::string& name) {
  for (int still = 0; still < 3;) still = frame(draw, rect) ? 0 : still + 1;
  if (blind) return;
  pixels_.resize(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_) * 3);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadBuffer(GL_BACK);
  glReadPixels(0, 0, width_, height_, GL_RGB, GL_UNSIGNED_BYTE, pixels_.data());
  const char* folder = std::getenv("TP_PICTURES");
  if (folder == nullptr || name.empty()) return;
  std::ofstream file(std::string(folder) + "/" + name + ".ppm", std::ios::binary);
  file << "P6\n" << width_ << " " << height_ << "\n255\n";
  const auto row = static_cast<std::streamsize>(width_) * 3;
  for (int y = height_; y-- > 0;) {
    file.write(reinterpret_cast<const char*>(pixels_.data()) + row * y, row);
  }
}

Colour PanelStage::pixel(float x, float y) const {
  const auto row = static_cast<std::size_t>(height_ - 1 - static_cast<int>(y));
  const std::size_t at = 3 * (row * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x));
  return {pixels_[at], pixels_[at + 1], pixels_[at + 2]};
}

const std::string* PanelStage::readout(const std::string& name) const {
  for (const Readout& readout : mirror.readouts()) {
    if (readout.name == name) return &readout.text;
  }
  return nullptr;
}

std::vector<std::string> PanelStage::badly_placed(Rect rect) const {
  std::vector<std::string> found;
  const std::vector<DrawnText>& texts = mirror.texts();
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Rect& a = texts[i].rect;
    if (texts[i].text.ends_with("…")) found.push_back("shortened: " + texts[i].text);
    if (a.min.x < rect.min.x - 1 || a.max.x > rect.max.x + 1 || a.min.y < rect.min.y - 1 ||
        a.max.y > rect.max.y + 1) {
      found.push_back("outside: " + texts[i].text);
    }
    for (std::size_t j = 0; j < i; ++j) {
      const Rect& b = texts[j].rect;
      const float across = std::min(a.max.x, b.max.x) - std::max(a.min.x, b.min.x);
      const float down = std::min(a.max.y, b.max.y) - std::max(a.min.y, b.min.y);
      const float air = 0.25f * std::min(a.height(), b.height());  // above and below the letters
      if (across > 1 && down > air) {
        found.push_back(texts[i].text + " over " + texts[j].text);
      }
    }
  }
  return found;
}

void PanelStage::point(float x, float y) { ImGui::GetIO().AddMousePosEvent(x, y); }

void PanelStage::click(const Draw& draw, Rect rect, float x, float y) {
  point(x, y);
  settle(draw, rect);
  for (const bool down : {true, false}) {
    ImGui::GetIO().AddMouseButtonEvent(0, down);
    settle(draw, rect);
  }
}

}  // namespace tp::ui
