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
  if (reads && writes) parts.push_back(Text::part_bridge);
  if (writes) parts.push_back(Text::part_decoder);
  parts.push_back(Text::part_output);
  parts.push_back(Text::part_loss);
  return parts;
}

}  // namespace

float FlowStrip::draw(Ui& ui, const RunView& run, ImVec2 at, float width) {
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

  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float height = ui.px(26), gap = ui.px(12);
  float total = -gap;
  for (const Text part : parts)
    total += ui.measure(FontRole::kLabel, ui.tr(part)).x + ui.px(16) + gap;
  const bool dots = total > width;  // no room for words
  float x = at.x;
  for (int i = 0; i < count; ++i) {
    const char* name = ui.tr(parts[static_cast<std::size_t>(i)]);
    const ImVec2 size = ui.measure(FontRole::kLabel, name);
    const bool worded = !dots || i == lit;
    const float own = worded ? size.x + ui.px(16) : ui.px(16);
    const Colour fill_colour = i != lit ? ui.palette.raised
                               : back   ? ui.palette.positive
                                        : ui.palette.accent;
    list.AddRectFilled(ImVec2(x, at.y), ImVec2(x + own, at.y + height), ui.colour(fill_colour),
                       ui.px(6));
    if (worded) {
      ui.text(ImVec2(x + ui.px(8), at.y + (height - size.y) / 2), FontRole::kLabel,
              i == lit ? ui.palette.on_accent : ui.palette.muted, name);
    }
    x += own;
    if (i + 1 < count) {
      const float y = at.y + height / 2;
      list.AddLine(ImVec2(x + ui.px(2), y), ImVec2(x + gap - ui.px(2), y),
                   ui.colour(ui.palette.edge), std::max(1.0f, ui.px(1)));
    }
    x += gap;
  }
  return height;
}

}  // namespace tp::ui
