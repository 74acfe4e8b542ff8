#include "imgui_app/widgets/head_chips.h"

#include <algorithm>
#include <cmath>

#include "imgui_app/widgets/attention_map.h"
#include "imgui_app/widgets/controls.h"
#include "imgui_app/widgets/picture_button.h"

namespace tp::ui {
namespace {

constexpr float kSides[] = {56, 52, 48, 44};
constexpr float kUprightSides[] = {56, 52, 48, 44, 40, 36};

float small_line(const Ui& ui) { return ui.measure(FontRole::kSmallNumber, " ").y; }
float label_line(const Ui& ui) { return ui.measure(FontRole::kLabel, " ").y; }
float stepper_height(const Ui& ui) { return ui.px(ui.touch ? 44 : 32); }
float pitch(const Ui& ui, float side) { return side + ui.px(6); }

std::string column_name(const Ui& ui, int head) {
  return head == 0 ? std::string(ui.tr(Text::head_mean_short)) : std::to_string(head);
}

float widest_words(const Ui& ui) {
  float widest = 0;
  for (int i = 0; i <= static_cast<int>(AttentionPattern::focused); ++i) {
    widest = std::max(
        widest, ui.measure(FontRole::kLabel, pattern_name(ui, static_cast<AttentionPattern>(i))).x);
  }
  const std::string entropy = fill(ui.tr(Text::entropy_short), {"0.00"});
  return std::max(widest, ui.measure(FontRole::kLabel, entropy).x);
}

// Shape of a pattern in a square, where there is no room for its name.
void pattern_sign(Ui& ui, AttentionPattern pattern, ImVec2 min, float size) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 ink = ui.colour(ui.palette.text);
  const float line = std::max(1.0f, 1.4f * ui.scale);
  const auto at = [&](float x, float y) { return ImVec2(min.x + x * size, min.y + y * size); };
  switch (pattern) {
    case AttentionPattern::none:
      for (const float x : {0.2f, 0.5f, 0.8f}) list.AddCircleFilled(at(x, 0.5f), line * 0.7f, ink);
      return;
    case AttentionPattern::uniform:
      list.AddRectFilled(at(0.05f, 0.05f), at(0.95f, 0.95f), ui.colour(ui.palette.text, 0.4f));
      return;
    case AttentionPattern::diagonal:
      list.AddLine(at(0, 0), at(1, 1), ink, line);
      return;
    case AttentionPattern::anti_diagonal:
      list.AddLine(at(1, 0), at(0, 1), ink, line);
      return;
    case AttentionPattern::previous:
      list.AddLine(at(0, 0.35f), at(0.65f, 1), ink, line);
      return;
    case AttentionPattern::next:
      list.AddLine(at(0.35f, 0), at(1, 0.65f), ink, line);
      return;
    case AttentionPattern::local:
      list.AddLine(at(0.1f, 0.1f), at(0.9f, 0.9f), ui.colour(ui.palette.text, 0.6f), size * 0.4f);
      return;
    case AttentionPattern::first:
      list.AddLine(at(0.15f, 0), at(0.15f, 1), ink, 1.5f * line);
      return;
    case AttentionPattern::focused:
      for (const auto& [x, y] : {std::pair{0.2f, 0.7f}, {0.5f, 0.2f}, {0.85f, 0.5f}}) {
        list.AddCircleFilled(at(x, y), line, ink);
      }
      return;
  }
}

ui_command::Set choose_command(const AttentionChoice& choice, int layer, int head, bool following) {
  const std::string number = std::to_string(head);
  if (layer != choice.layer) {
    return {{{"attention_layer", std::to_string(layer + 1)}, {"attention_head", number}}};
  }
  // While a head took over from the mean, asking for the mean means: no more of that.
  if (head == 0 && following) return ui_command::set("attention_follow", "false");
  return ui_command::set("attention_head", number);
}

void chip(Ui& ui, const ChipContents& contents, const ChipPlan& plan, int layer, int head,
          Rect rect) {
  const AttentionChoice& choice = contents.choice;
  const AttentionLayer& map = *choice.layers[static_cast<std::size_t>(layer)];
  const bool several = choice.layers.size() > 1;
  const bool following = choice.head == 0 && contents.shown_head != 0;
  const std::span<const float> weights = weights_of(map, head);
  const HeadReading reading = reading_of(map, head);
  const float inset = ui.px(3), line = small_line(ui);
  const ImVec2 corner(rect.min.x + inset, rect.min.y + inset);
  const Rect picture{corner,
                     ImVec2(corner.x + plan.side - 2 * inset, corner.y + plan.side - 2 * inset)};
  const std::string name = head_name(ui, choice, layer, head);
  const std::string entropy = entropy_text(reading.entropy);
  picture_button(ui,
                 {.name = (several ? "attention_layer_" + std::to_string(layer + 1) : "attention") +
                          "_head_" + std::to_string(head),
                  .label = name,
                  .command = choose_command(choice, layer, head, following),
                  .pressed = layer == choice.layer && head == contents.shown_head,
                  .rect = rect},
                 picture, weight_image(weights, map.rows, map.columns, contents.version));
  if (plan.words) {
    const float height = label_line(ui);
    ImVec2 at(picture.max.x + ui.px(8), rect.min.y + (rect.height() - 3 * height) / 2);
    ui.text(at, FontRole::kLabel, ui.palette.text, name);
    ui.text(ImVec2(at.x, at.y + height), FontRole::kLabel, ui.palette.muted,
            pattern_name(ui, reading.pattern));
    ui.text(ImVec2(at.x, at.y + 2 * height), FontRole::kLabel, ui.palette.muted,
            fill(ui.tr(Text::entropy_short), {entropy}));
    return;
  }
  tooltip(ui, fill(ui.tr(Text::head_tooltip), {name, pattern_name(ui, reading.pattern), entropy}));
  // Without its zero where it is narrow.
  const std::string shown =
      plan.side < ui.px(44) && entropy.starts_with("0.") ? entropy.substr(1) : entropy;
  const float sign = std::round(line * 0.55f), width = ui.measure(FontRole::kSmallNumber, shown).x;
  const float left = rect.min.x + (plan.side - sign - ui.px(3) - width) / 2;
  const float top = rect.min.y + plan.side;
  pattern_sign(ui, reading.pattern, ImVec2(std::round(left), std::round(top + (line - sign) / 2)),
               sign);
  ui.text(ImVec2(left + sign + ui.px(3), top), FontRole::kSmallNumber, ui.palette.muted, shown);
}

// ‹ layer 3 of 12 ›
void layer_stepper(Ui& ui, const AttentionChoice& choice, Rect rect) {
  const int layers = static_cast<int>(choice.layers.size());
  const float size = rect.height();
  const auto neighbour = [&](const char* name, Text label, int by, float left) {
    const int layer = choice.layer + by;
    const bool there = layer >= 0 && layer < layers;
    const Rect place{ImVec2(left, rect.min.y), ImVec2(left + size, rect.max.y)};
    button(ui,
           {.name = name,
            .label = ui.tr(label),
            .command = ui_command::set("attention_layer", std::to_string(layer + 1)),
            .enabled = there,
            .rect = place},
           ButtonLook::kQuiet, by < 0 ? Icon::kBefore : Icon::kAfter);
  };
  const std::string words =
      fill(ui.tr(Text::layer_of), {std::to_string(choice.layer + 1), std::to_string(layers)});
  const ImVec2 extent = ui.measure(FontRole::kLabel, words);
  neighbour("layer_before", Text::layer_before, -1, rect.min.x);
  ui.text(ImVec2(rect.min.x + size, rect.min.y + (size - extent.y) / 2), FontRole::kLabel,
          ui.palette.text, words);
  neighbour("layer_after", Text::layer_after, 1, rect.min.x + size + extent.x);
}

// Layers side by side, their heads below each other.
void upright_chips(Ui& ui, const ChipContents& contents, const ChipPlan& plan, Rect rect) {
  const AttentionChoice& choice = contents.choice;
  const float line = small_line(ui);
  for (int layer = 0; layer < static_cast<int>(choice.layers.size()); ++layer) {
    const float left = rect.min.x + plan.margin + static_cast<float>(layer) * pitch(ui, plan.side);
    const std::string name = fill(ui.tr(Text::layer_short), {std::to_string(layer + 1)});
    const float width = ui.measure(FontRole::kSmallNumber, name).x;
    ui.text(ImVec2(left + (plan.side - width) / 2, rect.min.y), FontRole::kSmallNumber,
            ui.palette.muted, name);
    for (int i = 0; i <= choice.layers[static_cast<std::size_t>(layer)]->heads; ++i) {
      const float top = rect.min.y + line + static_cast<float>(i) * (plan.side + line + ui.px(1));
      if (layer == 0) {
        ui.text(ImVec2(rect.min.x, top + (plan.side - line) / 2), FontRole::kSmallNumber,
                ui.palette.muted, column_name(ui, i));
      }
      chip(ui, contents, plan, layer, i,
           {ImVec2(left, top), ImVec2(left + plan.side, top + plan.side + line)});
    }
  }
}

}  // namespace

