// The header: task, preset and the page's own settings, in a menu where there is no space for them.

#include <algorithm>
#include <utility>

#include "imgui_app/app/app.h"
#include "imgui_app/widgets/controls.h"

namespace tp::ui {
namespace {

constexpr float kOneLine = 1100;

constexpr const char* kRunChoices[] = {"task", "preset"};
constexpr const char* kPageChoices[] = {"text_size", "language", "theme"};
constexpr const char* kMenuChoices[] = {"preset", "text_size", "language", "theme"};
// On a phone there is no space for the speed beside Play.
constexpr const char* kPhoneMenuChoices[] = {"preset", "pace", "text_size", "language", "theme"};
constexpr const char* kMenuPopup = "menu of settings";

Rect box(float x, float y, float w, float h) { return {ImVec2(x, y), ImVec2(x + w, y + h)}; }

}  // namespace

float App::draw_header(Ui& ui) {
  const bool toggle_menu = std::exchange(toggle_menu_, false);
  menu_open_ = false;
  const float width = ImGui::GetIO().DisplaySize.x, height = ui.px(ui.touch ? 52 : 48);
  const float margin = ui.px(ui.phone ? 12 : 16), control = control_height(ui);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ui.fill({ImVec2(0, 0), ImVec2(width, height)}, ui.palette.panel);
  list.AddLine(ImVec2(0, height), ImVec2(width, height), ui.colour(ui.palette.hairline));
  const float top = (height - control) / 2;
  if (width >= ui.px(kOneLine)) {
    const float line = ui.measure(FontRole::kHeading, " ").y;
    const ImVec2 name = ui.text(ImVec2(margin, (height - line) / 2), FontRole::kHeading,
                                ui.palette.text, ui.tr(Text::app_name));
    const float keys = ui.px(36), x = margin + name.x + ui.px(24);
    draw_choices(ui, kRunChoices, {ImVec2(x, top), ImVec2(width / 2, top + control)}, false);
    ui.mirror.section(Section::kPage);
    button(ui,
           {.name = "tour",
            .label = "?",
            .command = ui_command::Tour{},
            .pressed = tour_ > 0 || show_keys_,
            .rect = box(width - margin - keys, top, keys, control)},
           ButtonLook::kQuiet);
    draw_choices(ui, kPageChoices,
                 {ImVec2(x, top), ImVec2(width - margin - keys - ui.px(8), top + control)}, false);
    return height;
  }
  const float menu = button_width(ui, ui.tr(Text::menu));
  const Properties table = link_.editor().properties();
  Property task = *find_property(table, "task");
  const float task_width = std::min(width - 2 * margin - menu - ui.px(8), ui.px(320));
  combo_box(ui, task, box(margin, top, task_width, control));
  button(ui,
         {.name = "menu",
          .label = ui.tr(Text::menu),
          .command = ui_command::Menu{},
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
  const std::span<const char* const> names =
      ui.phone ? std::span<const char* const>(kPhoneMenuChoices) : kMenuChoices;
  const float padding = ui.px(16), control = control_height(ui), row = control + ui.px(8);
  const float inner = rect.width() - 2 * padding;
  const std::string progress = ui.phone ? play_bar_.progress(ui, run()) : std::string();
  const float words = ui.phone ? ui.measure(FontRole::kLabel, progress, inner).y + ui.px(8) : 0;
  const float choices = row * static_cast<float>(names.size());
  ImGui::SetNextWindowPos(rect.min);
  ImGui::SetNextWindowSize(ImVec2(rect.width(), choices + words + row + control + 2 * padding));
  if (!ImGui::BeginPopup(kMenuPopup, ImGuiWindowFlags_NoMove)) return;
  menu_open_ = !close;
  const ImVec2 at(rect.min.x + padding, rect.min.y + padding);
  draw_choices(ui, names, box(at.x, at.y, inner, control), true);
  float y = at.y + choices;
  bool chosen = false;
  const auto put = [&](const char* name, Text label, UiCommand command) {
    chosen |= button(ui,
                     {.name = name,
                      .label = ui.tr(label),
                      .command = std::move(command),
                      .rect = box(at.x, y, inner, control)},
                     ButtonLook::kFramed);
    y += row;
  };
  put("tour", Text::tour_title, ui_command::Tour{});
  put("keys", Text::keys, ui_command::Keys{});
  if (ui.phone) {
    ui.text(ImVec2(at.x, y), FontRole::kLabel, ui.palette.muted, progress, {.wrap_width = inner});
  }
  if (close || chosen) ImGui::CloseCurrentPopup();
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

}  // namespace tp::ui
