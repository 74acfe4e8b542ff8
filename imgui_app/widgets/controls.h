#pragma once

#include <span>
#include <string_view>

#include "imgui_app/draw/ui.h"
#include "imgui_app/widgets/button.h"

// Controls drawn from the property table. Each says where it is to the mirror, whose DOM twin takes
// the keyboard, so none of them needs keyboard handling of its own.

namespace tp::ui {

float control_height(const Ui& ui);  // of a button, a combo box or a text field

// Label, "?" and value above, the track below. Returns the height used.
float slider(Ui& ui, const Property& property, ImVec2 position, float width);
// A field alone; its explanation shows on hover.
void text_box(Ui& ui, const Property& property, std::string_view hint, Rect rect);
// Label above, field below. Returns the height used.
float text_field(Ui& ui, const Property& property, std::string_view hint, ImVec2 position,
                 float width);
// Label before the box, both in one line of control_height(); without label when `width` is short.
void combo_box(Ui& ui, const Property& property, Rect rect, bool labelled = true);
// Whatever suits the kind of the setting, with its label. Returns the height used.
float setting_control(Ui& ui, const Property& property, ImVec2 position, float width);
// A box with a tick and its label, in one line of control_height().
void check_box(Ui& ui, const Property& property, Rect rect);
// The values of a choice side by side; the chosen one is raised.
void segments(Ui& ui, const Property& property, Rect rect);
// Only some of them, and another one chosen than the setting says: for what is not there now.
void segments(Ui& ui, const Property& property, Rect rect, std::span<const int> offered,
              int chosen);

// The explanation as a bubble beside the pointer while the last item is hovered.
void tooltip(Ui& ui, std::string_view text);

// The label and the values of a setting in the language shown.
std::string_view label_of(const Ui& ui, const ConstProperty& property);
std::string_view help_of(const Ui& ui, const ConstProperty& property);
// The name in the string table of a choice's label.
std::string choice_text_name(const ConstProperty& property, int choice);
std::string_view choice_label(const Ui& ui, const ConstProperty& property, int choice);
// What a choice means where its label does not say it (tip_<setting>_<value>), or nothing.
const char* choice_tip(Language language, const ConstProperty& property, int choice);
// A number as people read it: 10,000 and not 1e+04.
std::string readable_number(double value);
// With fixed decimals and a real minus sign.
std::string signed_number(double value, int decimals);

}  // namespace tp::ui
