#include "imgui_app/panels/inside_tree.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine/inspect/path_pattern.h"
#include "imgui_app/widgets/attention_map.h"
#include "imgui_app/widgets/controls.h"
#include "imgui_app/widgets/picture_button.h"

namespace tp::ui {
namespace {

constexpr float kTwoColumns = 300;          // the least width for both sides
constexpr double kFlowMilliseconds = 1600;  // through all rows and back
// The ends of the bars, as powers of ten.
constexpr double kLeastActivation = -3, kMostActivation = 1;
constexpr double kLeastGradient = -7, kMostGradient = -1;

double root_mean_square(std::span<const float> values) {
  double sum = 0;
  std::size_t count = 0;
  for (const float value : values) {
    if (!std::isfinite(value)) continue;  // a mask hides scores with minus infinity
    sum += static_cast<double>(value) * value;
    ++count;
  }
  return count == 0 ? 0 : std::sqrt(sum / static_cast<double>(count));
}

// Where a size is on the scale of the bars, from 0 to 1.
float on_scale(double size, bool gradient) {
  const double least = gradient ? kLeastGradient : kLeastActivation;
  const double most = gradient ? kMostGradient : kMostActivation;
  if (size <= 0) return 0;
  return static_cast<float>(std::clamp((std::log10(size) - least) / (most - least), 0.0, 1.0));
}

// 0.83, 1.2e-5
std::string short_number(double value) {
  char text[24];
  std::snprintf(text, sizeof text, "%.2g", value);
  return text;
}

float row_height(const Ui& ui, int depth) {
  if (ui.touch) return ui.px(44);
  return ui.px(depth == 0 ? 42 : 28);
}

std::string shown_path(const MapNode& node, bool gradients) {
  return gradients ? gradient_path(node.path) : node.path;
}

}  // namespace

std::string shape_text(int rows, int columns) {
  return std::to_string(rows) + " × " + std::to_string(columns);
}

std::string number_text(double value) {
  const double size = std::abs(value);
  if (!std::isfinite(value)) return value < 0 ? "−∞" : value > 0 ? "∞" : "–";
  if (size == 0 || (size >= 1e-3 && size < 1e4)) return signed_number(value, 4);
  char text[32];
  std::snprintf(text, sizeof text, "%.2e", value);
  return text;
}

Colour kind_colour(const Palette& palette, TensorKind kind) {
  switch (kind) {
    case TensorKind::query:
      return palette.kind_query;
    case TensorKind::key:
      return palette.kind_key;
    case TensorKind::value:
      return palette.kind_value;
    case TensorKind::scores:
      return palette.kind_scores;
    case TensorKind::weights:
      return palette.kind_weights;
    case TensorKind::context:
      return palette.kind_context;
    case TensorKind::residual:
      return palette.kind_residual;
    case TensorKind::norm:
      return palette.kind_norm;
    case TensorKind::feed_forward:
      return palette.kind_feed_forward;
    case TensorKind::other:
      break;
  }
  return palette.text;
}

HeatmapImage tensor_image(const WatchedTensor& tensor, int version) {
  const auto cells =
      static_cast<std::size_t>(tensor.rows) * static_cast<std::size_t>(tensor.columns);
  if (cells == 0 || tensor.values.size() != cells) return {};
  const bool shares = tensor.path.ends_with(".weights") || tensor.path.ends_with(".dropped") ||
                      tensor.path.ends_with(".probabilities");
  if (shares) return weight_image(tensor.values, tensor.rows, tensor.columns, version);
  float most = 0;
  for (const float value : tensor.values) {
    if (std::isfinite(value)) most = std::max(most, std::abs(value));
  }
  if (most == 0) most = 1;
  return {.values = tensor.values,
          .rows = tensor.rows,
          .columns = tensor.columns,
          .version = version,
          .minimum = -most,
          .maximum = most};
}

// Names with a number, as head.1, count from 1 in words.
std::string node_label(const Ui& ui, const ModelMap& map, int node) {
  const MapNode& it = map[node];
  std::string key = it.name, number;
  const std::size_t dot = key.rfind('.');
  const bool numbered = dot != key.npos && key.find_first_not_of("0123456789", dot + 1) == key.npos;
  if (numbered) {
    int value = 0;
    for (const char c : key.substr(dot + 1)) value = 10 * value + (c - '0');
    number = std::to_string(value + 1);
    key.resize(dot);
  }
  std::ranges::replace(key, '.', '_');
  std::string above = it.parent < 0 ? "block" : map[it.parent].name;
  above = above.substr(0, above.find('.')) + "_";
  for (const std::string& name : {"tensor_" + above + key, "tensor_" + key}) {
    if (const auto text = named_text(name, ui.language)) return fill(*text, {number});
  }
  return it.name;
}

void InsideTree::reveal(const ModelMap& map, int node) {
  for (int at = map[node].parent; at >= 0; at = map[at].parent) {
    if (!is_open(map[at].path)) open_.push_back(map[at].path);
  }
}

bool InsideTree::fold(const ModelMap& map, const std::string& path) {
  const int node = map.find(path);
  if (node < 0 || map[node].is_tensor()) return false;
  if (std::erase(open_, path) == 0) open_.push_back(path);
  return true;
}

bool InsideTree::is_open(const std::string& path) const {
  return std::ranges::find(open_, path) != open_.end();
}

std::vector<std::string> InsideTree::drawn(const ModelMap& map, bool gradients) const {
  std::vector<std::string> paths;
  for (const MapNode& node : map.nodes()) {
    const bool seen = node.parent < 0 || is_open(map[node.parent].path);
    const MapNode& output = map[node.output];
    if (!seen || (gradients && !output.has_gradient)) continue;
    const std::string path = shown_path(output, gradients);
    if (std::ranges::find(paths, path) == paths.end()) paths.push_back(path);
  }
  return paths;
}

void InsideTree::add_rows(const Ui& ui, const ModelMap& map, int node, float left, float width,
                          float& y, std::vector<Row>& rows) const {
  const MapNode& it = map[node];
  const float indent = ui.px(ui.touch ? 5 : 8) * static_cast<float>(it.depth),
              height = row_height(ui, it.depth);
  rows.push_back({node, {ImVec2(left + indent, y), ImVec2(left + width, y + height)}});
  y += height + ui.px(it.depth == 0 ? 4 : 2);
  if (!is_open(it.path)) return;
  for (const int child : it.children) add_rows(ui, map, child, left, width, y, rows);
}

// From the left upper corner on.
InsideTree::Plan InsideTree::plan(const Ui& ui, const ModelMap& map, float width) const {
  Plan plan;
  const bool sides = std::ranges::any_of(map.blocks(), [&](int block) { return map.reads(block); });
  plan.two_columns = sides && width >= ui.px(kTwoColumns);
  const float gap = ui.px(width >= ui.px(360) ? 32 : 20);
  const float column = plan.two_columns ? std::floor((width - gap) / 2) : width;
  const float top = plan.two_columns ? ui.measure(FontRole::kLabel, " ").y + ui.px(4) : 0;
  float left_y = top, right_y = top;
  for (const int block : map.blocks()) {
    const bool right = plan.two_columns && !map.reads(block);
    float& y = right ? right_y : left_y;
    add_rows(ui, map, block, right ? column + gap : 0, column, y, plan.rows);
    y += ui.px(8);
  }
  plan.height = std::max(left_y, right_y) - ui.px(8);
  return plan;
}

float InsideTree::height(const Ui& ui, const ModelMap& map, float width) const {
  return map.empty() ? ui.px(200) : plan(ui, map, width).height;
}

// In slow motion the row that is computed at this moment: forward, then back. -1: none.
int InsideTree::lit_row(Ui& ui, const RunView& run, int rows) {
  if (run.now().moment.step != step_) {
    step_ = run.now().moment.step;
    since_ = ui.time;
  }
  if (ui.settings.pace != Pace::k1 || ui.reduced_motion || rows == 0) return -1;
  const double share = (ui.time - since_) / kFlowMilliseconds;
  if (share < 0 || share >= 1) return -1;
  ui.animating = true;
  const int tick = static_cast<int>(share * 2 * rows);
  return tick < rows ? tick : 2 * rows - 1 - tick;
}

void InsideTree::draw(Ui& ui, const RunView& run, const ModelMap& map, int chosen, Rect rect) {
  const Plan plan = this->plan(ui, map, rect.width());
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const int lit = lit_row(ui, run, static_cast<int>(plan.rows.size()));
  const auto placed = [&](const Row& row) {
    return Row{row.node,
               {ImVec2(rect.min.x + row.rect.min.x, rect.min.y + row.rect.min.y),
                ImVec2(rect.min.x + row.rect.max.x, rect.min.y + row.rect.max.y)}};
  };
  if (plan.two_columns) {
    ui.text(rect.min, FontRole::kLabel, ui.palette.muted, ui.tr(Text::part_encoder));
  }
  // The way of the data: down each side, and from the last block that reads to all that look at it.
  const float line = std::max(1.0f, ui.px(1));
  const ImU32 ink = ui.colour(ui.palette.edge);
  const Row* before[2] = {};
  bool titled = false;
  for (const Row& plain : plan.rows) {
    const MapNode& node = map[plain.node];
    const bool right = plan.two_columns && !map.reads(map.block_of(plain.node));
    const Row row = placed(plain);
    if (right && !titled) {
      titled = true;
      ui.text(ImVec2(row.rect.min.x, rect.min.y), FontRole::kLabel, ui.palette.muted,
              ui.tr(Text::part_decoder));
    }
    if (node.depth == 0) {
      if (before[right] != nullptr) {
        const float x = row.rect.min.x + ui.px(14);
        list.AddLine(ImVec2(x, rect.min.y + before[right]->rect.max.y + ui.px(2)),
                     ImVec2(x, row.rect.min.y - ui.px(2)), ink, line);
      }
      if (right && before[0] != nullptr && map.crosses(plain.node)) {
        const Row from = placed(*before[0]);
        const float start = from.rect.max.x + ui.px(2), end = row.rect.min.x - ui.px(2);
        const float y = (from.rect.min.y + from.rect.max.y) / 2;
        const float to = (row.rect.min.y + row.rect.max.y) / 2, middle = (start + end) / 2;
        const ImVec2 way[] = {ImVec2(start, y), ImVec2(middle, y), ImVec2(middle, to),
                              ImVec2(end, to)};
        list.AddPolyline(way, 4, ui.colour(ui.palette.accent), 0, std::max(1.0f, ui.px(2)));
        list.AddTriangleFilled(ImVec2(end - ui.px(5), to - ui.px(4)),
                               ImVec2(end - ui.px(5), to + ui.px(4)), ImVec2(end, to),
                               ui.colour(ui.palette.accent));
      }
    }
    if (node.depth == 0 || before[right] != nullptr) before[right] = &plain;
  }
  for (int i = 0; i < static_cast<int>(plan.rows.size()); ++i) {
    const Row row = placed(plan.rows[static_cast<std::size_t>(i)]);
    const MapNode& node = map[row.node];
    const bool closed = node.is_tensor() || !is_open(node.path);
    draw_row(ui, run, map, row, closed && node.output == chosen, i == lit);
  }
}

// One frame around all cells of the tensor that the number was made from: a row, a column or a
// cell.
void InsideTree::outline_inputs(Ui& ui, const std::string& path, int rows, int columns,
                                Rect thumb) const {
  Cell from{rows, columns}, to{-1, -1};
  for (const auto& [of, cell] : inputs) {
    if (of != path) continue;
    from = {std::min(from.row, cell.row), std::min(from.column, cell.column)};
    to = {std::max(to.row, cell.row), std::max(to.column, cell.column)};
  }
  if (to.row < 0 || to.row >= rows || to.column >= columns) return;
  const auto x = [&](int column) {
    return thumb.min.x + thumb.width() * static_cast<float>(column) / static_cast<float>(columns);
  };
  const auto y = [&](int row) {
    return thumb.min.y + thumb.height() * static_cast<float>(row) / static_cast<float>(rows);
  };
  const float line = std::max(1.0f, ui.px(1));
  ImGui::GetWindowDrawList()->AddRect(ImVec2(x(from.column) - line, y(from.row) - line),
                                      ImVec2(x(to.column + 1) + line, y(to.row + 1) + line),
                                      ui.colour(ui.palette.accent), 0, 0, std::max(1.0f, ui.px(2)));
}

void InsideTree::draw_row(Ui& ui, const RunView& run, const ModelMap& map, const Row& row,
                          bool chosen, bool lit) {
  const MapNode& node = map[row.node];
  const MapNode& output = map[node.output];
  const bool gradients = ui.settings.inside.size == InsideSize::kGradients;
  const WatchedTensor* tensor = find_tensor(run.now(), shown_path(output, gradients));
  const HeatmapImage image =
      tensor != nullptr ? tensor_image(*tensor, run.maps_version()) : HeatmapImage{};
  const Rect& rect = row.rect;
  const float pad = ui.px(ui.touch ? 4 : 6);
  const float thumb = std::min(ui.px(28), rect.height() - ui.px(6));
  const ImVec2 corner(rect.max.x - thumb - pad,
                      std::round(rect.min.y + (rect.height() - thumb) / 2));
  const std::string name = node_label(ui, map, row.node);
  const std::string shape = tensor != nullptr ? shape_text(tensor->rows, tensor->columns)
                                              : shape_text(output.rows, output.columns);
  const double size = tensor != nullptr ? root_mean_square(tensor->values) : 0;
  UiCommand command = ui_command::Fold{node.path};
  if (node.is_tensor()) command = ui_command::set("inside", node.path);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (node.depth == 0 || lit) {
    list.AddRectFilled(rect.min, rect.max,
                       ui.colour(lit ? ui.palette.accent : ui.palette.raised, lit ? 0.35f : 1),
                       ui.px(6));
  }
  picture_button(ui,
                 {.name = "tree_" + node.path,
                  .label = name + ", " + shape,
                  .command = std::move(command),
                  .pressed = chosen,
                  .rect = rect,
                  .level = node.depth + 1,
                  .expanded = node.is_tensor() ? std::nullopt : std::optional(is_open(node.path))},
                 {corner, ImVec2(corner.x + thumb, corner.y + thumb)}, image);
  outline_inputs(ui, output.path, output.rows, output.columns,
                 {corner, ImVec2(corner.x + thumb, corner.y + thumb)});
  if (chosen) {
    list.AddRect(rect.min, rect.max, ui.colour(ui.palette.accent), ui.px(6), 0,
                 std::max(1.0f, ui.px(2)));
  }
  // A triangle that points down where the part is open.
  float x = rect.min.x + pad;
  const float middle = (rect.min.y + rect.max.y) / 2, arm = ui.px(4);
  if (!node.is_tensor()) {
    const bool open = is_open(node.path);
    const ImVec2 a(x, middle - (open ? arm / 2 : arm)),
        b(x + (open ? 2 * arm : arm), open ? middle - arm / 2 : middle),
        c(x + (open ? arm : 0), middle + (open ? arm / 2 : arm));
    list.AddTriangleFilled(a, b, c, ui.colour(ui.palette.muted));
    x += ui.px(13);
  }
  const float line = ui.measure(FontRole::kLabel, " ").y, room = corner.x - ui.px(4) - x;
  const Colour ink =
      node.is_tensor() ? kind_colour(ui.palette, kind_of(node.path)) : ui.palette.text;
  std::string below = shape;
  if (node.depth == 0 && map.parameters() > 0 && node.parameters > 0) {
    const int share = static_cast<int>(std::lround(100 * node.parameters / map.parameters()));
    below = fill(ui.tr(Text::inside_share), {shape, std::to_string(share)});
    if (ui.measure(FontRole::kLabel, below).x > room) below = shape;
  }
  if (lit && size > 0) below = "± " + short_number(size);
  const bool two_lines = rect.height() >= 2 * line;
  const float name_width = ui.measure(FontRole::kLabel, name).x;
  const float y = two_lines ? middle - line : middle - line / 2;
  ui.text(ImVec2(x, y), FontRole::kLabel, ink, ui.in_one_line(FontRole::kLabel, name, room));
  const float below_width = ui.measure(FontRole::kLabel, below).x;
  if (two_lines) {
    if (below_width <= room) ui.text(ImVec2(x, middle), FontRole::kLabel, ui.palette.muted, below);
  } else if (name_width + ui.px(12) + below_width <= room) {
    ui.text(ImVec2(x + room - ui.px(4) - below_width, y), FontRole::kLabel, ui.palette.muted,
            below);
  }
  if (size > 0) {  // on a logarithmic scale
    const float length = (rect.width() - ui.px(12)) * on_scale(size, gradients);
    const ImVec2 start(rect.min.x + ui.px(6), rect.max.y - ui.px(3));
    list.AddRectFilled(start, ImVec2(start.x + length, rect.max.y - ui.px(1)),
                       ui.colour(gradients ? ui.palette.positive : ui.palette.negative), ui.px(1));
  }
}

}  // namespace tp::ui
