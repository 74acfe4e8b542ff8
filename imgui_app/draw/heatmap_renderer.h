#pragma once

#include <imgui.h>

#include <array>
#include <deque>
#include <map>
#include <span>
#include <string>

#include "imgui_app/draw/colour.h"

namespace tp::ui {

// The tables of colours of the palette.
enum class ColourMap { kSigned, kWeights };
inline constexpr int kColourMaps = 2;

// What a heatmap shows. `version` says when the values changed: only then are they uploaded again.
struct HeatmapImage {
  std::span<const float> values;  // [rows, columns]
  int rows = 0, columns = 0;
  int version = 0;
  float minimum = -1, maximum = 1;  // the values at both ends of the colour table
  float exponent = 1;
  ColourMap colours = ColourMap::kSigned;
};

// Draws heatmaps with the shader in shaders/, in their place among everything ImGui draws.
class HeatmapRenderer {
 public:
  // With a current OpenGL context; again after a lost one came back. False when a shader is
  // refused.
  bool create();
  // Forgets all OpenGL objects without deleting them: their context is gone.
  void forget();
  void destroy();

  // Frees the textures of maps that the frame before did not draw.
  void begin_frame();
  void set_colours(ColourMap map, const ColourTable& colours);
  // `name` tells maps apart from frame to frame.
  void draw(ImDrawList& list, const std::string& name, const HeatmapImage& image, ImVec2 min,
            ImVec2 max, float gap, Colour gap_colour);
  int textures() const { return static_cast<int>(textures_.size()); }

 private:
  struct Call {
    HeatmapRenderer* renderer;
    std::string name;
    HeatmapImage image;
    ImVec2 min, max;
    float gap;
    Colour gap_colour;
  };
  struct Texture {
    unsigned id = 0;
    int version = -1;
    bool drawn = true;  // since begin_frame()
  };
  static void run(const ImDrawList*, const ImDrawCmd* command);
  void run(const Call& call, const ImVec4& clip);
  void upload(Texture& texture, const HeatmapImage& image);

  unsigned program_ = 0, vertex_array_ = 0;
  std::array<unsigned, kColourMaps> colour_textures_ = {};
  int rect_ = -1, size_ = -1, range_ = -1, exponent_ = -1, gap_ = -1, gap_colour_ = -1;
  std::map<std::string, Texture> textures_;
  std::deque<Call> calls_;  // addresses stay valid until the frame is drawn
};

}  // namespace tp::ui
