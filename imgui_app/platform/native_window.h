#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "engine/session/session_thread.h"
#include "imgui_app/app/app.h"

struct GLFWwindow;

namespace tp::ui {

// The desktop: a GLFW window with OpenGL 3.3, fonts from a folder.
class NativeWindow : public Platform {
 public:
  NativeWindow(int width, int height, std::string font_folder, bool visible);
  ~NativeWindow() override;

  // False when there is no display or no OpenGL 3.3; error() says which.
  bool ok() const { return ok_; }
  const std::string& error() const { return error_; }
  App& app() { return *app_; }

  // Starts the session and its first run.
  void begin();
  // Draws until nothing changes any more, or, while a run goes on, until the commands sent so far
  // have taken effect. The last picture is not shown yet, so that it can be read.
  void settle();
  // Runs until the window is closed.
  void run();
  // The picture just drawn, RGB, top row first.
  std::vector<unsigned char> pixels(int& width, int& height) const;

  void frame_in(double milliseconds) override;
  void request_font(FontFile file) override;
  void open_licences() override;
  bool has_dom_text_fields() const override { return false; }
  void send(std::vector<std::byte> command) override;
  void save_file(const std::string& name, std::span<const std::byte> bytes) override;
  void save_picture(const std::string& name, Rect rect) override;
  void choose_file() override;
  void edit_lines(const std::string&, const char*, const char*, const char*) override {
    choose_file();
  }
  void copy_link(const std::string& query) override;
  void copy_text(const std::string& text) override;
  void open_full_page(const std::string&) override {}
  void take_kept_run(bool) override {}
  void tour_seen() override {}
  void scroll_to(float) override {}

 private:
  void dropped(const std::string& path);
  bool draw();
  // Hands the snapshot that waits to the app. False when there is none.
  bool take_snapshot();
  void read_surroundings();

  std::string font_folder_, error_;
  GLFWwindow* window_ = nullptr;
  std::unique_ptr<App> app_;
  std::unique_ptr<SessionThread> session_;
  double frame_at_ = std::numeric_limits<double>::infinity();  // milliseconds
  bool ok_ = false, backend_ = false;
};

}  // namespace tp::ui
