#pragma once

#include "imgui_app/draw/heatmap_renderer.h"
#include "imgui_app/draw/palette.h"

namespace tp::ui {

// The contexts of ImGui and ImPlot, without files of their own.
class DrawingContexts {
 public:
  DrawingContexts();
  ~DrawingContexts();
  DrawingContexts(const DrawingContexts&) = delete;
  DrawingContexts& operator=(const DrawingContexts&) = delete;
};

// Everything that needs OpenGL.
class Graphics {
 public:
  ~Graphics();
  // With the context current. False when it cannot draw (the reason is on stderr).
  bool create();
  // The context is gone with all its objects; create() follows when it is back.
  void lost();
  bool there() const { return there_; }

  void set_colours(const Palette& palette);
  // The atlas of the fonts was built again.
  void renew_fonts();
  void begin_frame();
  // What ImGui has gathered, on a page of this colour.
  void finish_frame(Colour page);

  HeatmapRenderer& heatmaps() { return heatmaps_; }

 private:
  DrawingContexts contexts_;  // first: what follows is gone before them
  HeatmapRenderer heatmaps_;
  bool there_ = false;
};

}  // namespace tp::ui
