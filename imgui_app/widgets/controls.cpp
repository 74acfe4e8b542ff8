#include "imgui_app/widgets/controls.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "engine/core/check.h"
#include "imgui_app/platform/platform.h"

namespace tp::ui {
namespace {

std::string_view named(const Ui& ui, const std::string& name) {
  const std::optional<std::string_view> text = named_text(name, ui.language);
  TP_CHECK(text.has_value(), "a setting has no text in imgui_app/strings/table.inc");
  return *text;
}

// What the track of a slider stands for.
double first_of(const Property& p) { return p.from < p.to ? p.from : p.minimum; }
double last_of(const Property& p) { return p.from < p.to ? p.to : p.maximum; }

double share_of(const Property& p, double value) {
  const double first = first_of(p), last = last_of(p);
  if (last <= first || value <= first) return 0;
  const double share = p.logarithmic ? std::log(value / first) / std::log(last / first)
                                     : (value - first) / (last - first);
  return std::min(share, 1.0);
}

// The nearest allowed value; those that go by ratios are rounded to two leading digits.
double value_at(const Property& p, double share) {
  const double first = first_of(p), last = last_of(p);
  double value = first + share * (last - first);
  if (p.logarithmic) {
    value = first * std::pow(last / first, share);
    const double unit = std::pow(10, std::floor(std::log10(value)) - 1);
    value = std::clamp(std::round(value / unit) * unit, first, last);
  }
  if (p.kind == Property::Kind::kReal) return value;
  const double steps = std::round((value - p.minimum) / p.step);
  return std::min(p.minimum + steps * p.step, p.maximum);
}

// Label and "?" at the left of a line.
void label_line(Ui& ui, const Property& property, ImVec2 position, float width) {
  const std::string_view label = label_of(ui, property);
  const float mark = ui.px(18);
  const ImVec2 size = ui.text(position, FontRole::kLabel, ui.palette.muted, label,
                              {.max_width = width - mark - ui.px(6)});
  const ImVec2 centre(position.x + size.x + ui.px(6) + mark / 2, position.y + size.y / 2);
  ImGui::SetCursorScreenPos(ImVec2(centre.x - mark / 2, centre.y - mark / 2));
  ImGui::InvisibleButton((std::string("help_") + std::string(property.name)).c_str(),
                         ImVec2(mark, mark));
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddCircle(centre, ui.px(7), ui.colour(hovered ? ui.palette.accent : ui.palette.edge), 0,
                 std::max(1.0f, ui.px(1)));
  const ImFont* font = ui.fonts[FontRole::kSmallNumber];
  const float glyph = font->FontSize * 0.85f;
  const ImVec2 extent = font->CalcTextSizeA(glyph, FLT_MAX, 0, "?");
  list.AddText(font, glyph,
               ImVec2(std::round(centre.x - extent.x / 2), std::round(centre.y - extent.y / 2)),
               ui.colour(hovered ? ui.palette.accent : ui.palette.muted), "?");
  tooltip(ui, help_of(ui, property));
}

void frame(Ui& ui, Rect rect, bool hovered) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(rect.min, rect.max, ui.colour(hovered ? ui.palette.raised : ui.palette.panel),
                     ui.px(6));
  list.AddRect(rect.min, rect.max, ui.colour(ui.palette.edge), ui.px(6), 0,
               std::max(1.0f, ui.px(1)));
}

}  // namespace

std::string_view label_of(const Ui& ui, const ConstProperty& property) {
  return named(ui, "setting_" + std::string(property.name));
}
std::string_view help_of(const Ui& ui, const ConstProperty& property) {
  return named(ui, "help_" + std::string(property.name));
}
std::string_view choice_label(const Ui& ui, const ConstProperty& property, int choice) {
  return named(ui, choice_text_name(property, choice));
}

std::string choice_text_name(const ConstProperty& property, int choice) {
  std::string name = "choice_" + std::string(property.name) + "_" +
                     std::string(property.choices[static_cast<size_t>(choice)]);
  std::ranges::replace(name, '-', '_');
  return name;
}

const char* choice_tip(Language language, const ConstProperty& property, int choice) {
  const std::optional<Text> text =
      text_named("tip_" + choice_text_name(property, choice).substr(std::strlen("choice_")));
  return text ? tr(*text, language) : nullptr;
}

