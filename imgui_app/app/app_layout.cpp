// Where everything is: three columns on a desk, one with tabs in a narrow page, and on a phone the
// play bar at the lower edge.

#include <algorithm>
#include <cmath>
#include <utility>

#include "imgui_app/app/app.h"
#include "imgui_app/widgets/controls.h"

namespace tp::ui {
namespace {

constexpr float kThreeColumns = 1100, kTwoColumns = 840, kPhone = 480;
constexpr float kBarHeight = 60, kTabsHeight = 48;  // at the lower edge of a phone

constexpr const char* kRunChoices[] = {"task", "preset"};
constexpr const char* kPageChoices[] = {"text_size", "language", "theme"};
constexpr const char* kMenuChoices[] = {"preset", "text_size", "language", "theme"};
// On a phone there is no room for the speed beside Play.
constexpr const char* kPhoneMenuChoices[] = {"preset", "pace", "text_size", "language", "theme"};
constexpr const char* kMenuPopup = "menu of settings";

Rect box(float x, float y, float w, float h) { return {ImVec2(x, y), ImVec2(x + w, y + h)}; }

}  // namespace

void App::draw_page(Ui& ui) {
  const float width = ImGui::GetIO().DisplaySize.x;
  const bool phone = width < ui.px(kPhone);
  const float margin = ui.px(phone ? 12 : 16), inner = width - 2 * margin;
  const float visible = surroundings.visible_height * surroundings.ratio, footer = ui.px(32);
  wide_ = width >= ui.px(kTwoColumns) && !settings.embed;

  float y = settings.embed ? ui.px(4) : draw_header(ui);
  if (!phone) y = play_bar_.draw(ui, run_, ImVec2(margin, y), inner);
  y += draw_story_line(ui, ImVec2(margin, y + ui.px(4)), inner) + ui.px(12);
  y = draw_notices(ui, y, inner);
  const float bar = phone ? ui.px(settings.embed ? kBarHeight : kBarHeight + kTabsHeight) : 0;
  const float room = visible - y - footer - ui.px(4) - bar;
  y = wide_ ? draw_wide(ui, ImVec2(margin, y), inner, room)
            : draw_column(ui, ImVec2(margin, y), inner, room);
  draw_footer(ui, y + ui.px(4));
  y += ui.px(4) + footer + bar;
  content_height_ = std::ceil(y / surroundings.ratio);
  if (phone) draw_bottom_bar(ui, width);
  if (show_keys_) draw_keys(ui);
}

// --------------------------------------------------------------------------------------- columns

float App::draw_wide(Ui& ui, ImVec2 at, float width, float room) {
  const Panel panel = settings.panel;
  const float gap = ui.px(16);
  if (panel == Panel::kPositions || panel == Panel::kSetup) {  // these take all of the width
    const float y = draw_tabs(ui, at, width) + ui.px(8);
    if (panel == Panel::kSetup) return setup_.draw_all(ui, editor_, run_, ImVec2(at.x, y), width);
    return positions_.draw(ui, model_positions(), ImVec2(at.x, y), width, room - (y - at.y));
  }
  const bool three = width >= ui.px(kThreeColumns - 32);
  const float left = three ? ui.px(256) : 0, first = three ? left + gap : 0;
  const float right = std::round(std::max(ui.px(three ? 424 : 340), (width - left) * 0.4f));
  const float centre = width - first - right - gap;
  const float tabs_height = ui.px(ui.touch ? 52 : 40);
  const float needed =
      panel == Panel::kCurves ? tabs_height + curves_.height_for(ui, centre, false) : 0;
  const float height = std::max({room, ui.px(608), needed});
  if (three) setup_.draw_basics(ui, editor_, run_, box(at.x, at.y, left, height));
  const float x = at.x + first, tabs = draw_tabs(ui, ImVec2(x, at.y), centre) + ui.px(8);
  draw_panel(ui, panel, {ImVec2(x, tabs), ImVec2(x + centre, at.y + height)}, true);
  // The tab chosen changes places with what is in the right column.
  const Panel upper = panel == Panel::kCurves ? Panel::kAttention : Panel::kCurves;
  const Panel lower = panel == Panel::kTry ? Panel::kAttention : Panel::kTry;
  const float third = x + centre + gap;
  const float share = upper == Panel::kAttention   ? 0.58f
                      : lower == Panel::kAttention ? 0.4f
                                                   : 0.43f;
  const float upper_height = std::round((height - gap) * share);
  draw_panel(ui, upper, box(third, at.y, right, upper_height), false);
  draw_panel(ui, lower, box(third, at.y + upper_height + gap, right, height - upper_height - gap),
             false);
  return at.y + height;
}

float App::draw_column(Ui& ui, ImVec2 at, float width, float room) {
  const Panel panel = settings.panel;
  const float gap = ui.px(8);
  const bool phone = ImGui::GetIO().DisplaySize.x < ui.px(kPhone);
  float y = at.y;
  if (!settings.embed && !phone) y = draw_tabs(ui, at, width) + gap;
  const float strip = ui.px(phone ? 72 : 124), line = ui.px(phone ? 48 : 0);
  const auto place = [&](float height) {
    const Rect rect = box(at.x, y, width, height);
    y += height + gap;
    return rect;
  };
  switch (panel) {
    case Panel::kPositions:
      y = positions_.draw(ui, model_positions(), ImVec2(at.x, y), width, room - (y - at.y)) + gap;
      break;
    case Panel::kSetup:
      y = setup_.draw_all(ui, editor_, run_, ImVec2(at.x, y), width) + gap;
      break;
    case Panel::kAttention: {
      const float needed = attention_.height_for(ui, width);
      const float left = room - (y - at.y) - (settings.embed ? 0 : strip + line + 2 * gap);
      draw_panel(ui, panel, place(std::max(needed, settings.embed ? left : needed)), true);
      if (!settings.embed) curves_.draw_mini(ui, run_, place(strip));
      if (!settings.embed && phone) try_.draw_line(ui, run_, place(line));
      break;
    }
    case Panel::kCurves:
      draw_panel(ui, panel, place(std::max(curves_.height_for(ui, width), room - (y - at.y))),
                 true);
      break;
    case Panel::kTry:
      draw_panel(ui, panel, place(std::max(try_.height_for(ui, width), room - (y - at.y))), true);
      break;
  }
  return y - gap;
}

ModelPositions App::model_positions() const {
  const ModelConfig& model = editor_.running().model();
  return {.kind = model.positions,
          .d_head = model.d_head(),
          .base = model.position_base,
          .learned = run_.now().positions,
          .step = run_.now().moment.step};
}

void App::draw_panel(Ui& ui, Panel panel, Rect rect, bool complete) {
  switch (panel) {
    case Panel::kCurves:
      return curves_.draw(ui, run_, rect, complete);
    case Panel::kAttention:
      return attention_.draw(ui, run_, rect);
    case Panel::kTry:
      return try_.draw(ui, run_, rect, complete);
    case Panel::kPositions:
    case Panel::kSetup:
      return;  // these decide their own height
  }
}

float App::draw_tabs(Ui& ui, ImVec2 at, float width) {
  const Properties table = properties(settings);
  const Property& panel = *find_property(table, "panel");
  const float height = ui.px(ui.touch ? 44 : 32), tab = width / kPanels;
  const float line = ui.measure(FontRole::kBody, " ").y;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddLine(ImVec2(at.x, at.y + height), ImVec2(at.x + width, at.y + height),
               ui.colour(ui.palette.hairline));
  for (int i = 0; i < kPanels; ++i) {
    const Rect rect = box(at.x + tab * static_cast<float>(i), at.y, tab, height);
    ImGui::SetCursorScreenPos(rect.min);
    if (ImGui::InvisibleButton(("tab" + std::to_string(i)).c_str(),
                               ImVec2(rect.width(), rect.height()))) {
      set_property(panel, static_cast<double>(i));
      ui.changed = true;
    }
    const bool chosen = i == static_cast<int>(settings.panel);
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (ImGui::IsItemHovered() && !chosen) {
      list.AddRectFilled(rect.min, rect.max, ui.colour(ui.palette.raised), ui.px(6),
                         ImDrawFlags_RoundCornersTop);
    }
    const std::string_view label = choice_label(ui, panel, i);
    const FontRole role =
        ui.measure(FontRole::kBody, label).x <= tab - ui.px(4) ? FontRole::kBody : FontRole::kLabel;
    const float own = std::min(ui.measure(role, label).x, tab - ui.px(2));
    ui.text(ImVec2(rect.min.x + (tab - own) / 2, rect.min.y + (height - line) / 2), role,
            chosen ? ui.palette.accent : ui.palette.muted, label, {.max_width = tab - ui.px(2)});
    if (chosen) {
      list.AddRectFilled(ImVec2(rect.min.x, rect.max.y - ui.px(2)), rect.max,
                         ui.colour(ui.palette.accent));
    }
    ui.mirror.place("tab_" + std::string(panel.choices[static_cast<size_t>(i)]), rect);
  }
  return at.y + height;
}

// -------------------------------------------------------------------------- above and below them

float App::draw_header(Ui& ui) {
  const bool toggle_menu = std::exchange(toggle_menu_, false);
  menu_open_ = false;
  const float width = ImGui::GetIO().DisplaySize.x, height = ui.px(ui.touch ? 52 : 48);
  const float margin = ui.px(width < ui.px(kPhone) ? 12 : 16), control = control_height(ui);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ui.fill({ImVec2(0, 0), ImVec2(width, height)}, ui.palette.panel);
  list.AddLine(ImVec2(0, height), ImVec2(width, height), ui.colour(ui.palette.hairline));
  const float top = (height - control) / 2;
  if (width >= ui.px(kThreeColumns)) {
    const float line = ui.measure(FontRole::kHeading, " ").y;
    const ImVec2 name = ui.text(ImVec2(margin, (height - line) / 2), FontRole::kHeading,
                                ui.palette.text, ui.tr(Text::app_name));
    const float keys = ui.px(36), x = margin + name.x + ui.px(24);
    draw_choices(ui, kRunChoices, {ImVec2(x, top), ImVec2(width / 2, top + control)}, false);
    button(ui,
           {.name = "keys",
            .label = "?",
            .command = R"({"type":"keys"})",
            .pressed = show_keys_,
            .rect = box(width - margin - keys, top, keys, control)},
           ButtonLook::kQuiet);
    draw_choices(ui, kPageChoices,
                 {ImVec2(x, top), ImVec2(width - margin - keys - ui.px(8), top + control)}, false);
    return height;
  }
  const float menu = button_width(ui, ui.tr(Text::menu));
  const Properties table = editor_.properties();
  Property task = *find_property(table, "task");
  const float task_width = std::min(width - 2 * margin - menu - ui.px(8), ui.px(320));
  combo_box(ui, task, box(margin, top, task_width, control));
  button(ui,
         {.name = "menu",
          .label = ui.tr(Text::menu),
          .command = R"({"type":"menu"})",
          .pressed = ImGui::IsPopupOpen(kMenuPopup),
          .rect = box(width - margin - menu, top, menu, control)},
         ButtonLook::kQuiet);
  const bool close = toggle_menu && ImGui::IsPopupOpen(kMenuPopup);
  if (toggle_menu && !close) ImGui::OpenPopup(kMenuPopup);
  const float popup = std::min(width - 2 * margin, ui.px(300));
  draw_menu(ui, box(width - margin - popup, height + ui.px(4), popup, 0), close);
  return height;
}

// Everything else of the header, and on a phone of the play bar: from the top of `rect` on.
void App::draw_menu(Ui& ui, Rect rect, bool close) {
  const bool phone = ImGui::GetIO().DisplaySize.x < ui.px(kPhone);
  const std::span<const char* const> names =
      phone ? std::span<const char* const>(kPhoneMenuChoices) : kMenuChoices;
  const float padding = ui.px(16), control = control_height(ui), row = control + ui.px(8);
  const float inner = rect.width() - 2 * padding;
  const std::string progress = phone ? play_bar_.progress(ui, run_) : std::string();
  const float words = phone ? ui.measure(FontRole::kLabel, progress, inner).y + ui.px(8) : 0;
  const float choices = row * static_cast<float>(names.size());
  ImGui::SetNextWindowPos(rect.min);
  ImGui::SetNextWindowSize(ImVec2(rect.width(), choices + words + control + 2 * padding));
  if (!ImGui::BeginPopup(kMenuPopup, ImGuiWindowFlags_NoMove)) return;
  menu_open_ = !close;
  const ImVec2 at(rect.min.x + padding, rect.min.y + padding);
  draw_choices(ui, names, box(at.x, at.y, inner, control), true);
  const bool keys = button(ui,
                           {.name = "keys",
                            .label = ui.tr(Text::keys),
                            .command = R"({"type":"keys"})",
                            .pressed = show_keys_,
                            .rect = box(at.x, at.y + choices, inner, control)},
                           ButtonLook::kFramed);
  if (phone) {
    ui.text(ImVec2(at.x, at.y + choices + row), FontRole::kLabel, ui.palette.muted, progress,
            {.wrap_width = inner});
  }
  if (close || keys) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

// From the left for the run's, from the right for the page's, or below each other in a menu.
void App::draw_choices(Ui& ui, std::span<const char* const> names, Rect rect, bool vertical) {
  const Properties table = all_properties();
  const float gap = ui.px(vertical ? 8 : 12);
  const auto width_of = [&](const Property& property) {
    float widest = 0;
    for (int i = 0; i < std::ssize(property.choices); ++i) {
      widest = std::max(widest, ui.measure(FontRole::kBody, choice_label(ui, property, i)).x);
    }
    return ui.measure(FontRole::kLabel, label_of(ui, property)).x + widest + ui.px(52);
  };
  float total = -gap;
  for (const char* name : names) total += width_of(*find_property(table, name)) + gap;
  const bool from_right = names.data() == kPageChoices;
  float x = from_right ? rect.max.x - total : rect.min.x, y = rect.min.y;
  for (const char* name : names) {
    const Property& property = *find_property(table, name);
    if (vertical) {
      combo_box(ui, property, box(rect.min.x, y, rect.width(), rect.height()));
      y += rect.height() + gap;
      continue;
    }
    const float width = width_of(property);
    combo_box(ui, property, box(x, y, width, rect.height()));
    x += width + gap;
  }
}

// The story, and when it is at an end, where to go from there.
float App::draw_story_line(Ui& ui, ImVec2 at, float width) {
  float used = draw_story(ui, run_, at, width);
  if (settings.pace == Pace::k1) {
    used += ui.px(6) + flow_.draw(ui, run_, ImVec2(at.x, at.y + used + ui.px(6)), width);
  }
  if (run_.now().state != RunState::solved || settings.embed) return used;
  struct Next {
    const char* name;
    Text label;
  };
  float x = at.x, y = at.y + used + ui.px(8);
  const float height = control_height(ui);
  for (const Next& next :
       {Next{"next_longer", Text::next_longer}, Next{"next_sort", Text::next_sort},
        Next{"next_translate", Text::next_translate}}) {
    const float own = button_width(ui, ui.tr(next.label)) + ui.px(8);
    if (x + own > at.x + width && x > at.x) x = at.x, y += height + ui.px(8);
    button(ui,
           {.name = next.name,
            .label = ui.tr(next.label),
            .command = std::string(R"({"type":")") + next.name + "\"}",
            .rect = box(x, y, own, height)},
           ButtonLook::kFramed);
    x += own + ui.px(8);
  }
  return y + height - at.y;
}

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
           .command = R"({"type":"continue_kept"})"},
          {.name = "discard_kept",
           .label = ui.tr(Text::discard_saved),
           .command = R"({"type":"discard_kept"})"}}});
  }
  for (size_t i = 0; i < notices_.size(); ++i) {
    const std::string number = std::to_string(i);
    strips.push_back({notices_[i],
                      {{.name = "close_notice_" + number,
                        .label = ui.tr(Text::close),
                        .command = R"({"type":"close_notice","index":)" + number + "}"}}});
  }
  if (settings.language != shown_language_) {
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
  const float tabs = settings.embed ? 0 : ui.px(kTabsHeight), height = ui.px(kBarHeight) + tabs;
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
  if (!settings.embed) draw_tabs(ui, ImVec2(ui.px(12), rect.min.y), width - ui.px(24));
  play_bar_.draw_small(ui, run_,
                       box(ui.px(12), rect.min.y + tabs + ui.px(8), width - ui.px(24), ui.px(44)));
  list.PopClipRect();
}

