#include "imgui_app/app/flow_strip.h"

#include <algorithm>
#include <vector>

namespace tp::ui {
namespace {

constexpr double kPartMs = 140;

// The parts that the model has; which ones follows from what its example reads and writes.
std::vector<Text> parts_of(const RunView& run) {
  const std::optional<ShownExample>& example = run.now().example;
  const bool reads = !example || !example->source.empty();
  const bool writes = !example || !example->written.empty();
  std::vector<Text> parts = {Text::part_embedding};
  if (reads) parts.push_back(Text::part_encoder);
  if (writes) parts.push_back(Text::part_decoder);
  if (reads && writes) parts.push_back(Text::part_bridge);  // drawn inside the decoder
  parts.push_back(Text::part_output);
  parts.push_back(Text::part_loss);
  return parts;
}

}  // namespace

void FlowStrip::draw(Ui& ui, const RunView& run, Rect rect) {
  const std::vector<Text> parts = parts_of(run);
  const auto count = static_cast<int>(parts.size());
  if (run.now().moment.step != step_) {
    step_ = run.now().moment.step;
    since_ = ui.time;
  }
  // Forward to the loss, then back from it to the embedding.
  const int tick = static_cast<int>((ui.time - since_) / kPartMs);
  const int last = 2 * count - 1;
  const bool moving = tick < last && !ui.reduced_motion;
  const bool back = tick >= count;
  const int lit = !moving ? -1 : back ? 2 * count - 2 - tick : tick;
  ui.animating |= moving;
  ui.mirror.place("slow_motion", rect);

  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float gap = ui.px(10), padding = ui.px(7), line = ui.measure(FontRole::kLabel, " ").y;
  const auto width_of = [&](Text part) { return ui.measure(FontRole::kLabel, ui.tr(part)).x; };
  // What the two colours mean stands behind the parts.
  const float dot = ui.px(8);
  const float legend = 2 * (dot + ui.px(5)) + 2 * ui.px(14) + width_of(Text::part_forward) +
                       width_of(Text::part_backward);
  float total = -gap;
  for (const Text part : parts) {
    total += width_of(part) + 2 * padding + (part == Text::part_bridge ? ui.px(3) : gap);
  }
  const bool explained = total + legend <= rect.width();
  const bool dots = total > rect.width();  // no space for words
  float x = rect.min.x;
  const float middle = (rect.min.y + rect.max.y) / 2;
  const auto chip = [&](int i, float inset, float more) {
    const Text part = parts[static_cast<std::size_t>(i)];
    const bool worded = !dots || i == lit;
    const float own = (worded ? width_of(part) : ui.px(2)) + 2 * padding;
    const Colour fill_colour = i != lit ? (inset > 0 ? ui.palette.panel : ui.palette.raised)
                               : back   ? ui.palette.positive
                                        : ui.palette.accent;
    list.AddRectFilled(ImVec2(x, rect.min.y + inset), ImVec2(x + own + more, rect.max.y - inset),
                       ui.colour(fill_colour), ui.px(6));
    if (worded) {
      ui.text(ImVec2(x + padding, middle - line / 2), FontRole::kLabel,
              i == lit ? ui.palette.on_accent : ui.palette.muted, ui.tr(part));
    }
    x += own;
  };
  for (int i = 0; i < count; ++i) {
    const bool holds = i + 1 < count && parts[static_cast<std::size_t>(i) + 1] == Text::part_bridge;
    const bool inner_worded = !dots || i + 1 == lit;
    const float inner =
        (inner_worded ? width_of(Text::part_bridge) : ui.px(2)) + 2 * padding + ui.px(3);
    chip(i, 0, holds ? inner : 0);
    if (holds) {
      chip(++i, ui.px(3), 0);
      x += ui.px(3);
    }
    if (i + 1 < count) {
      list.AddLine(ImVec2(x + ui.px(2), middle), ImVec2(x + gap - ui.px(2), middle),
                   ui.colour(ui.palette.edge), std::max(1.0f, ui.px(1)));
    }
    x += gap;
  }
  // What the colours mean: both of them, or where space is short the one that is seen.
  for (const bool backward : {false, true}) {
    if (!explained && (!moving || backward != back)) continue;
    const Text words = backward ? Text::part_backward : Text::part_forward;
    x += ui.px(14) - gap;
    if (x + dot + ui.px(5) + width_of(words) > rect.max.x) return;
    list.AddRectFilled(ImVec2(x, middle - dot / 2), ImVec2(x + dot, middle + dot / 2),
                       ui.colour(backward ? ui.palette.positive : ui.palette.accent), ui.px(2));
    x += dot + ui.px(5);
    ui.text(ImVec2(x, middle - line / 2), FontRole::kLabel, ui.palette.muted, ui.tr(words));
    x += width_of(words) + gap;
  }
}

}  // namespace tp::ui