std::string readable_number(double value) {
  char digits[32];
  const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
  std::snprintf(digits, sizeof digits, whole ? "%.0f" : "%.6g", value);
  std::string text = digits;
  const size_t first = value < 0 ? 1 : 0;
  const size_t point = std::min(text.find_first_of(".e"), text.size());
  for (size_t i = point; i > first + 3;) text.insert(i -= 3, ",");
  return text;
}

std::string signed_number(double value, int decimals) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.*f", decimals, std::abs(value));
  const bool zero = std::string_view(digits).find_first_not_of("0.") == std::string_view::npos;
  return (value < 0 && !zero ? "−" : "") + std::string(digits);
}

float control_height(const Ui& ui) { return ui.px(ui.touch ? 44 : 36); }

void tooltip(Ui& ui, std::string_view text) {
  if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem)) return;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(12), ui.px(8)));
  const float wrap = ui.px(260);
  const ImVec2 size = ui.measure(FontRole::kLabel, text, wrap);
  if (ImGui::BeginTooltip()) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::Dummy(size);
    ui.text(at, FontRole::kLabel, ui.palette.text, text, {.wrap_width = wrap});
    ImGui::EndTooltip();
  }
  ImGui::PopStyleVar();
}

float slider(Ui& ui, const Property& property, ImVec2 position, float width) {
  const float line = ui.measure(FontRole::kLabel, " ").y;
  const std::string value = readable_number(property.number());
  const ImVec2 value_size = ui.measure(FontRole::kNumber, value);
  label_line(ui, property, position, width - value_size.x - ui.px(8));
  ui.text(ImVec2(position.x + width - value_size.x, position.y + (line - value_size.y) / 2),
          FontRole::kNumber, ui.palette.text, value);

  const float height = ui.px(ui.touch ? 44 : 28), knob = ui.px(8);
  const Rect area{ImVec2(position.x, position.y + line),
                  ImVec2(position.x + width, position.y + line + height)};
  ImGui::SetCursorScreenPos(area.min);
  ImGui::InvisibleButton(std::string(property.name).c_str(), ImVec2(width, height));
  const bool active = ImGui::IsItemActive(), hovered = ImGui::IsItemHovered();
  ui.mirror.place(property.name, {position, area.max});
  ui.mirror.grabs(area);
  if (active) {
    const float from = area.min.x + knob, to = area.max.x - knob;
    const double share = std::clamp((ImGui::GetIO().MousePos.x - from) / (to - from), 0.0f, 1.0f);
    const double wanted = value_at(property, share);
    if (wanted != property.number()) {
      ui.changed |= set_property(property, wanted) == PropertyProblem::kNone;
    }
  }

  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float y = std::round((area.min.y + area.max.y) / 2), half = ui.px(2);
  const float x = area.min.x + knob +
                  static_cast<float>(share_of(property, property.number())) * (width - 2 * knob);
  list.AddRectFilled(ImVec2(area.min.x, y - half), ImVec2(area.max.x, y + half),
                     ui.colour(ui.palette.hairline), half);
  list.AddRectFilled(ImVec2(area.min.x, y - half), ImVec2(x, y + half),
                     ui.colour(ui.palette.accent), half);
  if (hovered || active) {
    list.AddCircleFilled(ImVec2(x, y), knob * 1.6f, ui.colour(ui.palette.accent, 0.25f));
  }
  list.AddCircleFilled(ImVec2(x, y), knob, ui.colour(ui.palette.accent));
  return line + height;
}

void text_box(Ui& ui, const Property& property, std::string_view hint, Rect rect) {
  const std::string name(property.name), value = property.text();
  ui.mirror.place(name, rect);
  ImGui::SetCursorScreenPos(rect.min);
  if (!ui.dom_text_fields) {
    char buffer[512];
    std::snprintf(buffer, sizeof buffer, "%s", value.c_str());
    ImGui::SetNextItemWidth(rect.width());
    ImGui::PushFont(ui.fonts[FontRole::kBody]);
    if (draw_text_field(("##" + name).c_str(), std::string(hint).c_str(), buffer)) {
      ui.changed |= set_property(property, std::string_view(buffer)) == PropertyProblem::kNone;
    }
    ImGui::PopFont();
    return;
  }
  ImGui::InvisibleButton(name.c_str(), ImVec2(rect.width(), rect.height()));
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
  frame(ui, rect, hovered);
  const ImVec2 size = ui.measure(FontRole::kBody, " ");
  ui.text(ImVec2(rect.min.x + ui.px(10), rect.min.y + (rect.height() - size.y) / 2),
          FontRole::kBody, value.empty() ? ui.palette.muted : ui.palette.text,
          ui.in_one_line(FontRole::kBody, value.empty() ? hint : std::string_view(value),
                         rect.width() - ui.px(20)));
}

