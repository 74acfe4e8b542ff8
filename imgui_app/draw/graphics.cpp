#include "imgui_app/draw/graphics.h"

#include <backends/imgui_impl_opengl3.h>
#include <implot.h>

#include "imgui_app/platform/opengl.h"

namespace tp::ui {

DrawingContexts::DrawingContexts() {
  ImGui::CreateContext();
  ImPlot::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.ConfigInputTrickleEventQueue = true;
}

DrawingContexts::~DrawingContexts() {
  ImPlot::DestroyContext();
  ImGui::DestroyContext();
}

Graphics::~Graphics() {
  if (!there_) return;
  heatmaps_.destroy();
  ImGui_ImplOpenGL3_Shutdown();
}

bool Graphics::create() {
  there_ = ImGui_ImplOpenGL3_Init(TP_IMGUI_GLSL) && heatmaps_.create();
  return there_;
}

void Graphics::lost() {
  if (!there_) return;
  heatmaps_.forget();
  ImGui_ImplOpenGL3_Shutdown();
  there_ = false;
}

void Graphics::set_colours(const Palette& palette) {
  heatmaps_.set_colours(ColourMap::kSigned, interpolate_colours(palette.map_signed));
  heatmaps_.set_colours(ColourMap::kWeights, interpolate_colours(palette.map_weights));
}

void Graphics::renew_fonts() {
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
}

void Graphics::begin_frame() {
  heatmaps_.begin_frame();
  ImGui_ImplOpenGL3_NewFrame();
}

void Graphics::finish_frame(Colour page) {
  const auto share = [](int part) { return static_cast<float>(part) / 255; };
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  glViewport(0, 0, static_cast<GLsizei>(size.x), static_cast<GLsizei>(size.y));
  glClearColor(share(page.r), share(page.g), share(page.b), 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace tp::ui
