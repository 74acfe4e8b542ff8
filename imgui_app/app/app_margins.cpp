// Around the panels: notices, the footer and the bar at the lower edge of a phone.

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

float App::draw_notices(Ui& ui, float top, float width) {
  const float left = (ImGui::GetIO().DisplaySize.x - width) / 2;
  struct Strip {
    std::string text;
    std::vector<Action> actions;
  };
  std::vector<Strip> strips;
  if (kept_run_) {
    const std::optional<Text> task = text_named("choice_task_" + kept_run_->first);
    strips.push_back(
        {fill(ui.tr(Text::saved_offer), {task ? ui.tr(*task) : kept_run_->first.c_str(),
                                         readable_number(static_cast<double>(kept_run_->second))}),
         {{.name = "continue_kept",
           .label = ui.tr(Text::continue_saved),
           .command = ui_command::ContinueKept{}},
          {.name = "discard_kept",
           .label = ui.tr(Text::discard_saved),
           .command = ui_command::DiscardKept{}}}});
  }
  for (size_t i = 0; i < notices_.all().size(); ++i) {
    strips.push_back({notices_.all()[i],
                      {{.name = "close_notice_" + std::to_string(i),
                        .label = ui.tr(Text::close),
                        .command = ui_command::CloseNotice{static_cast<int>(i)}}}});
  }
  if (settings.language != lettering_.shown()) {
    strips.push_back({ui.tr(Text::korean_font_loading), {}});
  }
  for (Strip& strip : strips) {
    float buttons = 0;
    for (const Action& action : strip.actions) buttons += button_width(ui, action.label);
    const float wrap = std::max(width - ui.px(32) - buttons, width * 0.4f);
    const std::string shown = ui.fonts.drawable(strip.text);
    const ImVec2 size = ui.measure(FontRole::kBody, shown, wrap);
    const float height =
        std::max(size.y + ui.px(16), strip.actions.empty() ? 0 : control_height(ui) + ui.px(4));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Rect rect = box(left, top, width, height);
    list.AddRectFilled(rect.min, rect.max, ui.colour(ui.palette.raised), ui.px(6));
    list.AddRectFilled(rect.min, ImVec2(rect.min.x + ui.px(4), rect.max.y),
                       ui.colour(ui.palette.warning), ui.px(6), ImDrawFlags_RoundCornersLeft);
    ui.text(ImVec2(rect.min.x + ui.px(16), rect.min.y + (height - size.y) / 2), FontRole::kBody,
            ui.palette.text, shown, {.wrap_width = wrap});
    float x = rect.max.x - buttons;
    for (Action& action : strip.actions) {
      const float own = button_width(ui, action.label);
      action.rect = box(x, rect.min.y + (height - control_height(ui)) / 2, own, control_height(ui));
      button(ui, action, ButtonLook::kQuiet);
      x += own;
    }
    top = rect.max.y + ui.px(8);
  }
  return top;
}

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
