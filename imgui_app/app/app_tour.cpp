// Help over the living page: a tour that points at what it speaks of, and the sheet of keys.

#include <algorithm>
#include <cmath>

#include "imgui_app/app/app.h"
#include "imgui_app/app/measures.h"
#include "imgui_app/widgets/controls.h"

namespace tp::ui {
namespace {

// A text and where its arrow ends: at this share of the place's width and height. Where the first
// place is not shown, the second.
struct TourStep {
  Text text;
  const char *place, *otherwise;
  float x, y;
};
constexpr TourStep kTour[] = {
    {Text::tour_play, "play_pause", "", 0.5f, 1},
    {Text::tour_rows, "attention_map", "attention", 0, 0.5f},
    {Text::tour_columns, "attention_map", "attention", 0.5f, 0},
    {Text::tour_targets, "attention_targets", "attention_map", 0.5f, 0.5f},
    {Text::tour_heads, "attention_head_1", "attention_layer_1_head_1", 0.5f, 0.5f},
    {Text::tour_curves, "curves", "mini_curve", 0.5f, 0.3f},
    {Text::tour_more, "tab_try", "tab_setup", 0.5f, 0.5f},
};
constexpr int kTourSteps = static_cast<int>(std::size(kTour));

Rect box(float x, float y, float w, float h) { return {ImVec2(x, y), ImVec2(x + w, y + h)}; }

bool inside(Rect inner, Rect outer) {
  return inner.min.x >= outer.min.x && inner.min.y >= outer.min.y && inner.max.x <= outer.max.x &&
         inner.max.y <= outer.max.y;
}

// Beside the place, where there is space in what is seen; else at the lower edge of that.
Rect put_beside(Rect place, ImVec2 size, float gap, Rect seen) {
  const auto clamp = [](float low, float value, float high) {
    return std::max(low, std::min(value, high));
  };
  const float x = clamp(seen.min.x, (place.min.x + place.max.x - size.x) / 2, seen.max.x - size.x);
  const float y = clamp(seen.min.y, (place.min.y + place.max.y - size.y) / 2, seen.max.y - size.y);
  for (const ImVec2 at :
       {ImVec2(place.max.x + gap, y), ImVec2(x, place.max.y + gap),
        ImVec2(x, place.min.y - gap - size.y), ImVec2(place.min.x - gap - size.x, y)}) {
    const Rect rect = box(at.x, at.y, size.x, size.y);
    if (inside(rect, seen)) return rect;
  }
  return box(x, seen.max.y - size.y, size.x, size.y);
}

// From the edge of `card` to `end`.
void draw_arrow(Ui& ui, Rect card, ImVec2 end) {
  const ImVec2 from(std::clamp(end.x, card.min.x, card.max.x),
                    std::clamp(end.y, card.min.y, card.max.y));
  const float dx = end.x - from.x, dy = end.y - from.y, length = std::hypot(dx, dy);
  if (length < ui.px(8)) return;
  const ImVec2 along(dx / length, dy / length);
  const float head = ui.px(9), half = ui.px(5);
  const ImVec2 neck(end.x - along.x * head, end.y - along.y * head);
  const ImU32 colour = ui.colour(ui.palette.accent);
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  list.AddLine(from, neck, colour, ui.px(2));
  list.AddTriangleFilled(end, ImVec2(neck.x - along.y * half, neck.y + along.x * half),
                         ImVec2(neck.x + along.y * half, neck.y - along.x * half), colour);
}

// The window of both, with a tab for each; what is inside is drawn by `draw` below them.
template <class Draw>
void draw_sheet(Ui& ui, const char* name, Rect rect, Draw draw) {
  ImGui::SetNextWindowPos(rect.min);
  ImGui::SetNextWindowSize(ImVec2(rect.width(), rect.height()));
  ImGui::SetNextWindowFocus();
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ui.colour(ui.palette.panel));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  if (ImGui::Begin(name, nullptr,
                   ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                       ImGuiWindowFlags_NoSavedSettings)) {
    ui.card(rect);
    const float padding = ui.px(12), height = control_height(ui);
    const bool tour = std::string_view(name) == "tour";
    float x = rect.min.x + padding;
    for (const bool keys : {false, true}) {
      const char* label = ui.tr(keys ? Text::keys : Text::tour);
      const float width = button_width(ui, label);
      button(ui,
             {.name = keys ? "keys_tab" : "tour_tab",
              .label = label,
              .command = keys ? UiCommand(ui_command::Keys{}) : ui_command::Tour{1},
              .enabled = keys == tour,
              .pressed = keys != tour,
              .rect = box(x, rect.min.y + padding, width, height)},
             ButtonLook::kQuiet);
      x += width + ui.px(4);
    }
    draw(Rect{ImVec2(rect.min.x + padding, rect.min.y + padding + height + ui.px(8)),
              ImVec2(rect.max.x - padding, rect.max.y - padding)});
  }
  ImGui::End();
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
}

}  // namespace

void App::go_to_tour(int step) {
  show_keys_ = false;
  tour_ = step > kTourSteps ? 0 : step;
  tour_scrolled_ = 0;
  stop_offering_tour();
}

