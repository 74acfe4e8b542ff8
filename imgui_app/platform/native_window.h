#pragma once

#include <memory>
#include <string>
#include <vector>

#include "imgui_app/app.h"

struct GLFWwindow;

namespace tp {

// The desktop: a GLFW window with OpenGL 3.3, fonts from a folder.
class NativeWindow : public Platform {
 public:
  NativeWindow(int width, int height, std::string font_folder, bool visible);
  ~NativeWindow() override;

  // False when there is no display or no OpenGL 3.3; error() says which.
  bool ok() const { return ok_; }
  const std::string& error() const { return error_; }
  App& app() { return *app_; }

  // Draws until nothing changes any more. The last picture is not shown yet, so that it can be
  // read.
  void settle();
  // Runs until the window is closed.
  void run();
  // The picture just drawn, RGB, top row first.
  std::vector<unsigned char> pixels(int& width, int& height) const;

  void request_font(FontFile file) override;
  void open_licences() override;
  bool has_dom_text_fields() const override { return false; }

 private:
  bool draw();
  void read_surroundings();

  std::string font_folder_, error_;
  GLFWwindow* window_ = nullptr;
  std::unique_ptr<App> app_;
  bool ok_ = false, backend_ = false;
};

}  // namespace tp
