#include "imgui_app/widgets/depiction.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace tp::ui {
namespace {

constexpr int kGreys = 16;  // shades of ink: neighbours of one shade are one rectangle

// Columns and rows [from, from + count) of the picture.
void draw_pixels(Ui& ui, const Depiction& drawn, int left, int top, int count, Rect rect) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(rect.min, rect.max, ui.colour(ui.palette.page));
  const auto x_of = [&](int x) {
    return std::round(rect.min.x +
                      rect.width() * static_cast<float>(x) / static_cast<float>(count));
  };
  const auto y_of = [&](int y) {
    return std::round(rect.min.y +
                      rect.height() * static_cast<float>(y) / static_cast<float>(count));
  };
  for (int y = 0; y < count; ++y) {
    const float* row = &drawn.values[static_cast<std::size_t>((top + y) * drawn.width + left)];
    const auto shade = [&](int x) {
      return static_cast<int>(std::lround(std::clamp(row[x], 0.0f, 1.0f) * (kGreys - 1)));
    };
    for (int x = 0, end = 0; x < count; x = end) {
      while (end < count && shade(end) == shade(x)) ++end;
      const float ink = static_cast<float>(shade(x)) / (kGreys - 1);
      list.AddRectFilled(ImVec2(x_of(x), y_of(y)), ImVec2(x_of(end), y_of(y + 1)),
                         ui.colour(ui.palette.text, ink));
    }
  }
}

// The place of a day and a price in `rect`, where the whole has so many days.
struct PriceScale {
  float least, most, days;
  Rect rect;

  PriceScale(const Depiction& drawn, float first_days, Rect where) : days(first_days), rect(where) {
    least = most = drawn.values.front();
    for (const auto* prices : {&drawn.values, &drawn.truth, &drawn.predicted}) {
      for (const float price : *prices) {
        least = std::min(least, price), most = std::max(most, price);
      }
    }
    if (!(most > least)) least -= 1, most += 1;
  }
  ImVec2 at(float day, float price) const {
    return ImVec2(rect.min.x + rect.width() * day / std::max(days - 1, 1.0f),
                  rect.max.y - rect.height() * (price - least) / (most - least));
  }
  void draw(std::span<const float> prices, float first, ImU32 colour, float width) const {
    std::vector<ImVec2> line;
    for (const float price : prices) line.push_back(at(first++, price));
    ImGui::GetWindowDrawList()->AddPolyline(line.data(), static_cast<int>(line.size()), colour, 0,
                                            width);
  }
};

float days_of(const Depiction& drawn) {
  return static_cast<float>(drawn.values.size() +
                            std::max(drawn.truth.size(), drawn.predicted.size()));
}

// How it goes on, from the last known day.
void draw_sequel(const PriceScale& scale, const Depiction& drawn, std::vector<float> prices,
                 ImU32 colour, float width) {
  if (prices.empty()) return;
  prices.insert(prices.begin(), drawn.values.back());
  scale.draw(prices, static_cast<float>(drawn.values.size()) - 1, colour, width);
}

}  // namespace

void draw_depiction(Ui& ui, const Depiction& drawn, Rect rect) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float line = std::max(1.0f, ui.px(1));
  if (drawn.is_picture()) {
    draw_pixels(ui, drawn, 0, 0, drawn.width, rect);
    const ImU32 cut = ui.colour(ui.palette.edge, 0.7f);
    for (int i = 0; i <= drawn.width; i += drawn.patch) {
      const float share = static_cast<float>(i) / static_cast<float>(drawn.width);
      const float x = std::round(std::lerp(rect.min.x, rect.max.x, share));
      const float y = std::round(std::lerp(rect.min.y, rect.max.y, share));
      list.AddRectFilled(ImVec2(x, rect.min.y), ImVec2(x + line, rect.max.y + line), cut);
      list.AddRectFilled(ImVec2(rect.min.x, y), ImVec2(rect.max.x + line, y + line), cut);
    }
  } else if (drawn.is_line()) {
    const float air = ui.px(3);  // sharp corners reach over the line
    const PriceScale scale(
        drawn, days_of(drawn),
        {ImVec2(rect.min.x, rect.min.y + air), ImVec2(rect.max.x, rect.max.y - air)});
    scale.draw(drawn.values, 0, ui.colour(ui.palette.muted), 1.5f * line);
    draw_sequel(scale, drawn, drawn.truth, ui.colour(ui.palette.text), 1.5f * line);
    draw_sequel(scale, drawn, drawn.predicted, ui.colour(prediction_colour(ui)), 2 * line);
  }
}

void draw_patch(Ui& ui, const Depiction& drawn, int patch, Rect rect) {
  if (patch < 0 || patch >= drawn.patches()) return;
  if (drawn.is_picture()) {
    const int across = drawn.width / drawn.patch;
    draw_pixels(ui, drawn, patch % across * drawn.patch, patch / across * drawn.patch, drawn.patch,
                rect);
  } else {
    ImGui::GetWindowDrawList()->AddRectFilled(rect.min, rect.max, ui.colour(ui.palette.page));
    const PriceScale scale(drawn, static_cast<float>(drawn.patch), rect);
    scale.draw(std::span(drawn.values)
                   .subspan(static_cast<std::size_t>(patch * drawn.stride),
                            static_cast<std::size_t>(drawn.patch)),
               0, ui.colour(ui.palette.text), std::max(1.0f, ui.px(1)));
  }
}

Rect patch_in(const Depiction& drawn, int patch, Rect rect) {
  if (drawn.is_picture()) {
    const int across = drawn.width / drawn.patch, row = patch / across;
    const float side = rect.width() / static_cast<float>(across);
    const ImVec2 min(rect.min.x + side * static_cast<float>(patch % across),
                     rect.min.y + side * static_cast<float>(row));
    return {min, ImVec2(min.x + side, min.y + side)};
  }
  const float day = rect.width() / std::max(days_of(drawn) - 1, 1.0f);
  const float left = rect.min.x + day * static_cast<float>(patch * drawn.stride);
  return {ImVec2(left, rect.min.y),
          ImVec2(left + day * static_cast<float>(drawn.patch - 1), rect.max.y)};
}

void light_patch(Ui& ui, const Depiction& drawn, int patch, Rect rect, float thickness) {
  if (patch < 0 || patch >= drawn.patches()) return;
  const Rect part = patch_in(drawn, patch, rect);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (drawn.is_line()) {
    list.AddRectFilled(part.min, part.max, ui.colour(ui.palette.accent, 0.15f));
  }
  list.AddRect(part.min, ImVec2(part.max.x + 1, part.max.y + 1), ui.colour(ui.palette.accent), 0, 0,
               std::max(1.0f, ui.px(thickness)));
}

}  // namespace tp::ui
