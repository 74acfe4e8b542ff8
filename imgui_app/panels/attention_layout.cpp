#include "imgui_app/panels/attention_layout.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "imgui_app/widgets/controls.h"
#include "imgui_app/widgets/filmstrip.h"

namespace tp::ui {
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
  return static_cast<float>(choices) * (widest + ui.px(14));
}

namespace {

constexpr float kLeastMap = 240;  // below that, chips give way
constexpr float kCompact = 480;   // a panel less high than that shows the map alone

// What is common to all arrangements.
struct Frame {
  const AttentionContents& contents;
  const AttentionPicture& picture;
  Rect rect;
  bool free_height;
  float control, gap, left, right;
  // Widths of the choices that find no room in the heading and stand below the map; else 0.
  float kind, view, example;
};

// The drawing takes its part of the caption, beside the words where there is width.
void place_whole(const Ui& ui, const AttentionContents& contents, AttentionLayout& out) {
  if (contents.drawn <= 0) return;
  Rect& words = out.caption;
  const bool above = words.width() < ui.px(160);
  const float high = above ? words.width() / contents.drawn : std::min(words.height(), ui.px(72));
  out.whole = box(words.min.x, words.min.y, high * contents.drawn, high);
  if (above) {
    words.min.y = out.whole.max.y + ui.px(8);
  } else {
    words.min.x = out.whole.max.x + ui.px(12);
  }
}

// The map and all below it, from `y` on; the chips upright at the right of everything, or below.
void arrange(const Ui& ui, const Frame& frame, const std::optional<ChipPlan>& upright, float y,
             AttentionLayout& out) {
  const AttentionContents& contents = frame.contents;
  const float gap = frame.gap, small_gap = ui.px(6), left = frame.left;
  const float control = ui.px(ui.touch ? 44 : 28);
  const float right = upright ? frame.right - upright->width - gap : frame.right;
  const float width = right - left, bottom = frame.rect.max.y - ui.px(10);

  // What stands below the map is measured first: the map takes what is left.
  Flow below{.room = {ImVec2(left, 0), ImVec2(right, 0)}, .height = control, .gap = gap};
  out.legend = below.place(ui.px(120), weight_legend_height(ui));
  if (contents.targets) {
    const float words = ui.measure(FontRole::kLabel, ui.tr(Text::setting_attention_targets)).x;
    out.targets = below.place(words + ui.px(30), control);
  }
  if (contents.typed) {
    const Properties table = properties(ui.settings);
    out.of = below.place(segments_width(ui, *find_property(table, "example_of"), 2), control);
  }
  if (frame.kind > 0) out.kind = below.place(frame.kind, control);
  if (frame.view > 0) out.view = below.place(frame.view, control);
  if (frame.example > 0) out.example = below.place(control, control);
  const float png = std::max(button_width(ui, ui.tr(Text::download_png)), control);
  out.png = below.place(png, control);
  const float line = ui.measure(FontRole::kLabel, " ").y;
  const float caption = std::max(line * std::clamp(std::ceil(ui.px(900) / width), 2.0f, 6.0f),
                                 contents.drawn > 0 ? ui.px(72) : 0);
  const bool film_beside = !upright && width >= ui.px(440);
  const float film = film_beside ? filmstrip_column_width(ui) : filmstrip_height(ui, width);
  const float fixed = small_gap + below.end() + small_gap + caption +
                      (film_beside ? 0 : film + small_gap) + (upright ? 0 : small_gap);
  out.axes = map_axes(ui, frame.picture, std::min(width - ui.px(30), ui.px(360)));
  const float widest = width - out.axes.left - (film_beside ? film + gap : 0);
  // Two lines to spare, since the axes are still a guess.
  const float room =
      bottom - y - fixed - out.axes.top - std::min(ui.px(kLeastMap), widest) + 2 * line;
  out.chip_plan = upright ? *upright
                          : plan_chips(ui, contents.layers, contents.heads, width,
                                       frame.free_height ? 0 : std::max(room, 1.0f));
  const float chips = upright ? 0 : out.chip_plan.height;
  const float liked = ui.px(frame.rect.width() < ui.px(640) ? 360 : 400);
  const auto side_for = [&](float top) {
    const float high = frame.free_height ? liked : bottom - y - fixed - chips - top;
    return std::floor(std::clamp(std::min(widest, high), ui.px(100), ui.px(720)));
  };
  out.axes = map_axes(ui, frame.picture, side_for(out.axes.top));
  out.side = side_for(out.axes.top);

  const float total = out.axes.left + out.side + (film_beside ? film + gap : 0);
  out.picture = ImVec2(left + std::floor(std::max(0.0f, width - total) / 2), y);
  const float cells_top = y + out.axes.top;
  out.film_title = {};
  if (film_beside) {
    const float film_left = out.picture.x + out.axes.left + out.side + gap;
    out.film = box(film_left, cells_top, film, out.side);
    out.film_title = {ImVec2(film_left, y), ImVec2(film_left + film, cells_top)};
  }
  if (upright) {
    out.chips = box(frame.right - upright->width, y, upright->width, upright->height);
  }
  y = cells_top + out.side + small_gap;
  for (Rect* part :
       {&out.legend, &out.targets, &out.of, &out.png, frame.kind > 0 ? &out.kind : nullptr,
        frame.view > 0 ? &out.view : nullptr, frame.example > 0 ? &out.example : nullptr}) {
    if (part == nullptr || part->width() <= 0) continue;
    part->min.y += y, part->max.y += y;
  }
  y += below.end() + small_gap;
  if (!upright) {
    out.chips = box(left, y, width, out.chip_plan.height);
    y = out.chips.max.y + small_gap;
  }
  if (!film_beside) {
    out.film = box(left, y, width, film);
    y = out.film.max.y + small_gap;
  }
  out.caption = box(left, y, width, caption);
  out.height = out.caption.max.y + ui.px(10) - frame.rect.min.y;
  place_whole(ui, contents, out);
}

// Little room: the map and its caption, beside it or below, whichever leaves more of the map.
void arrange_compact(const Ui& ui, const Frame& frame, float y, AttentionLayout& out) {
  const float width = frame.right - frame.left, bottom = frame.rect.max.y - ui.px(10);
  const float line = ui.measure(FontRole::kLabel, " ").y, gap = frame.gap, words = ui.px(120);
  bool beside = false;
  out.side = std::min(width, bottom - y);
  for (int i = 0; i < 3; ++i) {  // the axes depend on the size that they leave
    out.axes = map_axes(ui, frame.picture, out.side);
    const float across = width - out.axes.left, high = bottom - y - out.axes.top;
    const float with_below = std::min(across, high - 2 * line - ui.px(8));
    const float with_beside = std::min(across - words - gap, high);
    beside = with_beside >= with_below;
    out.side = std::floor(std::max(beside ? with_beside : with_below, ui.px(80)));
  }
  const float total = out.axes.left + out.side;
  out.picture = ImVec2(frame.left + (beside ? 0 : std::floor((width - total) / 2)), y);
  const float below = y + out.axes.top + out.side + ui.px(8);
  out.caption = beside ? Rect{ImVec2(out.picture.x + total + gap, y + out.axes.top),
                              ImVec2(frame.right, bottom)}
                       : Rect{ImVec2(frame.left, below), ImVec2(frame.right, bottom)};
  out.height = frame.rect.height();
  place_whole(ui, frame.contents, out);
}

}  // namespace

