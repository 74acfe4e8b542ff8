#include "imgui_app/draw/ui.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "engine/core/utf8.h"
#include "imgui_app/platform/opengl.h"

namespace tp::ui {
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

// The text with the line ends that `width` requires: at spaces alone, so that numbers and words
// stay whole. Only a word wider than a line is cut.
std::string wrapped(const ImFont& font, std::string_view text, float width) {
  std::string result;
  std::size_t space = std::string::npos;  // the last one of this line
  float line = 0, after_space = 0;
  while (!text.empty()) {
    const char32_t c = next_code_point(text);
    const float advance = font.GetCharAdvance(static_cast<ImWchar>(c));
    if (c == '\n' || c == ' ') {
      space = c == ' ' ? result.size() : std::string::npos;
      line = c == ' ' ? line + advance : 0;
      after_space = 0;
      append_utf8(result, c);
      continue;
    }
    while (line > 0 && line + advance > width) {
      if (space != std::string::npos) {
        result[space] = '\n';
        line = after_space;
        space = std::string::npos;
      } else {
        result += '\n';
        line = 0;
      }
    }
    append_utf8(result, c);
    line += advance;
    after_space += advance;
  }
  return result;
}

}  // namespace

float Ui::px(float length) const { return std::round(length * scale); }

ImU32 Ui::colour(Colour c, float alpha) const {
  return IM_COL32(c.r, c.g, c.b, static_cast<int>(std::lround(alpha * 255)));
}

ImVec2 Ui::measure(FontRole role, std::string_view text, float wrap_width) const {
  const ImFont& font = *fonts[role];
  if (wrap_width > 0) return measure(role, wrapped(font, fonts.spelled(text), wrap_width));
  return font.CalcTextSizeA(font.FontSize, FLT_MAX, 0, text.data(), end_of(text));
}

std::string Ui::in_one_line(FontRole role, std::string_view text, float width) const {
  const ImFont& font = *fonts[role];
  std::string line = fonts.drawable(text);
  std::ranges::replace(line, '\n', ' ');
  if (measure(role, line).x <= width) return line;
  std::vector<char32_t> letters;
  for (std::string_view rest = line; !rest.empty();) letters.push_back(next_code_point(rest));
  // From both ends, in turn, as long as it fits.
  float left = width - font.GetCharAdvance(U'…');
  std::size_t head = 0, tail = 0;
  while (head + tail < letters.size()) {
    const bool front = head <= tail;
    const char32_t next = front ? letters[head] : letters[letters.size() - 1 - tail];
    left -= font.GetCharAdvance(static_cast<ImWchar>(next));
    if (left < 0) break;
    ++(front ? head : tail);
  }
  std::string result;
  for (std::size_t i = 0; i < head; ++i) append_utf8(result, letters[i]);
  result += "…";
  for (std::size_t i = letters.size() - tail; i < letters.size(); ++i) {
    append_utf8(result, letters[i]);
  }
  return result;
}

ImVec2 Ui::text(ImVec2 position, FontRole role, Colour c, std::string_view text,
                TextOptions options) {
  const ImFont& font = *fonts[role];
  ImDrawList& list = *ImGui::GetWindowDrawList();
  std::string shown = options.wrap_width > 0 ? fonts.spelled(text) : fonts.drawable(text);
  const std::string lines =
      options.wrap_width > 0 ? wrapped(font, shown, options.wrap_width) : std::string();
  ImVec2 size = measure(role, lines.empty() ? shown : lines);
  if (options.max_width > 0 && size.x > options.max_width + 1) {
    shown = shortened(font, shown, options.max_width);
    size = measure(role, shown);
  }
  const ImVec2 at(std::round(position.x), std::round(position.y));
  list.AddText(&font, font.FontSize, at, colour(c), lines.empty() ? shown.c_str() : lines.c_str());
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

}  // namespace tp::ui
