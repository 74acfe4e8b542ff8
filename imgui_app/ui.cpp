#include "imgui_app/ui.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "engine/core/utf8.h"
#include "imgui_app/platform/opengl.h"

namespace tp {
namespace {

const char* end_of(std::string_view text) { return text.data() + text.size(); }

// The longest beginning of the text that fits together with an ellipsis.
std::string shortened(const ImFont& font, std::string_view text, float width) {
  std::string result;
  while (!text.empty()) {
    std::string longer = result;
    append_utf8(longer, next_code_point(text));
    const std::string candidate = longer + "…";
    if (font.CalcTextSizeA(font.FontSize, FLT_MAX, 0, candidate.c_str()).x > width) break;
    result = longer;
  }
  return result + "…";
}

}  // namespace

float Ui::px(float length) const { return std::round(length * scale); }

ImU32 Ui::colour(Colour c, float alpha) const {
  return IM_COL32(c.r, c.g, c.b, static_cast<int>(std::lround(alpha * 255)));
}

ImVec2 Ui::measure(FontRole role, std::string_view text, float wrap_width) const {
  const ImFont& font = *fonts[role];
  return font.CalcTextSizeA(font.FontSize, FLT_MAX, wrap_width, text.data(), end_of(text));
}

ImVec2 Ui::text(ImVec2 position, FontRole role, Colour c, std::string_view text,
                TextOptions options) {
  const ImFont& font = *fonts[role];
  ImDrawList& list = *ImGui::GetWindowDrawList();
  std::string shown(text);
  ImVec2 size = measure(role, text, options.wrap_width);
  if (options.max_width > 0 && size.x > options.max_width + 1) {
    shown = shortened(font, text, options.max_width);
    size = measure(role, shown);
  }
  const ImVec2 at(std::round(position.x), std::round(position.y));
  list.AddText(&font, font.FontSize, at, colour(c), shown.c_str(), nullptr, options.wrap_width);
  mirror.drawn(shown, {at, ImVec2(at.x + size.x, at.y + size.y)},
               {list.GetClipRectMin(), list.GetClipRectMax()});
  return size;
}

void Ui::fill(Rect rect, Colour c) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(ImVec2(std::round(rect.min.x), std::round(rect.min.y)),
                    ImVec2(std::round(rect.max.x), std::round(rect.max.y)), true);
  const auto clear = [](const ImDrawList*, const ImDrawCmd* command) {
    const ImVec4& area = command->ClipRect;
    const auto packed =
        static_cast<ImU32>(reinterpret_cast<std::uintptr_t>(command->UserCallbackData));
    const ImVec4 shade = ImGui::ColorConvertU32ToFloat4(packed);
    glScissor(static_cast<GLint>(area.x), static_cast<GLint>(ImGui::GetIO().DisplaySize.y - area.w),
              static_cast<GLsizei>(std::max(area.z - area.x, 0.0f)),
              static_cast<GLsizei>(std::max(area.w - area.y, 0.0f)));
    glClearColor(shade.x, shade.y, shade.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
  };
  list.AddCallback(clear, reinterpret_cast<void*>(static_cast<std::uintptr_t>(colour(c))));
  list.PopClipRect();
}

void Ui::card(Rect rect) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float round = px(6);
  const ImVec2 inner_min(rect.min.x, std::round(rect.min.y + round));
  const ImVec2 inner_max(rect.max.x, std::max(inner_min.y, std::round(rect.max.y - round)));
  fill({inner_min, inner_max}, palette.panel);
  list.AddRectFilled(rect.min, ImVec2(rect.max.x, inner_min.y), colour(palette.panel), round,
                     ImDrawFlags_RoundCornersTop);
  list.AddRectFilled(ImVec2(rect.min.x, inner_max.y), rect.max, colour(palette.panel), round,
                     ImDrawFlags_RoundCornersBottom);
  list.AddRect(rect.min, rect.max, colour(palette.hairline), round, 0, std::max(1.0f, px(1)));
}

Rect Ui::panel(Rect rect, std::string_view title) {
  card(rect);
  const float padding = px(16);
  const ImVec2 top(rect.min.x + padding, rect.min.y + px(12));
  const ImVec2 size =
      text(top, FontRole::kHeading, palette.text, title, {.max_width = rect.width() - 2 * padding});
  return {ImVec2(top.x, top.y + size.y + px(8)),
          ImVec2(rect.max.x - padding, rect.max.y - padding)};
}

}  // namespace tp