float text_field(Ui& ui, const Property& property, std::string_view hint, ImVec2 position,
                 float width) {
  const float line = ui.measure(FontRole::kLabel, " ").y + ui.px(4);
  label_line(ui, property, position, width);
  const float bottom = position.y + line + control_height(ui);
  text_box(ui, property, hint,
           {ImVec2(position.x, position.y + line), ImVec2(position.x + width, bottom)});
  return bottom - position.y;
}

void combo_box(Ui& ui, const Property& property, Rect rect, bool labelled) {
  const std::string name(property.name);
  const int chosen = static_cast<int>(property.number());
  const std::string_view label = label_of(ui, property);
  const float label_width = ui.measure(FontRole::kLabel, label).x;
  const float padding = ui.px(10), arrow = ui.px(20);
  const float value_width =
      ui.measure(FontRole::kBody, choice_label(ui, property, chosen)).x + 2 * padding + arrow;
  Rect box = rect;
  if (labelled && label_width + ui.px(8) + value_width <= rect.width()) {
    const float middle = rect.min.y + (rect.height() - ui.measure(FontRole::kLabel, " ").y) / 2;
    ui.text(ImVec2(rect.min.x, middle), FontRole::kLabel, ui.palette.muted, label);
    box.min.x += label_width + ui.px(8);
  }
  ImGui::SetCursorScreenPos(box.min);
  const bool pressed = ImGui::InvisibleButton(name.c_str(), ImVec2(box.width(), box.height()));
  const bool hovered = ImGui::IsItemHovered();
  tooltip(ui, help_of(ui, property));
  ui.mirror.place(name, box);
  frame(ui, box, hovered);
  const ImVec2 line = ui.measure(FontRole::kBody, " ");
  ui.text(ImVec2(box.min.x + padding, box.min.y + (box.height() - line.y) / 2), FontRole::kBody,
          ui.palette.text, choice_label(ui, property, chosen),
          {.max_width = box.width() - 2 * padding - arrow + ui.px(4)});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 tip(box.max.x - padding - ui.px(5), (box.min.y + box.max.y) / 2 + ui.px(2));
  const ImVec2 points[] = {ImVec2(tip.x - ui.px(5), tip.y - ui.px(5)), tip,
                           ImVec2(tip.x + ui.px(5), tip.y - ui.px(5))};
  list.AddPolyline(points, 3, ui.colour(ui.palette.muted), 0, std::max(1.0f, 1.5f * ui.scale));

  const std::string popup = "choices of " + name;
  if (pressed) ImGui::OpenPopup(popup.c_str());
  ImGui::SetNextWindowPos(ImVec2(box.min.x, box.max.y + ui.px(4)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(4), ui.px(4)));
  if (ImGui::BeginPopup(popup.c_str(), ImGuiWindowFlags_NoMove)) {
    for (int i = 0; i < std::ssize(property.choices); ++i) {
      const std::string_view value = choice_label(ui, property, i);
      const float row = control_height(ui);
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const float width =
          std::max(box.width() - ui.px(8), ui.measure(FontRole::kBody, value).x + 2 * padding);
      if (ImGui::InvisibleButton(std::string(property.choices[static_cast<size_t>(i)]).c_str(),
                                 ImVec2(width, row))) {
        ui.changed |= set_property(property, static_cast<double>(i)) == PropertyProblem::kNone;
        ImGui::CloseCurrentPopup();
      }
      if (ImGui::IsItemHovered()) {
        ImGui::GetWindowDrawList()->AddRectFilled(at, ImVec2(at.x + width, at.y + row),
                                                  ui.colour(ui.palette.raised), ui.px(4));
      }
      ui.text(ImVec2(at.x + padding, at.y + (row - line.y) / 2), FontRole::kBody,
              i == chosen ? ui.palette.accent : ui.palette.text, value);
      ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + row));
    }
    ImGui::Dummy(ImVec2(0, 0));
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

