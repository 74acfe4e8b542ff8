// Around the panels: the footer and the bar at the lower edge of a phone.

#include <algorithm>
#include <cmath>

#include "engine/core/number_text.h"
#include "imgui_app/app/app.h"
#include "imgui_app/app/measures.h"
#include "imgui_app/widgets/controls.h"

namespace tp::ui {
namespace {

Rect box(float x, float y, float w, float h) { return {ImVec2(x, y), ImVec2(x + w, y + h)}; }

}  // namespace

// On a phone: over the content, at the lower edge of what is seen.
void App::draw_bottom_bar(Ui& ui, float width) {
  const float tabs = ui.px(kLowerTabs), height = ui.px(kLowerBar) + tabs;
  const float bottom = std::min((surroundings.scroll_top + surroundings.visible_height),
                                std::max(content_height_, surroundings.visible_height)) *
                       surroundings.ratio;
  const Rect rect{ImVec2(0, bottom - height), ImVec2(width, bottom)};
  ImGui::SetCursorScreenPos(rect.min);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ui.fill(rect, ui.palette.panel);
  list.AddLine(rect.min, ImVec2(rect.max.x, rect.min.y), ui.colour(ui.palette.hairline));
  ui.mirror.place("bottom_bar", rect);
  list.PushClipRect(rect.min, rect.max);
  draw_tabs(ui, ImVec2(ui.px(12), rect.min.y), width - ui.px(24));
  ui.mirror.section(Section::kPlay);
  play_bar_.draw_small(ui, run(),
                       box(ui.px(12), rect.min.y + tabs + ui.px(8), width - ui.px(24), ui.px(44)));
  list.PopClipRect();
}

void App::draw_footer(Ui& ui, float top) {
  const float margin = ui.px(16), height = ui.px(24), width = ImGui::GetIO().DisplaySize.x;
  const bool embed = settings.embed;
  const char* label = ui.tr(embed ? Text::open_full_page : Text::licences);
  const float own = button_width(ui, label), line = ui.measure(FontRole::kLabel, " ").y;
  ui.text(ImVec2(margin, top + (height - line) / 2), FontRole::kLabel, ui.palette.muted,
          ui.tr(Text::privacy), {.max_width = width - 2 * margin - own});
  const Rect rect = box(width - margin - own, top, own, height);
  if (embed) {
    button(ui,
           {.name = "open_full_page",
            .label = label,
            .command = ui_command::OpenFullPage{},
            .rect = rect},
           ButtonLook::kQuiet);
  } else if (quiet_button(ui, "licences", label, rect)) {  // a link in the DOM
    platform_.open_licences();
  }
}

}  // namespace tp::ui