void App::draw_footer(Ui& ui, float top) {
  const float margin = ui.px(16), height = ui.px(24), width = ImGui::GetIO().DisplaySize.x;
  const bool embed = settings.embed;
  const char* label = ui.tr(embed ? Text::open_full_page : Text::licences);
  const float own = button_width(ui, label), line = ui.measure(FontRole::kLabel, " ").y;
  const Snapshot& now = run_.now();
  std::string text = ui.tr(Text::privacy);
  if (now.parameters > 0) {
    const std::string sizes =
        fill(ui.tr(Text::footer_sizes),
             {readable_number(static_cast<double>(now.parameters)),
              readable_number(std::ceil(static_cast<double>(now.bytes) / 1048576))});
    const std::string both = sizes + " · " + text;
    if (ui.measure(FontRole::kLabel, both).x <= width - 2 * margin - own) text = both;
  }
  ui.text(ImVec2(margin, top + (height - line) / 2), FontRole::kLabel, ui.palette.muted, text,
          {.max_width = width - 2 * margin - own});
  const Rect rect = box(width - margin - own, top, own, height);
  if (embed) {
    button(ui,
           {.name = "open_full_page",
            .label = label,
            .command = R"({"type":"open_full_page"})",
            .rect = rect},
           ButtonLook::kQuiet);
  } else if (quiet_button(ui, "licences", label, rect)) {  // a link in the DOM
    platform_.open_licences();
  }
}