float setting_control(Ui& ui, const Property& property, ImVec2 position, float width) {
  const float control = control_height(ui);
  switch (property.kind) {
    case Property::Kind::kToggle:
      check_box(ui, property, {position, ImVec2(position.x + width, position.y + control)});
      return control;
    case Property::Kind::kChoice: {
      const float line = ui.measure(FontRole::kLabel, " ").y + ui.px(4);
      label_line(ui, property, position, width);
      combo_box(ui, property,
                {ImVec2(position.x, position.y + line),
                 ImVec2(position.x + width, position.y + line + control)},
                false);
      return line + control;
    }
    case Property::Kind::kText:
      return text_field(ui, property, "", position, width);
    case Property::Kind::kInteger:
    case Property::Kind::kReal:
      break;
  }
  return slider(ui, property, position, width);
}

void check_box(Ui& ui, const Property& property, Rect rect) {
  const std::string name(property.name);
  const bool on = property.number() != 0;
  ImGui::SetCursorScreenPos(rect.min);
  if (ImGui::InvisibleButton(name.c_str(), ImVec2(rect.width(), rect.height()))) {
    ui.changed |= set_property(property, on ? 0.0 : 1.0) == PropertyProblem::kNone;
  }
  const bool hovered = ImGui::IsItemHovered();
  tooltip(ui, help_of(ui, property));
  ui.mirror.place(name, rect);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float size = ui.px(18), middle = std::round((rect.min.y + rect.max.y) / 2);
  const Rect box{ImVec2(rect.min.x, middle - size / 2),
                 ImVec2(rect.min.x + size, middle + size / 2)};
  list.AddRectFilled(box.min, box.max,
                     ui.colour(on        ? ui.palette.accent
                               : hovered ? ui.palette.raised
                                         : ui.palette.panel),
                     ui.px(4));
  if (!on) list.AddRect(box.min, box.max, ui.colour(ui.palette.edge), ui.px(4));
  if (on) {
    const ImVec2 tick[] = {ImVec2(box.min.x + size * 0.22f, middle),
                           ImVec2(box.min.x + size * 0.43f, middle + size * 0.22f),
                           ImVec2(box.min.x + size * 0.78f, middle - size * 0.22f)};
    list.AddPolyline(tick, 3, ui.colour(ui.palette.on_accent), 0, ui.px(2));
  }
  const float line = ui.measure(FontRole::kLabel, " ").y;
  ui.text(ImVec2(box.max.x + ui.px(8), middle - line / 2), FontRole::kLabel, ui.palette.text,
          label_of(ui, property), {.max_width = rect.max.x - box.max.x - ui.px(8)});
}

void segments(Ui& ui, const Property& property, Rect rect) {
  std::vector<int> all;
  for (int i = 0; i < std::ssize(property.choices); ++i) all.push_back(i);
  segments(ui, property, rect, all, static_cast<int>(property.number()));
}

void segments(Ui& ui, const Property& property, Rect rect, std::span<const int> offered,
              int chosen) {
  const std::string name(property.name);
  frame(ui, rect, false);
  ui.mirror.place(name, rect);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float width = rect.width() / static_cast<float>(offered.size()), inset = ui.px(3);
  const float line = ui.measure(FontRole::kLabel, " ").y;
  float left = rect.min.x;
  for (const int i : offered) {
    const Rect part{ImVec2(left, rect.min.y), ImVec2(left + width, rect.max.y)};
    left += width;
    ImGui::SetCursorScreenPos(part.min);
    if (ImGui::InvisibleButton((name + std::to_string(i)).c_str(),
                               ImVec2(part.width(), part.height()))) {
      ui.changed |= set_property(property, static_cast<double>(i)) == PropertyProblem::kNone;
    }
    const bool hovered = ImGui::IsItemHovered();
    if (const char* tip = choice_tip(ui.language, property, i)) tooltip(ui, tip);
    if (i == chosen || hovered) {
      list.AddRectFilled(ImVec2(part.min.x + inset, part.min.y + inset),
                         ImVec2(part.max.x - inset, part.max.y - inset),
                         ui.colour(i == chosen ? ui.palette.accent : ui.palette.raised), ui.px(4));
    }
    const std::string_view label = choice_label(ui, property, i);
    const float text_width = std::min(ui.measure(FontRole::kLabel, label).x, width - ui.px(4));
    ui.text(ImVec2(part.min.x + (width - text_width) / 2, part.min.y + (part.height() - line) / 2),
            FontRole::kLabel, i == chosen ? ui.palette.on_accent : ui.palette.text, label,
            {.max_width = width - ui.px(4)});
  }
}

}  // namespace tp::ui
