#include "imgui_app/panels/inside_microscope.h"

#include <algorithm>
#include <cmath>

#include "engine/inspect/path_pattern.h"
#include "imgui_app/draw/plots.h"
#include "imgui_app/panels/inside_tree.h"
#include "imgui_app/widgets/controls.h"

namespace tp::ui {
namespace {

constexpr std::size_t kCompletions = 5;
constexpr float kHistogramHeight = 96;

}  // namespace

std::vector<std::string> Microscope::drawn(const Settings& settings, const ModelMap& map,
                                           int chosen) const {
  if (chosen < 0) return {};
  const InsideSettings& s = settings.inside;
  const auto path_of = [&](int node) {
    const MapNode& it = map[node];
    return s.gradient && it.has_gradient ? gradient_path(it.path) : it.path;
  };
  std::vector<std::string> paths = {path_of(chosen)};
  const int other = s.compare == InsideCompare::kOther ? map.find(s.other) : -1;
  if (other >= 0) paths.push_back(path_of(map[other].output));
  return paths;
}

void Microscope::pin(const RunView& run) {
  if (first_.there()) pinned_ = first_, pinned_->moment = run.now().moment;
}

void Microscope::count(Shown& shown) {
  const std::vector<float>& values = shown.tensor.values;
  shown.statistics = statistics_of(values);
  shown.histogram = histogram_of(values, shown.statistics.least, shown.statistics.most);
  // What a mask hides is minus infinity on purpose.
  const bool masked = shown.tensor.path.ends_with("scores");
  shown.not_finite = static_cast<int>(std::ranges::count_if(
      values, [&](float value) { return !std::isfinite(value) && !(masked && value < 0); }));
  shown.version = ++versions_;
}

void Microscope::take(const RunView& run, const std::string& path, Shown& shown) {
  const WatchedTensor* tensor = find_tensor(run.now(), path);
  const bool whole =
      tensor != nullptr && !tensor->values.empty() &&
      std::ssize(tensor->values) == static_cast<std::ptrdiff_t>(tensor->rows) * tensor->columns;
  if (!whole) {
    if (shown.tensor.path != path) shown.tensor = {.path = path};  // on its way
    return;
  }
  shown.moment = run.now().moment;
  if (shown.tensor.path == path && shown.tensor.values == tensor->values) return;
  shown.tensor = *tensor;
  count(shown);
}

void Microscope::follow(Ui& ui, const RunView& run, const ModelMap& map, int chosen) {
  const InsideSettings& s = ui.settings.inside;
  const std::vector<std::string> paths = drawn(ui.settings, map, chosen);
  take(run, paths.front(), first_);
  problem_.clear();
  if (s.gradient && !map[chosen].has_gradient) problem_ = ui.tr(Text::inside_no_gradient);
  if (s.compare == InsideCompare::kPinned) {
    if (!pinned_) {
      problem_ = ui.tr(Text::inside_unpinned);
      second_.tensor.values.clear();
    } else if (second_.tensor.values != pinned_->tensor.values ||
               second_.tensor.path != pinned_->tensor.path) {
      second_ = *pinned_;
      second_.version = ++versions_;
    }
  } else if (paths.size() > 1) {
    take(run, paths[1], second_);
  } else {
    second_.tensor.values.clear();
  }
  if (s.compare == InsideCompare::kNothing || !s.difference || !second_.there()) return;
  const WatchedTensor &a = first_.tensor, &b = second_.tensor;
  if (a.rows != b.rows || a.columns != b.columns) {
    problem_ = ui.tr(Text::inside_shapes_differ);
    return;
  }
  std::vector<float> rest = a.values;
  for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= b.values[i];
  const std::string path = "(" + a.path + " − " + b.path + ")";
  if (difference_.tensor.values == rest && difference_.tensor.path == path) return;
  difference_.tensor = a;
  difference_.tensor.path = path;
  difference_.tensor.values = std::move(rest);
  count(difference_);
}

void Microscope::draw(Ui& ui, const RunView& run, const ModelMap& map, int chosen, Rect rect) {
  const Rect inside = ui.panel(rect, ui.tr(Text::microscope));
  if (chosen < 0) return;
  follow(ui, run, map, chosen);
  Rect at = inside;
  at.min.y += draw_fields(ui, map, chosen, at);
  const MapNode& node = map[chosen];
  const WatchedTensor& tensor = first_.tensor;
  const std::string shape = first_.there() ? shape_text(tensor.rows, tensor.columns)
                                           : shape_text(node.rows, node.columns);
  const std::string made =
      fill(ui.tr(Text::inside_made_by),
           {shape, tensor.path == node.path ? node.operation : "∂ " + node.operation});
  at.min.y += ui.text(at.min, FontRole::kLabel, kind_colour(ui.palette, kind_of(node.path)), made,
                      {.wrap_width = at.width()})
                  .y +
              ui.px(6);
  at.min.y += draw_choices(ui, node.has_gradient, at);
  if (!problem_.empty()) {
    at.min.y +=
        ui.text(at.min, FontRole::kLabel, ui.palette.warning, problem_, {.wrap_width = at.width()})
            .y +
        ui.px(6);
  }
  at.min.y += draw_maps(ui, run, at);
  const bool subtracted = ui.settings.inside.difference && difference_.there() && second_.there() &&
                          ui.settings.inside.compare != InsideCompare::kNothing;
  const Shown& counted = subtracted ? difference_ : first_;
  at.min.y += draw_histogram(ui, counted, at);
  at.min.y += draw_figures(ui, counted, at.min, at.width());
  height_ = at.min.y + ui.px(12) - rect.min.y;
}

float Microscope::draw_fields(Ui& ui, const ModelMap& map, int chosen, Rect rect) {
  const Properties table = properties(ui.settings);
  const float control = control_height(ui);
  const char* label = ui.tr(Text::copy_path);
  const float copy = button_width(ui, label);
  float y = rect.min.y;
  text_box(ui, *find_property(table, "inside"), map[chosen].path,
           {ImVec2(rect.min.x, y), ImVec2(rect.max.x - copy - ui.px(8), y + control)});
  button(ui,
         {.name = "copy_path",
          .label = label,
          .command = ui_command::CopyPath{path()},
          .rect = {ImVec2(rect.max.x - copy, y), ImVec2(rect.max.x, y + control)}},
         ButtonLook::kFramed);
  y += control + ui.px(6);
  y += draw_completions(ui, map, "inside", ui.settings.inside.path, ImVec2(rect.min.x, y),
                        rect.width());
  if (ui.settings.inside.compare == InsideCompare::kOther) {
    text_box(ui, *find_property(table, "inside_other"), ui.tr(Text::setting_inside_other),
             {ImVec2(rect.min.x, y), ImVec2(rect.max.x, y + control)});
    y += control + ui.px(6);
    y += draw_completions(ui, map, "inside_other", ui.settings.inside.other, ImVec2(rect.min.x, y),
                          rect.width());
  }
  return y - rect.min.y;
}

// What the typed text may become.
float Microscope::draw_completions(Ui& ui, const ModelMap& map, std::string_view setting,
                                   const std::string& typed, ImVec2 at, float width) {
  if (typed.empty() || map.find(typed) >= 0) return 0;
  const float row = ui.px(ui.touch ? 44 : 26), top = at.y;
  for (const int node : map.matches(typed, kCompletions)) {
    const std::string& path = map[node].path;
    button(
        ui,
        {.name = std::string(setting) + "_complete_" + path,
         .label = ui.in_one_line(FontRole::kBody, path, width - ui.px(24)),
         .command = ui_command::set(setting, path),
         .rect = {at, ImVec2(std::min(at.x + width, at.x + button_width(ui, path)), at.y + row)}},
        ButtonLook::kQuiet);
    at.y += row;
  }
  return at.y - top + (at.y > top ? ui.px(4) : 0);
}

// Check boxes, then what to compare with.
float Microscope::draw_choices(Ui& ui, bool has_gradient, Rect rect) {
  const Properties table = properties(ui.settings);
  const float control = control_height(ui);
  float x = rect.min.x, y = rect.min.y;
  const auto place = [&](float width) {
    if (x > rect.min.x && x + width > rect.max.x) x = rect.min.x, y += control + ui.px(4);
    const Rect placed{ImVec2(x, y), ImVec2(std::min(x + width, rect.max.x), y + control)};
    x += width + ui.px(12);
    return placed;
  };
  const auto check = [&](const char* name) {
    const Property& property = *find_property(table, name);
    check_box(ui, property,
              place(ui.measure(FontRole::kLabel, label_of(ui, property)).x + ui.px(40)));
  };
  check("inside_numbers");
  if (has_gradient || ui.settings.inside.gradient) check("inside_gradient");
  const Property& compare = *find_property(table, "inside_compare");
  float widest = 0;
  for (int i = 0; i < std::ssize(compare.choices); ++i) {
    widest = std::max(widest, ui.measure(FontRole::kLabel, choice_label(ui, compare, i)).x);
  }
  const float all = 3 * (widest + ui.px(16));
  const char* label = ui.tr(Text::setting_inside_compare);
  const ImVec2 words = ui.measure(FontRole::kLabel, label);
  const float pin = button_width(ui, ui.tr(Text::inside_pin));
  x = rect.min.x, y += control + ui.px(4);
  if (words.x + ui.px(8) + all <= rect.width()) {
    const Rect named = place(words.x - ui.px(4));
    ui.text(ImVec2(named.min.x, named.min.y + (control - words.y) / 2), FontRole::kLabel,
            ui.palette.muted, label);
  }
  segments(ui, compare, place(std::min(all, rect.width())));
  button(ui,
         {.name = "inside_pin",
          .label = ui.tr(Text::inside_pin),
          .command = ui_command::Pin{},
          .rect = place(pin)},
         ButtonLook::kFramed);
  if (ui.settings.inside.compare != InsideCompare::kNothing) check("inside_difference");
  return y + control + ui.px(8) - rect.min.y;
}

float Microscope::draw_histogram(Ui& ui, const Shown& shown, Rect rect) {
  const float line = ui.measure(FontRole::kSmallNumber, "0").y, height = ui.px(kHistogramHeight);
  const float whole = height + line + ui.px(8);
  std::uint32_t most = 0;
  for (const std::uint32_t count : shown.histogram) most = std::max(most, count);
  if (!shown.there() || most == 0) return whole;
  PlotAxis axis{shown.statistics.least, shown.statistics.most};
  if (!(axis.to > axis.from)) axis = {axis.from - 0.5, axis.to + 0.5};
  const Rect area{ImVec2(rect.min.x + ui.px(44), rect.min.y + ui.px(4)),
                  ImVec2(rect.max.x, rect.min.y + height)};
  ui.mirror.place("histogram", area);
  // A line around the bars: up and down at the ends of each.
  std::vector<PlotPoint> around = {{axis.from, 0}};
  const double width = (axis.to - axis.from) / static_cast<double>(shown.histogram.size());
  for (std::size_t i = 0; i < shown.histogram.size(); ++i) {
    const double left = axis.from + width * static_cast<double>(i), count = shown.histogram[i];
    around.push_back({left, count});
    around.push_back({left + width, count});
  }
  around.push_back({axis.to, 0});
  if (!begin_plot(ui, {.id = "histogram", .area = area, .x = &axis, .y = {0, 1.1 * most}})) {
    return whole;
  }
  draw_plot_scale(ui);
  draw_plot_numbers(ui, area.max.x, std::nullopt);
  draw_plot_line(ui, around, {kind_colour(ui.palette, kind_of(shown.tensor.path)), 1, ui.px(1.5f)});
  end_plot();
  return whole;
}

float Microscope::draw_figures(Ui& ui, const Shown& shown, ImVec2 at, float width) {
  if (!shown.there()) return 0;
  const TensorStatistics& s = shown.statistics;
  const std::pair<Text, std::string> figures[] = {
      {Text::statistic_mean, number_text(s.mean)},
      {Text::statistic_deviation, number_text(s.deviation)},
      {Text::statistic_least, number_text(s.least)},
      {Text::statistic_most, number_text(s.most)},
      {Text::statistic_zeros, tick_label(s.zeros, true)},
      {Text::statistic_not_finite, std::to_string(shown.not_finite)}};
  const float line = ui.measure(FontRole::kLabel, " ").y;
  const float number = ui.measure(FontRole::kSmallNumber, "0").y;
  const int columns = width >= ui.px(420) ? 6 : 3;
  const float step = width / static_cast<float>(columns);
  const float height = line + number + ui.px(4);
  std::string words;
  int i = 0;
  for (const auto& [name, value] : figures) {
    const int row = i / columns;
    const ImVec2 place(at.x + step * static_cast<float>(i % columns),
                       at.y + static_cast<float>(row) * height);
    const bool bad = name == Text::statistic_not_finite && shown.not_finite > 0;
    ui.text(place, FontRole::kLabel, ui.palette.muted, ui.tr(name), {.max_width = step});
    ui.text(ImVec2(place.x, place.y + line), FontRole::kSmallNumber,
            bad ? ui.palette.wrong : ui.palette.text, value);
    words += (i == 0 ? "" : ", ") + std::string(ui.tr(name)) + " " + value;
    ++i;
  }
  ui.mirror.readout({"microscope", ui.tr(Text::microscope),
                     shown.tensor.path + ": " +
                         shape_text(shown.tensor.rows, shown.tensor.columns) + "; " + words});
  const int lines = (static_cast<int>(std::size(figures)) + columns - 1) / columns;
  return static_cast<float>(lines) * height;
}

}  // namespace tp::ui
