#include "imgui_app/draw/heatmap_renderer.h"

#include <cmath>
#include <cstdio>
#include <utility>

#include "imgui_app/platform/opengl.h"
#include "shaders.h"

namespace tp::ui {
namespace {

GLuint compile(GLenum kind, const char* source) {
  const GLuint shader = glCreateShader(kind);
  const char* parts[] = {TP_GLSL_HEADER, source};
  glShaderSource(shader, 2, parts, nullptr);
  glCompileShader(shader);
  GLint compiled = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
  if (!compiled) {
    char log[1024];
    glGetShaderInfoLog(shader, sizeof log, nullptr, log);
    std::fprintf(stderr, "heatmap shader: %s\n", log);
  }
  return shader;
}

GLuint make_texture() {
  GLuint texture = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  for (const GLenum side : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER}) {
    glTexParameteri(GL_TEXTURE_2D, side, GL_NEAREST);
  }
  for (const GLenum side : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T}) {
    glTexParameteri(GL_TEXTURE_2D, side, GL_CLAMP_TO_EDGE);
  }
  return texture;
}

}  // namespace

bool HeatmapRenderer::create() {
  const GLuint vertex = compile(GL_VERTEX_SHADER, k_heatmap_vert);
  const GLuint fragment = compile(GL_FRAGMENT_SHADER, k_heatmap_frag);
  program_ = glCreateProgram();
  glAttachShader(program_, vertex);
  glAttachShader(program_, fragment);
  glLinkProgram(program_);
  glDeleteShader(vertex);
  glDeleteShader(fragment);
  GLint linked = 0;
  glGetProgramiv(program_, GL_LINK_STATUS, &linked);
  if (!linked) return false;

  glUseProgram(program_);
  glUniform1i(glGetUniformLocation(program_, "u_values"), 0);
  glUniform1i(glGetUniformLocation(program_, "u_colours"), 1);
  rect_ = glGetUniformLocation(program_, "u_rect");
  size_ = glGetUniformLocation(program_, "u_size");
  range_ = glGetUniformLocation(program_, "u_range");
  exponent_ = glGetUniformLocation(program_, "u_exponent");
  gap_ = glGetUniformLocation(program_, "u_gap");
  gap_colour_ = glGetUniformLocation(program_, "u_gap_colour");
  glGenVertexArrays(1, &vertex_array_);
  for (unsigned& texture : colour_textures_) texture = make_texture();
  return true;
}

void HeatmapRenderer::forget() {
  program_ = vertex_array_ = 0;
  colour_textures_ = {};
  textures_.clear();
}

void HeatmapRenderer::destroy() {
  for (auto& [name, texture] : textures_) glDeleteTextures(1, &texture.id);
  glDeleteTextures(kColourMaps, colour_textures_.data());
  glDeleteVertexArrays(1, &vertex_array_);
  glDeleteProgram(program_);
  forget();
}

void HeatmapRenderer::begin_frame() {
  calls_.clear();
  for (auto it = textures_.begin(); it != textures_.end();) {
    Texture& texture = it->second;
    if (std::exchange(texture.drawn, false)) {
      ++it;
      continue;
    }
    glDeleteTextures(1, &texture.id);
    it = textures_.erase(it);
  }
}

void HeatmapRenderer::set_colours(ColourMap map, const ColourTable& colours) {
  unsigned char bytes[256 * 4];
  for (size_t i = 0; i < colours.size(); ++i) {
    bytes[4 * i] = colours[i].r;
    bytes[4 * i + 1] = colours[i].g;
    bytes[4 * i + 2] = colours[i].b;
    bytes[4 * i + 3] = 255;
  }
  glBindTexture(GL_TEXTURE_2D, colour_textures_[static_cast<size_t>(map)]);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 256, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, bytes);
}

void HeatmapRenderer::draw(ImDrawList& list, const std::string& name, const HeatmapImage& image,
                           ImVec2 min, ImVec2 max, float gap, Colour gap_colour) {
  calls_.push_back({this, name, image, min, max, gap, gap_colour});
  list.AddCallback(&HeatmapRenderer::run, &calls_.back());
  list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

void HeatmapRenderer::run(const ImDrawList*, const ImDrawCmd* command) {
  const auto* call = static_cast<const Call*>(command->UserCallbackData);
  call->renderer->run(*call, command->ClipRect);
}

void HeatmapRenderer::upload(Texture& texture, const HeatmapImage& image) {
  if (texture.id == 0) texture.id = make_texture();
  glBindTexture(GL_TEXTURE_2D, texture.id);
  if (texture.version == image.version) return;
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, image.columns, image.rows, 0, GL_RED, GL_FLOAT,
               image.values.data());
  texture.version = image.version;
}

void HeatmapRenderer::run(const Call& call, const ImVec4& clip) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;  // physical pixels, as everything here
  const auto whole = [](float v) { return static_cast<GLint>(std::lround(v)); };
  glScissor(whole(clip.x), whole(screen.y - clip.w), whole(clip.z - clip.x),
            whole(clip.w - clip.y));
  glUseProgram(program_);
  glBindVertexArray(vertex_array_);
  glActiveTexture(GL_TEXTURE1);
  glBindTexture(GL_TEXTURE_2D, colour_textures_[static_cast<size_t>(call.image.colours)]);
  glActiveTexture(GL_TEXTURE0);
  Texture& texture = textures_[call.name];
  texture.drawn = true;
  upload(texture, call.image);
  glUniform4f(rect_, call.min.x / screen.x * 2 - 1, 1 - call.max.y / screen.y * 2,
              call.max.x / screen.x * 2 - 1, 1 - call.min.y / screen.y * 2);
  const auto columns = static_cast<float>(call.image.columns);
  const auto rows = static_cast<float>(call.image.rows);
  glUniform2f(size_, columns, rows);
  glUniform2f(range_, call.image.minimum, call.image.maximum);
  glUniform1f(exponent_, call.image.exponent);
  glUniform2f(gap_, call.gap * columns / (call.max.x - call.min.x),
              call.gap * rows / (call.max.y - call.min.y));
  const auto channel = [](uint8_t value) { return static_cast<float>(value) / 255; };
  glUniform4f(gap_colour_, channel(call.gap_colour.r), channel(call.gap_colour.g),
              channel(call.gap_colour.b), 1);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

}  // namespace tp::ui