const char* pattern_name(const Ui& ui, AttentionPattern pattern) {
  constexpr Text kNames[] = {
      Text::pattern_none,          Text::pattern_uniform,  Text::pattern_diagonal,
      Text::pattern_anti_diagonal, Text::pattern_previous, Text::pattern_next,
      Text::pattern_local,         Text::pattern_first,    Text::pattern_focused};
  const auto i = static_cast<std::size_t>(pattern);
  return ui.tr(kNames[i < std::size(kNames) ? i : 0]);
}

std::string entropy_text(double entropy) {
  return std::isfinite(entropy) ? signed_number(entropy, 2) : "–";
}

std::string head_name(const Ui& ui, const AttentionChoice& choice, int layer, int head) {
  const std::string number = std::to_string(head), of = std::to_string(layer + 1);
  if (choice.layers.size() > 1) {
    return head == 0 ? fill(ui.tr(Text::mean_in_layer), {of})
                     : fill(ui.tr(Text::head_in_layer), {of, number});
  }
  return head == 0 ? std::string(ui.tr(Text::head_mean)) : fill(ui.tr(Text::head_number), {number});
}

std::optional<ChipPlan> plan_upright_chips(const Ui& ui, int layers, int heads, float room) {
  const float line = small_line(ui);
  ChipPlan plan;
  plan.upright = true;
  plan.margin = ui.measure(FontRole::kSmallNumber, ui.tr(Text::head_mean_short)).x + ui.px(4);
  for (const float side : kUprightSides) {
    plan.side = ui.px(side);
    plan.width = plan.margin + static_cast<float>(layers) * pitch(ui, plan.side);
    plan.height = line + static_cast<float>(heads + 1) * (plan.side + line + ui.px(1));
    if (plan.height <= room) return plan;
  }
  return std::nullopt;
}