AttentionLayout attention_layout(const Ui& ui, const AttentionContents& contents,
                                 const AttentionPicture& picture, Rect rect) {
  const Properties table = properties(ui.settings);
  AttentionLayout out;
  out.padding = ui.px(ui.touch && rect.width() < ui.px(480) ? 6 : 16);
  Frame frame{.contents = contents,
              .picture = picture,
              .rect = rect,
              .free_height = rect.height() <= 0,
              .control = ui.px(ui.touch ? 44 : 32),
              .gap = ui.px(12),
              .left = rect.min.x + out.padding,
              .right = rect.max.x - out.padding,
              .kind = 0,
              .view = 0,
              .example = 0};
  const float gap = frame.gap, control = frame.control, width = frame.right - frame.left;

  // The heading: title at the left, at the right as many choices as there is room for.
  const float title = ui.measure(FontRole::kHeading, ui.tr(Text::attention_title)).x + gap +
                      ui.measure(FontRole::kBody, fill(ui.tr(Text::on_target), {"100"})).x + gap;
  const float kind =
      contents.kinds > 1
          ? segments_width(ui, *find_property(table, "attention_kind"), contents.kinds)
          : 0;
  const float view = segments_width(ui, *find_property(table, "attention_view"), 2);
  float y = rect.min.y + ui.px(8);
  float edge = frame.right;
  const auto from_right = [&](float wide) {
    const Rect place = box(edge - wide, y, wide, control);
    edge -= wide + gap;
    return place;
  };
  if (!frame.free_height && rect.height() < ui.px(kCompact)) {
    if (kind > 0 && title + kind <= width) out.kind = from_right(kind);
    out.heading = {ImVec2(frame.left, y), ImVec2(edge, y + control)};
    arrange_compact(ui, frame, y + control + ui.px(4), out);
    return out;
  }
  const auto fits = [&](std::initializer_list<float> widths) {
    float sum = title;
    for (const float own : widths) sum += own > 0 ? own + gap : 0;
    return sum - gap <= width;
  };
  if (fits({kind, view, control})) {
    out.example = from_right(control);
  } else {
    frame.example = control;
  }
  if (fits({view})) {
    out.view = from_right(view);
  } else {
    frame.view = view;
  }
  if (kind > 0 && fits({kind, view})) {
    out.kind = from_right(kind);
  } else {
    frame.kind = kind;
  }
  out.heading = {ImVec2(frame.left, y), ImVec2(edge, y + control)};
  y += control;
  y += ui.px(6);

  arrange(ui, frame, std::nullopt, y, out);
  if (frame.free_height || contents.layers < 2) return out;
  // Several layers below the map would leave little of it: beside it they may do better.
  const std::optional<ChipPlan> upright =
      plan_upright_chips(ui, contents.layers, contents.heads, rect.max.y - ui.px(10) - y);
  if (!upright || upright->width > width / 2) return out;
  AttentionLayout other = out;
  arrange(ui, frame, upright, y, other);
  const bool shows_more = out.chip_plan.one_layer && other.side >= ui.px(200);
  return shows_more || other.side > out.side ? other : out;
}

}  // namespace tp::ui
