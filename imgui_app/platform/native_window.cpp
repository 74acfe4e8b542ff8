#include "imgui_app/platform/native_window.h"

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>

#include <cstdio>
#include <fstream>
#include <iterator>

#include "imgui_app/platform/opengl.h"

namespace tp {

NativeWindow::NativeWindow(int width, int height, std::string font_folder, bool visible)
    : font_folder_(std::move(font_folder)) {
  if (!glfwInit()) {
    error_ = "No display was found: start this in a desktop session, or under xvfb-run.";
    return;
  }
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_VISIBLE, visible ? GLFW_TRUE : GLFW_FALSE);
  window_ = glfwCreateWindow(width, height, "Transformer Playground", nullptr, nullptr);
  if (!window_) {
    error_ = "This display offers no OpenGL 3.3: update the graphics driver.";
    return;
  }
  glfwMakeContextCurrent(window_);
  glfwSwapInterval(1);
  app_ = std::make_unique<App>(*this);
  for (const FontFile file :
       {FontFile::kSans, FontFile::kMath, FontFile::kMono, FontFile::kNames}) {
    request_font(file);
  }
  if (!error_.empty()) return;
  backend_ = ImGui_ImplGlfw_InitForOpenGL(window_, true);
  ok_ = backend_ && app_->create_graphics();
  if (!ok_) error_ = "OpenGL 3.3 could not be set up: update the graphics driver.";
}

NativeWindow::~NativeWindow() {
  if (backend_) ImGui_ImplGlfw_Shutdown();
  app_.reset();
  if (window_) glfwDestroyWindow(window_);
  glfwTerminate();
}

void NativeWindow::request_font(FontFile file) {
  const std::string path = font_folder_ + "/" + font_file_name(file);
  std::ifstream stream(path, std::ios::binary);
  std::vector<unsigned char> bytes{std::istreambuf_iterator<char>(stream), {}};
  if (!bytes.empty()) {
    app_->provide_font(file, std::move(bytes));
  } else if (file == FontFile::kHangul || file == FontFile::kHangulAll) {
    app_->font_failed(file);
  } else {
    error_ = "The font " + path + " could not be read: build again, or check the folder.";
  }
}

void NativeWindow::open_licences() {
  std::printf("Licences of the libraries and fonts: %s/../licences.txt\n", font_folder_.c_str());
}

void NativeWindow::read_surroundings() {
  int width = 0, height = 0, pixels_wide = 0, pixels_high = 0;
  glfwGetWindowSize(window_, &width, &height);
  glfwGetFramebufferSize(window_, &pixels_wide, &pixels_high);
  float monitor_scale = 1;
  glfwGetWindowContentScale(window_, &monitor_scale, nullptr);
  App::Surroundings& s = app_->surroundings;
  s.ratio = std::max(1.0f, monitor_scale);
  s.width = static_cast<float>(pixels_wide) / s.ratio;
  s.height = s.visible_height = static_cast<float>(pixels_high) / s.ratio;
}

bool NativeWindow::draw() {
  read_surroundings();
  ImGui_ImplGlfw_NewFrame();
  return app_->frame();
}

void NativeWindow::settle() {
  glfwPollEvents();
  while (draw()) {
    glfwSwapBuffers(window_);
    glfwPollEvents();
  }
}

void NativeWindow::run() {
  while (!glfwWindowShouldClose(window_)) {
    settle();
    glfwSwapBuffers(window_);
    glfwWaitEvents();
    app_->input_arrived();
  }
}

std::vector<unsigned char> NativeWindow::pixels(int& width, int& height) const {
  glfwGetFramebufferSize(window_, &width, &height);
  const size_t row = static_cast<size_t>(width) * 3;
  std::vector<unsigned char> bottom_up(row * static_cast<size_t>(height));
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadBuffer(GL_BACK);
  glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, bottom_up.data());
  std::vector<unsigned char> result;
  result.reserve(bottom_up.size());
  for (int y = height; y-- > 0;) {
    const auto first = bottom_up.begin() + static_cast<std::ptrdiff_t>(row) * y;
    result.insert(result.end(), first, first + static_cast<std::ptrdiff_t>(row));
  }
  return result;
}

}  // namespace tp
