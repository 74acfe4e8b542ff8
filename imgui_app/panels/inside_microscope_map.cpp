// The maps of the microscope: one, two, or their difference.

#include <algorithm>
#include <span>

#include "imgui_app/panels/inside_microscope.h"
#include "imgui_app/panels/inside_tree.h"
#include "imgui_app/widgets/controls.h"

namespace tp::ui {
namespace {

constexpr float kMapHeight = 340;

const char* row_title(const Ui& ui, AxisKind axis) {
  return ui.tr(axis == AxisKind::source_token   ? Text::axis_reads
               : axis == AxisKind::target_token ? Text::axis_writes
                                                : Text::axis_row);
}
const char* column_title(const Ui& ui, AxisKind axis) {
  const bool token = axis == AxisKind::source_token || axis == AxisKind::target_token;
  return ui.tr(token                      ? Text::axis_looks_at
               : axis == AxisKind::output ? Text::axis_output
                                          : Text::axis_feature);
}

}  // namespace

float Microscope::draw_maps(Ui& ui, const RunView& run, Rect rect) {
  const InsideSettings& s = ui.settings.inside;
  const float height = ui.px(kMapHeight), gap = ui.px(16);
  const auto room = [&](float left, float width, float top) {
    return Rect{ImVec2(left, top), ImVec2(left + width, top + height)};
  };
  const bool compares = s.compare != InsideCompare::kNothing && second_.there();
  const bool alike =
      first_.tensor.rows == second_.tensor.rows && first_.tensor.columns == second_.tensor.columns;
  if (!compares || (s.difference && alike)) {
    const Shown& shown = compares ? difference_ : first_;
    draw_one(ui, run, shown, "microscope", room(rect.min.x, rect.width(), rect.min.y));
    return height + ui.px(8);
  }
  const float line = ui.measure(FontRole::kLabel, " ").y;
  const auto titled = [&](const Shown& shown, const char* name, Rect place) {
    const std::string title =
        fill(ui.tr(Text::inside_pinned_at), {shown.tensor.path, std::to_string(shown.moment.step)});
    ui.text(place.min, FontRole::kLabel, ui.palette.text,
            ui.in_one_line(FontRole::kLabel, title, place.width()));
    place.min.y += line, place.max.y += line;
    draw_one(ui, run, shown, name, place);
  };
  const bool beside = rect.width() >= ui.px(420);
  const float width = beside ? (rect.width() - gap) / 2 : rect.width();
  titled(first_, "microscope", room(rect.min.x, width, rect.min.y));
  titled(second_, "microscope_2",
         beside ? room(rect.min.x + width + gap, width, rect.min.y)
                : room(rect.min.x, width, rect.min.y + height + line + ui.px(8)));
  return (beside ? 1 : 2) * (height + line + ui.px(8));
}

// Of a large map as many cells around the chosen one as can be read.
void Microscope::crop(const Ui& ui, const Shown& shown, Cell chosen, Rect rect, HeatmapView& view) {
  const WatchedTensor& tensor = shown.tensor;
  const int wide = std::clamp(static_cast<int>(rect.width() / ui.px(52)), 1, tensor.columns);
  const int high = std::clamp(static_cast<int>(rect.height() / ui.px(26)), 1, tensor.rows);
  view.first = {std::clamp(chosen.row - high / 2, 0, tensor.rows - high),
                std::clamp(chosen.column - wide / 2, 0, tensor.columns - wide)};
  std::vector<float> part;
  for (int r = view.first.row; r < view.first.row + high; ++r) {
    const auto begin = tensor.values.begin() +
                       (static_cast<std::ptrdiff_t>(r) * tensor.columns + view.first.column);
    part.insert(part.end(), begin, begin + wide);
  }
  Cropped& cropped = &shown == &second_ ? cropped_second_ : cropped_;
  if (cropped.values != part) cropped = {std::move(part), ++versions_};
  view.image.values = cropped.values;
  view.image.version = cropped.version;
  view.image.rows = high;
  view.image.columns = wide;
  const auto some = [](std::span<const ShownToken> tokens, int first, int count) {
    return tokens.empty()
               ? tokens
               : tokens.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
  };
  view.row_tokens = some(view.row_tokens, view.first.row, high);
  view.column_tokens = some(view.column_tokens, view.first.column, wide);
}

void Microscope::draw_one(Ui& ui, const RunView& run, const Shown& shown, const char* name,
                          Rect rect) {
  if (!shown.there()) return;
  const WatchedTensor& tensor = shown.tensor;
  const ShownExample* example = run.now().example ? &*run.now().example : nullptr;
  const std::vector<ShownToken> rows = axis_tokens(tensor.row_axis, true, tensor.rows, example);
  const std::vector<ShownToken> columns =
      axis_tokens(tensor.column_axis, false, tensor.columns, example);
  for (const auto* tokens : {&rows, &columns}) {
    for (const ShownToken& token : *tokens) ui.fonts.want(token.text);
  }
  Cell chosen;
  const bool has_cell = parse_cell(ui.settings.inside.cell, chosen.row, chosen.column) &&
                        chosen.row < tensor.rows && chosen.column < tensor.columns;
  HeatmapView view{.name = name,
                   .image = tensor_image(tensor, shown.version),
                   .row_title = row_title(ui, tensor.row_axis),
                   .column_title = column_title(ui, tensor.column_axis),
                   .marked = {},
                   .row_tokens = rows,
                   .column_tokens = columns,
                   .drawn = example != nullptr ? &example->drawn : nullptr,
                   .numbers = true};
  if (ui.settings.inside.numbers) crop(ui, shown, chosen, rect, view);
  const auto seen = [&](Cell cell) -> std::optional<Cell> {
    cell = {cell.row - view.first.row, cell.column - view.first.column};
    const bool inside = cell.row >= 0 && cell.row < view.image.rows && cell.column >= 0 &&
                        cell.column < view.image.columns;
    return inside ? std::optional(cell) : std::nullopt;
  };
  if (has_cell) view.marked = seen(chosen);
  std::vector<Cell> outlined;
  for (const auto& [path, cell] : inputs) {
    const std::optional<Cell> at = path == tensor.path ? seen(cell) : std::nullopt;
    if (at) outlined.push_back(*at);
  }
  view.outlined = outlined;
  const HeatmapAnswer answer = heatmap(ui, view, rect);
  if (!answer.hovered) return;
  const Cell at{answer.hovered->row + view.first.row, answer.hovered->column + view.first.column};
  const std::string cell = std::to_string(at.row) + "," + std::to_string(at.column);
  const std::string words =
      tensor.path + "[" + cell + "] = " +
      number_text(tensor.values[static_cast<std::size_t>(at.row * tensor.columns + at.column)]);
  ui.mirror.readout({"microscope_cell", ui.tr(Text::microscope), words});
  tooltip(ui, words);
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) && cell != ui.settings.inside.cell) {
    ui.commands.push_back(ui_command::set("cell", cell));
  }
}

}  // namespace tp::ui
