#pragma once

#include <string>
#include <string_view>

#include "imgui_app/draw/ui.h"

namespace tp::ui {

enum class ButtonLook {
  kQuiet,    // words alone: for what is seldom needed
  kFramed,   // an edge
  kPrimary,  // the one thing to press
};
enum class Icon { kNone, kPlay, kPause, kStep, kReset, kDice, kBefore, kAfter };
// What a press does is a command, and so its DOM twin does the same.
// `action.rect` is where it is drawn. True when it was pressed.
bool button(Ui& ui, Action action, ButtonLook look, Icon icon = Icon::kNone);
// Words that can be pressed and whose press the caller deals with: for menus.
bool quiet_button(Ui& ui, std::string_view name, std::string_view label, Rect rect);
float button_width(const Ui& ui, std::string_view label);

// At the right end of a panel's heading, `there` to the left of it.
void heading_button(Ui& ui, Action action, Rect panel, float there = 0);
// The same, which saves the panel as a picture.
void picture_link(Ui& ui, const std::string& place, Rect panel, float there = 0);

}  // namespace tp::ui
