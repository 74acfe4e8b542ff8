#include "imgui_app/widgets/filmstrip.h"

#include <algorithm>
#include <cmath>

#include "imgui_app/widgets/attention_map.h"
#include "imgui_app/widgets/controls.h"
#include "imgui_app/widgets/picture_button.h"

namespace tp::ui {
namespace {

constexpr int kFrames = static_cast<int>(std::size(kStillSteps));

float number_width(const Ui& ui) { return ui.measure(FontRole::kSmallNumber, "300").x; }

int frames_in_a_line(const Ui& ui, float width) {
  return width / kFrames >= ui.px(ui.touch ? 44 : 36) ? kFrames : kFrames / 2;
}

const Still* still_at(std::span<const Still> stills, std::uint64_t step) {
  for (const Still& still : stills) {
    const bool sound = still.rows > 0 && still.columns > 0 &&
                       still.weights.size() == static_cast<std::size_t>(still.rows) *
                                                   static_cast<std::size_t>(still.columns);
    if (still.moment.step == step && sound) return &still;
  }
  return nullptr;
}

// One frame with its step: beside it, or below.
void frame(Ui& ui, std::span<const Still> stills, std::uint64_t step, Moment now, int version,
           Rect rect, bool beside) {
  const Still* still = still_at(stills, step);
  const std::string number = std::to_string(step);
  const float line = ui.measure(FontRole::kSmallNumber, " ").y, gap = ui.px(4);
  const float side = std::floor(
      beside ? std::min(rect.height() - 2 * gap, rect.width() - number_width(ui) - 3 * gap)
             : std::min(rect.width() - gap, rect.height() - line - 2 * gap));
  const float left = beside ? rect.min.x + gap : rect.min.x + (rect.width() - side) / 2;
  const float top = beside ? rect.min.y + (rect.height() - side) / 2 : rect.min.y + gap;
  const ImVec2 corner(std::round(left), std::round(top));
  const Rect picture{corner, ImVec2(corner.x + side, corner.y + side)};
  const bool here = still != nullptr && still->moment == now;
  const HeatmapImage image =
      still ? weight_image(still->weights, still->rows, still->columns, version) : HeatmapImage{};
  picture_button(
      ui,
      {.name = "still_" + number,
       .label = fill(ui.tr(Text::still_label), {number}),
       .command = ui_command::Rewind{still ? still->moment.branch : 0, static_cast<int>(step)},
       .enabled = still != nullptr,
       .pressed = here,
       .rect = rect},
      picture, image);
  const ImVec2 size = ui.measure(FontRole::kSmallNumber, number);
  const ImVec2 at =
      beside ? ImVec2(picture.max.x + gap, rect.min.y + (rect.height() - line) / 2)
             : ImVec2(rect.min.x + (rect.width() - size.x) / 2, picture.max.y + ui.px(2));
  ui.text(at, FontRole::kSmallNumber, still ? ui.palette.text : ui.palette.muted, number);
}

}  // namespace

float filmstrip_column_width(const Ui& ui) { return number_width(ui) + ui.px(52); }

float filmstrip_height(const Ui& ui, float width) {
  const int in_line = frames_in_a_line(ui, width);
  const float side = std::min(width / static_cast<float>(in_line), ui.px(60));
  const float line = side + ui.measure(FontRole::kSmallNumber, " ").y + ui.px(4);
  const int lines = kFrames / in_line;
  return line * static_cast<float>(lines);
}

void filmstrip(Ui& ui, std::span<const Still> stills, Moment now, int version, Rect rect) {
  const bool column = rect.height() > rect.width();
  const int in_line = column ? 1 : frames_in_a_line(ui, rect.width());
  const float width = rect.width() / static_cast<float>(in_line);
  const int lines = kFrames / in_line;
  const float height = rect.height() / static_cast<float>(lines);
  for (int i = 0; i < kFrames; ++i) {
    const int line = i / in_line, place = i % in_line;
    const ImVec2 min(rect.min.x + width * static_cast<float>(place),
                     rect.min.y + height * static_cast<float>(line));
    frame(ui, stills, kStillSteps[i], now, version, {min, ImVec2(min.x + width, min.y + height)},
          column);
  }
  ui.mirror.place("filmstrip", rect);
}

}  // namespace tp::ui
