#include "imgui_app/platform/native_window.h"

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "engine/core/utf8.h"
#include "imgui_app/platform/opengl.h"

namespace tp::ui {

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
  glfwSetWindowUserPointer(window_, this);
  glfwSetDropCallback(window_, [](GLFWwindow* window, int count, const char** paths) {
    auto& self = *static_cast<NativeWindow*>(glfwGetWindowUserPointer(window));
    for (int i = 0; i < count; ++i) self.dropped(paths[i]);
  });
  glfwSetCharCallback(window_, [](GLFWwindow* window, unsigned code) {
    auto& self = *static_cast<NativeWindow*>(glfwGetWindowUserPointer(window));
    std::string name;
    append_utf8(name, code);
    if (!ImGui::GetIO().WantTextInput) self.app_->key(name);
  });
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
  session_.reset();
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

void NativeWindow::frame_in(double milliseconds) {
  frame_at_ = glfwGetTime() * 1000 + milliseconds;
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
  return app_->frame(glfwGetTime() * 1000);
}

void NativeWindow::begin() {
  session_ = std::make_unique<SessionThread>();
  app_->begin();
}

bool NativeWindow::take_snapshot() {
  const std::vector<std::byte> bytes = session_ ? session_->receive() : std::vector<std::byte>();
  if (bytes.empty()) return false;
  app_->snapshot_arrived(bytes);
  return true;
}

void NativeWindow::settle() {
  glfwPollEvents();
  take_snapshot();
  while (draw() || (session_ && app_->waiting())) {
    glfwSwapBuffers(window_);
    if (app_->waiting()) glfwWaitEventsTimeout(0.002);
    glfwPollEvents();
    take_snapshot();
  }
}

// A frame when something happened: an event, a snapshot, or something that moves.
void NativeWindow::run() {
  bool due = true;
  while (!glfwWindowShouldClose(window_)) {
    if (due) {
      due = draw();
      glfwSwapBuffers(window_);
    }
    if (due) {
      glfwPollEvents();
    } else {
      const double before = glfwGetTime();
      glfwWaitEventsTimeout(0.016);
      if (glfwGetTime() - before < 0.0155) {  // an event ended the waiting
        app_->input_arrived();
        due = true;
      }
    }
    due |= take_snapshot();
    if (glfwGetTime() * 1000 >= frame_at_) {
      frame_at_ = std::numeric_limits<double>::infinity();
      due = true;
    }
  }
}

void NativeWindow::send(std::vector<std::byte> command) {
  if (session_) session_->send(std::move(command));
}

void NativeWindow::save_file(const std::string& name, std::span<const std::byte> bytes) {
  std::ofstream file(name, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  const std::string path = std::filesystem::absolute(name).string();
  const bool good = file.good();
  app_->notice(fill(tr(good ? Text::saved_file : Text::file_not_written, app_->language()), {path}),
               good ? NoticeTone::kGood : NoticeTone::kProblem);
}

void NativeWindow::save_picture(const std::string&, Rect) {
  app_->notice(tr(Text::pictures_on_the_page, app_->language()));
}

void NativeWindow::choose_file() { app_->notice(tr(Text::drop_a_file, app_->language())); }

void NativeWindow::copy_text(const std::string& text) {
  glfwSetClipboardString(window_, text.c_str());
}

void NativeWindow::copy_link(const std::string& query) {
  glfwSetClipboardString(window_, ("?" + query).c_str());
  app_->notice(tr(Text::link_copied, app_->language()), NoticeTone::kGood);
}

void NativeWindow::dropped(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
  const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
  app_->load_file(std::filesystem::path(path).filename().string(), {first, first + bytes.size()});
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

bool draw_text_field(const char* id, const char* hint, std::span<char> text) {
  return ImGui::InputTextWithHint(id, hint, text.data(), text.size());
}

}  // namespace tp::ui
