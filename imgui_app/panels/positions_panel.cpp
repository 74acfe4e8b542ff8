#include "imgui_app/panels/positions_panel.h"

#include <algorithm>
#include <cmath>

#include "engine/layers/positions.h"
#include "imgui_app/widgets/button.h"
#include "imgui_app/widgets/controls.h"

namespace tp::ui {
namespace {

const Property& setting(const Properties& table, std::string_view name) {
  return *find_property(table, name);
}

}  // namespace

std::string encoding_formula(int position, int dimension, int d_model, double base) {
  const std::string function = dimension % 2 == 0 ? "sin" : "cos";
  const std::string p = std::to_string(position);
  const std::string exponent =
      std::to_string(dimension - dimension % 2) + "/" + std::to_string(d_model);
  const double angle = position * position_frequency(dimension, d_model, base);
  return "PE(" + p + ", " + std::to_string(dimension) + ") = " + function + "(" + p + " / " +
         readable_number(base) + "^(" + exponent + ")) = " + function + "(" +
         signed_number(angle, 4) +
         ") = " + signed_number(sinusoidal_position(position, dimension, d_model, base), 4);
}

bool PositionsPanel::point_at(const std::string& map, std::optional<Cell> cell) {
  if (map != "heatmap" && map != "similarity") return false;
  const int columns = map == "heatmap" ? shown_.dimensions() : shown_.positions();
  const bool inside = !cell || (cell->row >= 0 && cell->row < shown_.positions() &&
                                cell->column >= 0 && cell->column < columns);
  if (inside) (map == "heatmap" ? pointed_cell_ : pointed_pair_) = cell;
  return inside;
}

// The position and the dimension chosen, inside the table that is shown.
int PositionsPanel::position(const Ui& ui) const {
  return std::min(ui.settings.pe.position, shown_.positions() - 1);
}
int PositionsPanel::dimension(const Ui& ui) const {
  return std::min(ui.settings.pe.dimension, shown_.dimensions() - 1);
}

void PositionsPanel::draw(Ui& ui, const RunView& run, Rect rect, bool) {
  const ModelConfig& model = editor_.running().model();
  draw(ui,
       {.kind = model.positions,
        .d_head = model.d_head(),
        .base = model.position_base,
        .learned = learned_positions(run.now()),
        .step = run.now().moment.step},
       rect);
}

void PositionsPanel::draw(Ui& ui, const ModelPositions& model, Rect rect) {
  const PositionsSettings& s = ui.settings.pe;
  if (!shown_.update(s, model)) {
    pointed_cell_.reset();
    pointed_pair_.reset();
  }
  // Dimensions beyond d_model may be named: it may have shrunk since. A list that cannot be read is
  // being typed, and the last good one stays.
  if (std::vector<int> waves; parse_waves(s.waves, 1 << 20, waves)) {
    std::erase_if(waves, [&](int dimension) { return dimension >= shown_.dimensions(); });
    waves_ = std::move(waves);
  }

  without_ = model.kind == PositionKind::none || model.kind == PositionKind::alibi;

  const float gap = ui.px(16);
  const auto box = [](float x, float y, float w, float h) {
    return Rect{ImVec2(x, y), ImVec2(x + w, y + h)};
  };
  const float x = rect.min.x, y = rect.min.y, width = rect.width();
  if (width >= ui.px(1060)) {  // three columns
    const float left = ui.px(256);
    height_ = ui.px(without_ ? 624 : 572) + caption_height(ui, left);
    const float height = std::max(rect.height(), height_);
    const float right = std::round(std::max(ui.px(424), width * 0.34f));
    const float centre = width - left - right - 2 * gap;
    const float setup = setup_height(ui, model, left, 1);
    const float waves_height = std::round((height - gap) * 0.43f);
    draw_setup(ui, model, box(x, y, left, setup), 1);
    draw_clock(ui, box(x, y + setup + gap, left, height - setup - gap));
    draw_map(ui, box(x + left + gap, y, centre, height));
    const float third = x + left + centre + 2 * gap;
    draw_waves(ui, box(third, y, right, waves_height));
    draw_similarity(ui, box(third, y + waves_height + gap, right, height - waves_height - gap));
    return;
  }
  const bool touch_size = ui.touch || width < ui.px(560);
  if (width >= ui.px(800)) {  // two columns under a strip of settings
    const float setup = setup_height(ui, model, width, 3), column = std::floor((width - gap) / 2);
    draw_setup(ui, model, box(x, y, width, setup), 3);
    const float map_y = y + setup + gap, map = ui.px(560) + story_height(ui, column);
    const float lower = ui.px(340) + caption_height(ui, column);
    draw_map(ui, box(x, map_y, column, map));
    draw_similarity(ui, box(x + column + gap, map_y, column, map));
    draw_waves(ui, box(x, map_y + map + gap, column, lower));
    draw_clock(ui, box(x + column + gap, map_y + map + gap, column, lower));
    height_ = map_y + map + gap + lower - y;
    return;
  }
  // One column.
  float at = y;
  const auto place = [&](float height, auto draw_section) {
    draw_section(box(x, at, width, height));
    at += height + gap;
  };
  const float map = std::min(width - ui.px(32), ui.px(400));
  place(map + ui.px(touch_size ? 348 : 300) + story_height(ui, width),
        [&](Rect r) { draw_map(ui, r); });
  const int setup_columns = width >= ui.px(720) ? 3 : width >= ui.px(480) ? 2 : 1;
  place(setup_height(ui, model, width, setup_columns),
        [&](Rect r) { draw_setup(ui, model, r, setup_columns); });
  place(ui.px(320) + caption_height(ui, width), [&](Rect r) { draw_clock(ui, r); });
  place(ui.px(280), [&](Rect r) { draw_waves(ui, r); });
  place(std::min(width - ui.px(32), ui.px(448)) + ui.px(100),
        [&](Rect r) { draw_similarity(ui, r); });
  height_ = at - gap - y;
}

// What there is to say about the model's positions beside the formula; empty for the paper's own.
std::string PositionsPanel::note(const Ui& ui, const ModelPositions& model) const {
  if (model.kind == PositionKind::none) return ui.tr(Text::positions_none);
  if (model.kind == PositionKind::alibi) return ui.tr(Text::positions_alibi);
  if (shown_.learned()) {
    return fill(ui.tr(Text::positions_learned),
                {std::to_string(shown_.positions()), std::to_string(shown_.dimensions())});
  }
  if (shown_.kind() == PositionKind::rotary) {
    return fill(ui.tr(Text::positions_rotary), {std::to_string(shown_.dimensions())});
  }
  return {};
}

// What the explanations take in panels of that width: of the formula's table, and of the clock.
float PositionsPanel::story_height(const Ui& ui, float width) const {
  if (!shown_.formula()) return 0;
  return ui.measure(FontRole::kLabel, ui.tr(Text::positions_story), width - ui.px(32)).y +
         ui.px(12);
}
float PositionsPanel::caption_height(const Ui& ui, float width) const {
  if (shown_.learned()) return 0;
  return ui.measure(FontRole::kLabel, ui.tr(Text::clock_caption), width - ui.px(32)).y + ui.px(12);
}

float PositionsPanel::setup_height(const Ui& ui, const ModelPositions& model, float width,
                                   int columns) const {
  const float inside = width - ui.px(32), row = ui.px(ui.touch ? 68 : 52);
  float height = ui.px(60);
  if (model.differ()) height += control_height(ui) + ui.px(12);
  if (shown_.learned() && model.learned.size() > 1 && columns == 1) {
    height += control_height(ui) + ui.px(12);
  }
  if (const std::string text = note(ui, model); !text.empty()) {
    height += ui.measure(FontRole::kLabel, text, inside).y + ui.px(12);
  }
  if (shown_.formula()) height += row * std::ceil(3 / static_cast<float>(columns));
  return height - (shown_.formula() && columns == 1 ? ui.px(4) : 0);
}

void PositionsPanel::draw_setup(Ui& ui, const ModelPositions& model, Rect rect, int columns) {
  const Rect inside = ui.panel(rect, ui.tr(Text::setup));
  heading_button(ui,
                 {.name = "reset_positions",
                  .label = ui.tr(Text::reset_settings),
                  .command = ui_command::ResetPositions{}},
                 rect);
  const Properties table = properties(ui.settings);
  const float gap = ui.px(24);
  const float width =
      (inside.width() - static_cast<float>(columns - 1) * gap) / static_cast<float>(columns);
  ImVec2 at = inside.min;
  const auto choose = [&](const char* name, float x) {
    segments(ui, setting(table, name),
             {ImVec2(x, at.y), ImVec2(x + width, at.y + control_height(ui))});
  };
  if (model.differ()) {
    const bool sides = shown_.learned() && model.learned.size() > 1;
    choose("pe_source", at.x);
    if (sides && columns > 1) choose("pe_side", at.x + width + gap);
    at.y += control_height(ui) + ui.px(12);
    if (sides && columns == 1) {
      choose("pe_side", at.x);
      at.y += control_height(ui) + ui.px(12);
    }
  }
  if (const std::string text = note(ui, model); !text.empty()) {
    at.y +=
        ui.text(at, FontRole::kLabel, ui.palette.muted, text, {.wrap_width = inside.width()}).y +
        ui.px(12);
    ui.mirror.readout({"positions", ui.tr(Text::panel_positions), text});
  }
  if (!shown_.formula()) return;
  int column = 0;
  for (const char* name : {"pe_positions", "pe_d_model", "pe_base"}) {
    const float used = slider(ui, setting(table, name), at, width);
    at.x += width + gap;
    if (++column < columns) continue;
    column = 0;
    at = ImVec2(inside.min.x, at.y + used + ui.px(4));
  }
}

void PositionsPanel::draw_map(Ui& ui, Rect rect) {
  PositionsSettings& s = ui.settings.pe;
  const PositionKind kind = shown_.kind();
  const char* title_text = ui.tr(kind == PositionKind::learned  ? Text::learned_title
                                 : kind == PositionKind::rotary ? Text::rotation_title
                                 : without_                     ? Text::heatmap_comparison
                                                                : Text::heatmap_title);
  Rect inside = ui.panel(rect, title_text);
  picture_link(ui, "heatmap", rect);
  if (shown_.formula()) {
    const char* story = ui.tr(Text::positions_story);
    ui.text(inside.min, FontRole::kLabel, ui.palette.muted, story, {.wrap_width = inside.width()});
    ui.mirror.readout({"positions_story", title_text, story});
    inside.min.y += story_height(ui, rect.width());
  }
  const float line = ui.measure(FontRole::kBody, " ").y;
  const float small = ui.measure(FontRole::kSmallNumber, " ").y;
  const bool beside = inside.width() >= ui.px(440);  // both sliders in one row
  const float slider_height = ui.px(ui.touch ? 44 : 28) + ui.measure(FontRole::kLabel, " ").y;
  const float sliders = beside ? slider_height : 2 * slider_height;
  const float formula_lines = inside.width() >= ui.px(500) ? 1 : 2;
  const float legend = ui.px(30);
  const float below = legend + ui.px(12) + sliders + ui.px(4) + line + formula_lines * small;

  const HeatmapView view{.name = "heatmap",
                         .image = {.values = shown_.values(),
                                   .rows = shown_.positions(),
                                   .columns = shown_.dimensions(),
                                   .version = shown_.version(),
                                   .minimum = -shown_.limit(),
                                   .maximum = shown_.limit()},
                         .row_title = ui.tr(Text::axis_position),
                         .column_title = ui.tr(Text::axis_dimension),
                         .marked = Cell{position(ui), dimension(ui)}};
  HeatmapView pointed = view;
  if (pointed_cell_) pointed.marked = pointed_cell_;
  const Rect map_rect{inside.min, ImVec2(inside.max.x, inside.max.y - below)};
  const HeatmapAnswer answer = heatmap(ui, pointed, map_rect);
  if (answer.hovered) pointed_cell_.reset();
  if (answer.pressed &&
      (s.position != answer.hovered->row || s.dimension != answer.hovered->column)) {
    s.position = answer.hovered->row;
    s.dimension = answer.hovered->column;
    ui.changed = true;
  }

  float y = map_rect.max.y + ui.px(4);
  const float legend_width = std::min(answer.map.width(), ui.px(240));
  colour_legend(ui, interpolate_colours(ui.palette.map_signed), -shown_.limit(), shown_.limit(),
                {ImVec2(answer.map.min.x, y), ImVec2(answer.map.min.x + legend_width, y + legend)});
  y += legend + ui.px(8);
  const float half = (inside.width() - ui.px(24)) / 2;
  // The sliders end where the table does: a model may know fewer positions than the formula shows.
  Cell chosen{position(ui), dimension(ui)};
  slider(ui, integer("pe_position", chosen.row, 0, shown_.positions() - 1), ImVec2(inside.min.x, y),
         beside ? half : inside.width());
  if (!beside) y += slider_height;
  slider(ui, integer("pe_dimension", chosen.column, 0, shown_.dimensions() - 1),
         ImVec2(beside ? inside.max.x - half : inside.min.x, y), beside ? half : inside.width());
  if (chosen.row != position(ui)) s.position = chosen.row;
  if (chosen.column != dimension(ui)) s.dimension = chosen.column;
  y += slider_height + ui.px(4);

  const Cell cell = answer.hovered  ? *answer.hovered
                    : pointed_cell_ ? *pointed_cell_
                                    : Cell{position(ui), dimension(ui)};
  const std::string title =
      fill(ui.tr(Text::cell_title), {std::to_string(cell.row), std::to_string(cell.column),
                                     signed_number(shown_.value(cell.row, cell.column), 4)});
  const double turn = kind == PositionKind::rotary ? shown_.frequency(cell.column) : 0;
  const std::string formula =
      kind == PositionKind::learned
          ? fill(ui.tr(Text::learned_cell), {std::to_string(shown_.step())})
      : kind == PositionKind::rotary
          ? fill(ui.tr(Text::rotary_cell),
                 {std::to_string(cell.column / 2), std::to_string(cell.row), signed_number(turn, 4),
                  signed_number(cell.row * turn, 4)})
          : encoding_formula(cell.row, cell.column, shown_.dimensions(), shown_.base());
  ui.text(ImVec2(inside.min.x, y), FontRole::kBody, ui.palette.text, title,
          {.max_width = inside.width()});
  std::string lines = formula;
  if (shown_.formula() && ui.measure(FontRole::kSmallNumber, formula).x > inside.width()) {
    lines.replace(lines.find(" = ", lines.find(" = ") + 1), 1, "\n");
  }
  ui.text(ImVec2(inside.min.x, y + line), FontRole::kSmallNumber, ui.palette.muted, lines);
  ui.mirror.readout({"cell", title_text, title + ". " + formula});
}

void PositionsPanel::draw_similarity(Ui& ui, Rect rect) {
  PositionsSettings& s = ui.settings.pe;
  const Rect inside = ui.panel(rect, ui.tr(Text::similarity_title));
  picture_link(ui, "similarity", rect);
  const float line = ui.measure(FontRole::kLabel, " ").y;
  const HeatmapView view{
      .name = "similarity",
      .image = {.values = shown_.similarity(),
                .rows = shown_.positions(),
                .columns = shown_.positions(),
                .version = shown_.version()},
      .row_title = ui.tr(Text::axis_position),
      .column_title = ui.tr(Text::axis_position),
      .marked = pointed_pair_ ? *pointed_pair_ : Cell{position(ui), position(ui)}};
  const float side = std::min(inside.width(), inside.height() - line);
  const float left = inside.min.x + (inside.width() - side) / 2;
  const HeatmapAnswer answer =
      heatmap(ui, view, {ImVec2(left, inside.min.y), ImVec2(left + side, inside.min.y + side)});
  if (answer.hovered) pointed_pair_.reset();
  if (answer.pressed && s.position != answer.hovered->row) {
    s.position = answer.hovered->row;
    ui.changed = true;
  }
  const Cell pair = answer.hovered ? *answer.hovered : *view.marked;
  const double value =
      shown_.similarity()[static_cast<size_t>(pair.row) * shown_.positions() + pair.column];
  const std::string text =
      fill(ui.tr(Text::similarity_cell),
           {std::to_string(pair.row), std::to_string(pair.column), signed_number(value, 3)});
  ui.text(ImVec2(inside.min.x, inside.max.y - line), FontRole::kLabel, ui.palette.text, text,
          {.max_width = inside.width()});
  ui.mirror.readout(
      {"similarity", ui.tr(Text::similarity_title),
       text + ": " +
           fill(ui.tr(shown_.learned() ? Text::learned_similarity : Text::similarity_formula),
                {std::to_string(std::abs(pair.row - pair.column))})});
}

std::unique_ptr<Panel> make_positions_panel(RunEditor& editor) {
  return std::make_unique<PositionsPanel>(editor);
}

}  // namespace tp::ui