ChipPlan plan_chips(const Ui& ui, int layers, int heads, float width, float room) {
  const int chips = heads + 1;
  const float line = small_line(ui);
  ChipPlan plan;
  plan.side = ui.px(kSides[0]);
  const float card = plan.side + ui.px(12) + widest_words(ui);
  if (layers == 1 && static_cast<float>(chips) * card <= width) {
    plan.words = true;
    plan.in_line = chips;
    plan.height = std::max(plan.side, 3 * label_line(ui));
    return plan;
  }
  // The largest maps with which all layers fit, with one line for each if that is possible.
  plan.margin = layers > 1 ? ui.measure(FontRole::kSmallNumber, "L00").x + ui.px(4) : 0;
  const auto arrange = [&](float side, int shown_layers) {
    plan.side = ui.px(side);
    plan.in_line = std::clamp(
        static_cast<int>((width - plan.margin + ui.px(6)) / pitch(ui, plan.side)), 1, chips);
    plan.lines = (chips + plan.in_line - 1) / plan.in_line;
    const int heads_lines = plan.lines == 1 ? 1 : plan.lines * shown_layers;
    plan.height = static_cast<float>(heads_lines) * line +
                  static_cast<float>(plan.lines * shown_layers) * (plan.side + line + ui.px(4));
    return room <= 0 || plan.height <= room;
  };
  for (const bool single_line : {true, false}) {
    for (const float side : kSides) {
      if (arrange(side, layers) && (plan.lines == 1 || !single_line)) return plan;
    }
  }
  plan.one_layer = layers > 1;
  plan.margin = 0;
  for (const float side : kSides) {
    const bool fits = arrange(side, 1);
    plan.height += plan.one_layer ? stepper_height(ui) : 0;
    if (fits && (room <= 0 || plan.height <= room)) break;
  }
  return plan;
}

void head_chips(Ui& ui, const ChipContents& contents, const ChipPlan& plan, Rect rect) {
  if (plan.upright) {
    upright_chips(ui, contents, plan, rect);
    return;
  }
  const AttentionChoice& choice = contents.choice;
  const float line = small_line(ui);
  ImVec2 at = rect.min;
  if (plan.one_layer) {
    const float height = stepper_height(ui);
    layer_stepper(ui, choice, {at, ImVec2(rect.max.x, at.y + height)});
    at.y += height;
  }
  for (int layer = 0; layer < static_cast<int>(choice.layers.size()); ++layer) {
    if (plan.one_layer && layer != choice.layer) continue;
    const int chips = choice.layers[static_cast<std::size_t>(layer)]->heads + 1;
    if (plan.words) {
      const float width = rect.width() / static_cast<float>(chips);
      for (int i = 0; i < chips; ++i) {
        const ImVec2 min(std::round(at.x + width * static_cast<float>(i)), at.y);
        chip(ui, contents, plan, layer, i,
             {min, ImVec2(std::floor(min.x + width - ui.px(6)), at.y + plan.height)});
      }
      return;
    }
    for (int first = 0; first < chips; first += plan.in_line) {
      const int last = std::min(first + plan.in_line, chips);
      const auto left = [&](int i) {
        return at.x + plan.margin + static_cast<float>(i - first) * pitch(ui, plan.side);
      };
      if (plan.lines > 1 || at.y == rect.min.y || plan.one_layer) {  // whose maps these are
        for (int i = first; i < last; ++i) {
          const std::string name = column_name(ui, i);
          const float width = ui.measure(FontRole::kSmallNumber, name).x;
          ui.text(ImVec2(left(i) + (plan.side - width) / 2, at.y), FontRole::kSmallNumber,
                  ui.palette.muted, name);
        }
        at.y += line;
      }
      if (plan.margin > 0 && first == 0) {
        ui.text(ImVec2(at.x, at.y + (plan.side - line) / 2), FontRole::kSmallNumber,
                ui.palette.muted, fill(ui.tr(Text::layer_short), {std::to_string(layer + 1)}));
      }
      for (int i = first; i < last; ++i) {
        chip(ui, contents, plan, layer, i,
             {ImVec2(left(i), at.y), ImVec2(left(i) + plan.side, at.y + plan.side + line)});
      }
      at.y += plan.side + line + ui.px(4);
    }
  }
}

}  // namespace tp::ui
