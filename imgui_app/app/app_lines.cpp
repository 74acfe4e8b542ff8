// What the task "pairs" learns: a box with the beginning of the lines, which opens them to be
// edited.

#include <algorithm>

#include "engine/core/number_text.h"
#include "imgui_app/app/app.h"
#include "imgui_app/widgets/controls.h"

namespace tp::ui {
namespace {

constexpr std::ptrdiff_t kLinesShown = 6;

std::string beginning(std::string_view material) {
  std::string shown;
  std::ptrdiff_t lines = 0;
  for (const char c : material) {
    if (c == '\n' && ++lines == kLinesShown) break;
    if (c == '\t') {
      shown += " = ";
    } else if (c == '\n') {
      shown += " · ";
    } else if (c != '\r') {
      shown += c;
    }
  }
  return shown;
}

}  // namespace

float App::draw_lines(Ui& ui, float top, float width) {
  const std::string& material = run().now().material;
  if (run().now().task != "pairs" || settings.embed) return top;
  const float left = (ImGui::GetIO().DisplaySize.x - width) / 2, height = control_height(ui);
  const float own = button_width(ui, ui.tr(Text::edit_lines));
  const Rect box{ImVec2(left, top), ImVec2(left + width - own - ui.px(8), top + height)};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(box.min, box.max, ui.colour(ui.palette.panel), ui.px(6));
  list.AddRect(box.min, box.max, ui.colour(ui.palette.edge), ui.px(6));
  const auto lines = std::ranges::count(material, '\n') + !material.ends_with('\n');
  const std::string text =
      fill(ui.tr(Text::lines_shown),
           {readable_number(static_cast<double>(lines)), ui.fonts.drawable(beginning(material))});
  const float line = ui.measure(FontRole::kBody, " ").y;
  ui.text(ImVec2(box.min.x + ui.px(12), top + (height - line) / 2), FontRole::kBody,
          ui.palette.text, ui.in_one_line(FontRole::kBody, text, box.width() - ui.px(24)));
  button(ui,
         {.name = "edit_lines",
          .label = ui.tr(Text::edit_lines),
          .command = ui_command::EditLines{},
          .rect = {ImVec2(box.max.x + ui.px(8), top), ImVec2(left + width, top + height)}},
         ButtonLook::kFramed);
  return top + height + ui.px(12);
}

}  // namespace tp::ui
