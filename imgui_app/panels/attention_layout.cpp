#include "imgui_app/panels/attention_layout.h"

#include <algorithm>
#include <cmath>

#include "imgui_app/widgets/controls.h"
#include "imgui_app/widgets/filmstrip.h"

namespace tp {
namespace {

Rect box(float x, float y, float width, float height) {
  return {ImVec2(x, y), ImVec2(x + width, y + height)};
}

// Puts boxes beside each other, and below when a line is full.
struct Flow {
  Rect room;
  float height, gap;
  float x = room.min.x, y = room.min.y;
  bool used = false;

  Rect place(float width, float own_height) {
    width = std::min(width, room.width());
    if (used && x + width > room.max.x) x = room.min.x, y += height + gap / 2;
    used = true;
    const Rect result = box(x, y + std::round((height - own_height) / 2), width, own_height);
    x += width + gap;
    return result;
  }
  float end() const { return used ? y + height : y; }
};

}  // namespace

float segments_width(const Ui& ui, const Property& property, int choices) {
  float widest = 0;
  for (int i = 0; i < static_cast<int>(property.choices.size()); ++i) {
    widest = std::max(widest, ui.measure(FontRole::kLabel, choice_label(ui, property, i)).x);
  }
  return static_cast<float>(choices) * (widest + ui.px(18));
}

AttentionLayout attention_layout(const Ui& ui, const AttentionContents& contents,
                                 const AttentionPicture& picture, Rect rect) {
  const bool free_height = rect.height() <= 0;
  const Properties table = properties(ui.settings);
  const float gap = ui.px(12), control = ui.px(ui.touch ? 44 : 32);
  AttentionLayout out;
  out.padding = ui.px(rect.width() < ui.px(480) ? 8 : 16);
  const float left = rect.min.x + out.padding, right = rect.max.x - out.padding;
  const float width = right - left;

  // The heading: title at the left, choices at the right or on a line of their own.
  const float title = ui.measure(FontRole::kHeading, ui.tr(Text::attention_title)).x + gap +
                      ui.measure(FontRole::kBody, fill(ui.tr(Text::on_target), {"100"})).x + gap;
  const float kind =
      contents.kinds > 1
          ? segments_width(ui, *find_property(table, "attention_kind"), contents.kinds)
          : 0;
  const float view = segments_width(ui, *find_property(table, "attention_view"), 2);
  float y = rect.min.y + ui.px(8);
  float edge = right;
  const auto from_right = [&](float wide) {
    const Rect place = box(edge - wide, y, wide, control);
    edge -= wide + gap;
    return place;
  };
  out.example = from_right(control);
  bool view_is_below = false;
  if (title + kind + (kind > 0 ? gap : 0) + control <= width) {
    view_is_below = title + kind + view + 2 * gap + control > width;
    if (!view_is_below) out.view = from_right(view);
    if (kind > 0) out.kind = from_right(kind);
    out.heading = {ImVec2(left, y), ImVec2(edge, y + control)};
    y += control;
  } else {
    out.heading = {ImVec2(left, y), ImVec2(edge, y + control)};
    y += control + ui.px(4);
    Flow flow{.room = {ImVec2(left, y), ImVec2(right, y)}, .height = control, .gap = gap};
    out.kind = flow.place(kind, control);
    view_is_below = flow.x + view > right;
    if (!view_is_below) out.view = flow.place(view, control);
    y = flow.end();
  }
  y += ui.px(6);

  // What stands below the map, measured first: the map takes what is left.
  Flow below{.room = {ImVec2(left, 0), ImVec2(right, 0)}, .height = control, .gap = gap};
  out.legend = below.place(ui.px(140), weight_legend_height(ui));
  if (contents.targets) {
    const float words = ui.measure(FontRole::kLabel, ui.tr(Text::setting_attention_targets)).x;
    out.targets = below.place(words + ui.px(30), control);
  }
  if (view_is_below) out.view = below.place(view, control);
  const float line = ui.measure(FontRole::kLabel, " ").y;
  const float caption = line * std::clamp(std::ceil(ui.px(900) / width), 2.0f, 6.0f);
  const bool film_beside = width >= ui.px(440);
  const float film = film_beside ? filmstrip_column_width(ui) : filmstrip_height(ui, width);
  const float small_gap = ui.px(8);
  const float fixed = small_gap + below.end() + small_gap + caption + ui.px(10) +
                      (film_beside ? 0 : film + small_gap);
  const float guess = std::min(width - ui.px(30), ui.px(360));
  out.axes = map_axes(ui, picture, guess);
  const float widest = width - out.axes.left - (film_beside ? film + gap : 0);
  const float least = std::min(ui.px(240), widest);
  const float room =
      free_height ? 0 : std::max(rect.max.y - y - fixed - small_gap - out.axes.top - least, 1.0f);
  out.chip_plan = plan_chips(ui, contents.layers, contents.heads, width, room);
  const float liked = ui.px(rect.width() < ui.px(640) ? 360 : 400);
  const auto side_for = [&](float top) {
    const float high =
        free_height ? liked : rect.max.y - y - fixed - small_gap - out.chip_plan.height - top;
    return std::floor(std::clamp(std::min(widest, high), ui.px(100), ui.px(720)));
  };
  out.axes = map_axes(ui, picture, side_for(out.axes.top));
  out.side = side_for(out.axes.top);

  const float total = out.axes.left + out.side + (film_beside ? film + gap : 0);
  const float shift = std::floor(std::max(0.0f, width - total) / 2);
  out.picture = ImVec2(left + shift, y);
  const float cells_top = y + out.axes.top;
  const float film_left = out.picture.x + out.axes.left + out.side + gap;
  if (film_beside) {
    out.film = box(film_left, cells_top, film, out.side);
    out.film_title = {ImVec2(film_left, y), ImVec2(film_left + film, cells_top)};
  }
  y = cells_top + out.side + small_gap;
  for (Rect* part : {&out.legend, &out.targets, view_is_below ? &out.view : nullptr}) {
    if (part == nullptr || part->width() <= 0) continue;
    part->min.y += y, part->max.y += y;
  }
  y += below.end() + small_gap;
  out.chips = box(left, y, width, out.chip_plan.height);
  y = out.chips.max.y + small_gap;
  if (!film_beside) {
    out.film = box(left, y, width, film);
    y = out.film.max.y + small_gap;
  }
  out.caption = box(left, y, width, caption);
  out.height = out.caption.max.y + ui.px(10) - rect.min.y;
  return out;
}

}  // namespace tp
