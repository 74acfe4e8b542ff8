#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "imgui_app/draw/ui.h"
#include "imgui_app/platform/native_window.h"

// One panel in a real window, without the app around it.

namespace tp::ui {

class PanelStage {
 public:
  // Draws the panel into the room given.
  using Draw = std::function<void(Ui& ui, Rect rect)>;

  PanelStage(int width, int height);
  bool ok() const { return window_->ok(); }
  const std::string& error() const { return window_->error(); }

  // Until nothing moves any more, with 20 ms from frame to frame; then the picture is there to be
  // read. Where TP_PICTURES names a folder, the picture called `name` is written there.
  void settle(const Draw& draw, Rect rect, const std::string& name = "");
  // One frame; true when another one is due.
  bool frame(const Draw& draw, Rect rect);

  Colour pixel(float x, float y) const;
  const std::string* readout(const std::string& name) const;
  // Texts that are shortened, leave the room, or lie over another one.
  std::vector<std::string> badly_placed(Rect rect) const;

  void point(float x, float y);  // moves the mouse there
  void click(const Draw& draw, Rect rect, float x, float y);

  Settings settings;
  bool dark = true, touch = false, reduced_motion = false;
  bool blind = false;  // lays everything out and draws nothing, which is much faster
  float scale = 1;
  double time = 0;
  Mirror mirror;
  HeatmapRenderer heatmaps;
  Fonts fonts;
  std::vector<std::string> commands;  // of all frames, as JSON

 private:
  int width_, height_;
  std::unique_ptr<NativeWindow> window_;
  std::vector<unsigned char> pixels_;
};

}  // namespace tp::ui