void App::stop_offering_tour() {
  if (offers_tour_) platform_.tour_seen();
  offers_tour_ = false;
}

void App::draw_tour(Ui& ui) {
  const TourStep& step = kTour[tour_ - 1];
  const float ratio = surroundings.ratio, width = ImGui::GetIO().DisplaySize.x;
  const float bar = ui.phone ? ui.px(kLowerBar + kLowerTabs) : 0, edge = ui.px(8);
  const float top = surroundings.scroll_top * ratio;
  const Rect seen{ImVec2(edge, top + edge),
                  ImVec2(width - edge, top + surroundings.visible_height * ratio - bar - edge)};
  const auto& places = mirror_.places();
  auto found = places.find(step.place);
  if (found == places.end()) found = places.find(step.otherwise);
  const Rect place = found == places.end() ? box(width / 2, seen.min.y, 0, 0) : found->second;
  if (tour_scrolled_ != tour_) {  // into the middle, once: then it is the person's to scroll
    tour_scrolled_ = tour_;
    const float middle = (place.min.y + place.max.y) / 2 / ratio;
    // On a phone, Play and the tabs are in the bar, which is always seen.
    const bool in_bar = ui.phone && (tour_ == 1 || tour_ == kTourSteps);
    if (!in_bar && (place.min.y < seen.min.y || place.max.y > seen.max.y)) {
      platform_.scroll_to(std::max(0.0f, middle - surroundings.visible_height / 2));
    }
  }

  const float padding = ui.px(12), control = control_height(ui);
  const float own = std::min(ui.px(340), seen.max.x - seen.min.x), inner = own - 2 * padding;
  const char* text = ui.tr(step.text);
  const float words = ui.measure(FontRole::kBody, text, inner).y;
  const ImVec2 size(own, 2 * padding + 2 * control + words + ui.px(20));
  const Rect card = put_beside(place, size, ui.px(36), seen);
  draw_sheet(ui, "tour", card, [&](Rect room) {
    ui.text(room.min, FontRole::kBody, ui.palette.text, text, {.wrap_width = inner});
    const std::string number = std::to_string(tour_) + " / " + std::to_string(kTourSteps);
    ui.mirror.readout({"tour", ui.tr(Text::tour), number + ". " + text});
    const float y = room.max.y - control;
    float x = room.min.x;
    const auto put = [&](const char* name, Text label, int to, ButtonLook look, bool enabled) {
      const float needed = button_width(ui, ui.tr(label)) + ui.px(8);
      button(ui,
             {.name = name,
              .label = ui.tr(label),
              .command = ui_command::Tour{to},
              .enabled = enabled,
              .rect = box(x, y, needed, control)},
             look);
      x += needed + ui.px(8);
    };
    const bool last = tour_ == kTourSteps;
    put("tour_back", Text::tour_back, tour_ - 1, ButtonLook::kFramed, tour_ > 1);
    if (!last) put("tour_next", Text::tour_next, tour_ + 1, ButtonLook::kPrimary, true);
    put("tour_close", Text::close, -1, last ? ButtonLook::kPrimary : ButtonLook::kQuiet, true);
    const ImVec2 extent = ui.measure(FontRole::kLabel, number);
    ui.text(ImVec2(room.max.x - extent.x, y + (control - extent.y) / 2), FontRole::kLabel,
            ui.palette.muted, number);
  });
  ui.mirror.place("tour_card", card);
  if (found == places.end()) return;
  ui.mirror.place("tour_target", place);
  ImGui::GetForegroundDrawList()->AddRect(place.min, place.max, ui.colour(ui.palette.accent),
                                          ui.px(6), 0, ui.px(2));
  draw_arrow(ui, card,
             ImVec2(place.min.x + step.x * place.width(), place.min.y + step.y * place.height()));
}

void App::draw_keys(Ui& ui) {
  const std::vector<KeyLine> keys = key_sheet(ui.language, kPanels);
  const float width = ImGui::GetIO().DisplaySize.x, row = ui.px(28), control = control_height(ui);
  const float own = std::min(ui.px(360), width - ui.px(24));
  const float height = row * static_cast<float>(keys.size()) + 2 * control + ui.px(48);
  const float top = surroundings.scroll_top * surroundings.ratio + ui.px(120);
  draw_sheet(ui, "keys", box((width - own) / 2, top, own, height), [&](Rect room) {
    float y = room.min.y;
    std::string spoken;
    for (const KeyLine& key : keys) {
      ui.text(ImVec2(room.min.x, y), FontRole::kNumber, ui.palette.accent, key.keys);
      ui.text(ImVec2(room.min.x + ui.px(104), y), FontRole::kBody, ui.palette.text, ui.tr(key.what),
              {.max_width = room.width() - ui.px(104)});
      spoken += key.keys + ": " + ui.tr(key.what) + "; ";
      y += row;
    }
    ui.mirror.readout({"keys", ui.tr(Text::keys), spoken});
    button(ui,
           {.name = "close_keys",
            .label = ui.tr(Text::close),
            .command = ui_command::Keys{},
            .rect = box(room.min.x, room.max.y - control, room.width(), control)},
           ButtonLook::kFramed);
  });
}

}  // namespace tp::ui