void App::draw_keys(Ui& ui) {
  struct Key {
    std::string key;
    Text what;
  };
  const Key keys[] = {{ui.tr(Text::key_space), Text::key_play},
                      {"S", Text::key_step},
                      {"R", Text::key_reset},
                      {"N", Text::key_seed},
                      {"−  +", Text::key_pace},
                      {"←  →", Text::key_moment},
                      {"1 – 5", Text::key_tabs},
                      {"?", Text::key_sheet}};
  const float width = ImGui::GetIO().DisplaySize.x, row = ui.px(28);
  const float panel_width = std::min(ui.px(360), width - ui.px(24));
  const float height = row * std::size(keys) + ui.px(112);
  const float top = surroundings.scroll_top * surroundings.ratio + ui.px(120);
  ImGui::SetNextWindowPos(ImVec2((width - panel_width) / 2, top));
  ImGui::SetNextWindowSize(ImVec2(panel_width, height));
  ImGui::SetNextWindowFocus();
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ui.colour(ui.palette.panel));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  if (ImGui::Begin("keys", nullptr,
                   ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                       ImGuiWindowFlags_NoSavedSettings)) {
    const Rect rect = box((width - panel_width) / 2, top, panel_width, height);
    const Rect inside = ui.panel(rect, ui.tr(Text::keys));
    float y = inside.min.y;
    std::string spoken;
    for (const Key& key : keys) {
      ui.text(ImVec2(inside.min.x, y), FontRole::kNumber, ui.palette.accent, key.key);
      ui.text(ImVec2(inside.min.x + ui.px(104), y), FontRole::kBody, ui.palette.text,
              ui.tr(key.what), {.max_width = inside.width() - ui.px(104)});
      spoken += key.key + ": " + ui.tr(key.what) + "; ";
      y += row;
    }
    ui.mirror.readout({"keys", ui.tr(Text::keys), spoken});
    button(ui,
           {.name = "close_keys",
            .label = ui.tr(Text::close),
            .command = R"({"type":"keys"})",
            .rect = box(inside.min.x, inside.max.y - control_height(ui), inside.width(),
                        control_height(ui))},
           ButtonLook::kFramed);
  }
  ImGui::End();
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
}

}  // namespace tp::ui
