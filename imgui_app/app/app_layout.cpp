// Where everything is: three columns on a desk, one with tabs in a narrow page, and on a phone the
// play bar at the lower edge. What a panel needs it says itself (panel.h).

#include <algorithm>
#include <cmath>

#include "imgui_app/app/app.h"
#include "imgui_app/app/measures.h"
#include "imgui_app/widgets/controls.h"

namespace tp::ui {
namespace {

constexpr float kThreeColumns = 1100, kTwoColumns = 840;

Rect box(float x, float y, float w, float h) { return {ImVec2(x, y), ImVec2(x + w, y + h)}; }

}  // namespace

void App::draw_page(Ui& ui) {
  const float width = ImGui::GetIO().DisplaySize.x;
  const float margin = ui.px(ui.phone ? 12 : 16), inner = width - 2 * margin;
  const float visible = surroundings.visible_height * surroundings.ratio, footer = ui.px(32);
  const bool wide = width >= ui.px(kTwoColumns) && !settings.embed;
  const bool lower_bar = ui.phone && !settings.embed;  // a frame in an article is no screen
  watching_ = asked_;

  float y = settings.embed ? ui.px(4) : draw_header(ui);
  ui.mirror.section(Section::kPlay);
  if (!lower_bar) y = play_bar_.draw(ui, run(), ImVec2(margin, y), inner);
  ui.mirror.section(Section::kStory);
  y += draw_story_line(ui, ImVec2(margin, y), inner) + ui.px(8);
  y = draw_lines(ui, y, inner);
  if (settings.embed && !settings.caption.empty()) {
    const std::string caption = ui.fonts.drawable(settings.caption);
    y +=
        ui.text(ImVec2(margin, y), FontRole::kBody, ui.palette.text, caption, {.wrap_width = inner})
            .y +
        ui.px(12);
  }
  const float bar = lower_bar ? ui.px(kLowerBar + kLowerTabs) : 0;
  const float room = visible - y - footer - ui.px(4) - bar;
  y = wide ? draw_wide(ui, ImVec2(margin, y), inner, room)
           : draw_column(ui, ImVec2(margin, y), inner, room);
  ui.mirror.section(Section::kPage);
  draw_footer(ui, y + ui.px(4));
  y += ui.px(4) + footer + bar;
  content_height_ = std::ceil(y / surroundings.ratio);
  if (lower_bar) draw_bottom_bar(ui, width);
  ui.mirror.section(Section::kStory);
  draw_notices(ui, inner);
  if (show_keys_) draw_keys(ui);
  if (tour_ > 0) draw_tour(ui);
}

float App::draw_wide(Ui& ui, ImVec2 at, float width, float room) {
  Panel& chosen = *panels_[static_cast<std::size_t>(settings.panel)];
  const float gap = ui.px(16);
  if (chosen.full_width()) {
    const float y = draw_tabs(ui, at, width) + ui.px(8);
    return draw_chosen(ui, ImVec2(at.x, y), width, room - (y - at.y));
  }
  const bool three = width >= ui.px(kThreeColumns - 32);
  const float left = three ? ui.px(256) : 0, first = three ? left + gap : 0;
  const float right = std::round(std::max(ui.px(three ? 424 : 340), (width - left) * 0.4f));
  const float centre = width - first - right - gap;
  const float tabs_height = ui.px(ui.touch ? 52 : 40);
  const float height =
      std::max({room, ui.px(608), tabs_height + chosen.height_among_others(ui, centre)});
  std::vector<Panel*> others;
  float end = height;
  for (const std::unique_ptr<Panel>& panel : panels_) {
    if (three && panel->has_side()) {
      const float needed = panel->side_height();
      end = std::max(end, needed);
      ui.mirror.section(Section::kSide);
      panel->draw_side(ui, run(), box(at.x, at.y, left, std::max(height, needed)));
      ui.animating |= panel->side_height() != needed;  // it has to be drawn again
    }
    if (panel.get() != &chosen && !panel->full_width()) others.push_back(panel.get());
  }
  const float x = at.x + first, tabs = draw_tabs(ui, ImVec2(x, at.y), centre) + ui.px(8);
  watch_too(watching_, chosen.watches());
  ui.mirror.section(Section::kPanel);
  chosen.draw(ui, run(), {ImVec2(x, tabs), ImVec2(x + centre, at.y + height)}, true);
  // The first two of the others are in the right column.
  Panel &upper = *others[0], &lower = *others[1];
  const float third = x + centre + gap;
  const float share = upper.weight() / (upper.weight() + lower.weight());
  const float upper_height = std::round((height - gap) * share);
  draw_beside(ui, upper, box(third, at.y, right, upper_height));
  draw_beside(ui, lower, box(third, at.y + upper_height + gap, right, height - upper_height - gap));
  return at.y + end;
}

float App::draw_column(Ui& ui, ImVec2 at, float width, float room) {
  const float gap = ui.px(8);
  Panel& chosen = *panels_[static_cast<std::size_t>(settings.panel)];
  float y = at.y;
  if (!settings.embed && !ui.phone) y = draw_tabs(ui, at, width) + gap;
  const bool strips = chosen.with_strips() && !settings.embed;
  y = draw_chosen(ui, ImVec2(at.x, y), width, strips ? 0 : room - (y - at.y));
  for (const std::unique_ptr<Panel>& panel : panels_) {
    const float height = strips && panel.get() != &chosen ? panel->strip_height(ui) : 0;
    if (height <= 0) continue;
    watch_too(watching_, panel->watches());
    ui.mirror.section(Section::kBeside);
    panel->draw_strip(ui, run(), box(at.x, y + gap, width, height));
    y += gap + height;
  }
  return y;
}

// The panel of the tab, as tall as it needs to be and at least `room`. Returns where it ends.
float App::draw_chosen(Ui& ui, ImVec2 at, float width, float room) {
  Panel& panel = *panels_[static_cast<std::size_t>(settings.panel)];
  const float needed = panel.height_for(ui, width), height = std::max(needed, room);
  stretched_ = height - needed;
  watch_too(watching_, panel.watches());
  ui.mirror.section(Section::kPanel);
  panel.draw(ui, run(), box(at.x, at.y, width, height), true);
  ui.animating |= panel.height_for(ui, width) != needed;  // it has to be drawn again
  return at.y + height;
}

void App::draw_beside(Ui& ui, Panel& panel, Rect rect) {
  watch_too(watching_, panel.watches());
  ui.mirror.section(Section::kBeside);
  panel.draw(ui, run(), rect, false);
}

// As wide as each other where all of the words fit so, else each as wide as its own words need.
float App::draw_tabs(Ui& ui, ImVec2 at, float width) {
  ui.mirror.section(Section::kTabs);
  const Properties table = properties(settings);
  const Property& panel = *find_property(table, "panel");
  const float height = ui.px(ui.touch ? 44 : 32);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddLine(ImVec2(at.x, at.y + height), ImVec2(at.x + width, at.y + height),
               ui.colour(ui.palette.hairline));
  FontRole role = FontRole::kBody;
  float widest = 0, total = 0;
  const auto measure = [&] {
    widest = total = 0;
    for (int i = 0; i < kPanels; ++i) {
      const float own = ui.measure(role, choice_label(ui, panel, i)).x;
      widest = std::max(widest, own);
      total += own;
    }
  };
  measure();
  if (total + kPanels * ui.px(4) > width) role = FontRole::kLabel, measure();
  const bool alike = kPanels * (widest + ui.px(4)) <= width;
  float x = at.x;
  for (int i = 0; i < kPanels; ++i) {
    const std::string_view label = choice_label(ui, panel, i);
    const ImVec2 words = ui.measure(role, label);
    const float tab = alike ? width / kPanels : words.x + (width - total) / kPanels;
    const Rect rect = box(x, at.y, tab, height);
    x += tab;
    ImGui::SetCursorScreenPos(rect.min);
    if (ImGui::InvisibleButton(("tab" + std::to_string(i)).c_str(),
                               ImVec2(rect.width(), rect.height()))) {
      set_property(panel, static_cast<double>(i));
      ui.changed = true;
    }
    const bool chosen = i == settings.panel;
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (ImGui::IsItemHovered() && !chosen) {
      list.AddRectFilled(rect.min, rect.max, ui.colour(ui.palette.raised), ui.px(6),
                         ImDrawFlags_RoundCornersTop);
    }
    ui.text(ImVec2(rect.min.x + std::max(ui.px(1), (tab - words.x) / 2),
                   rect.min.y + (height - words.y) / 2),
            role, chosen ? ui.palette.accent : ui.palette.muted, label,
            {.max_width = tab - ui.px(2)});
    if (chosen) {
      list.AddRectFilled(ImVec2(rect.min.x, rect.max.y - ui.px(2)), rect.max,
                         ui.colour(ui.palette.accent));
    }
    ui.mirror.place("tab_" + std::string(panel.choices[static_cast<size_t>(i)]), rect);
  }
  return at.y + height;
}

}  // namespace tp::ui
