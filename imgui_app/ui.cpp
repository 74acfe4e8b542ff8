#include "imgui_app/ui.h"

#include <algorithm>
#include <cmath>

#include "engine/core/utf8.h"

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

Rect Ui::panel(Rect rect, std::string_view title) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(rect.min, rect.max, colour(palette.panel), px(6));
  list.AddRect(rect.min, rect.max, colour(palette.hairline), px(6), 0, std::max(1.0f, px(1)));
  const float padding = px(16);
  const ImVec2 top(rect.min.x + padding, rect.min.y + px(12));
  const ImVec2 size =
      text(top, FontRole::kHeading, palette.text, title, {.max_width = rect.width() - 2 * padding});
  return {ImVec2(top.x, top.y + size.y + px(8)),
          ImVec2(rect.max.x - padding, rect.max.y - padding)};
}

}  // namespace tp
