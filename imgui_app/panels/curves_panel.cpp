#include "imgui_app/panels/curves_panel.h"

#include <algorithm>
#include <cmath>

#include "imgui_app/panels/curve_words.h"
#include "imgui_app/widgets/controls.h"

namespace tp::ui {
namespace {

constexpr const char* kBoxes[] = {"show_perplexity",    "show_token_accuracy", "show_learning_rate",
                                  "show_gradient_norm", "show_update_ratio",   "curve_log",
                                  "curve_ghosts"};

// Check boxes in columns as wide as the widest, the slider in what the last row leaves free.
struct ControlGrid {
  int columns = 1, rows = 1;
  float column = 0, gap = 0, row = 0, slider = 0;
  bool slider_below = false;
  float height() const {
    const auto n = static_cast<float>(rows);
    return slider_below ? n * row + slider : (n - 1) * row + std::max(row, slider);
  }
};

ControlGrid control_grid(const Ui& ui, float width) {
  const Properties table = properties(ui.settings);
  float widest = 0;
  for (const char* name : kBoxes) {
    const std::string_view label = label_of(ui, *find_property(table, name));
    widest = std::max(widest, ui.measure(FontRole::kLabel, label).x);
  }
  ControlGrid grid{.gap = ui.px(12), .row = ui.px(ui.touch ? 44 : 30)};
  const float needed = widest + ui.px(28);
  grid.columns = std::clamp(static_cast<int>((width + grid.gap) / (needed + grid.gap)), 1, 4);
  const int boxes = static_cast<int>(std::size(kBoxes));
  grid.rows = (boxes + grid.columns - 1) / grid.columns;
  grid.slider_below = boxes % grid.columns == 0;
  const auto n = static_cast<float>(grid.columns);
  grid.column = std::floor((width - (n - 1) * grid.gap) / n);
  grid.slider = ui.measure(FontRole::kLabel, " ").y + ui.px(ui.touch ? 44 : 28);
  return grid;
}

void draw_controls(Ui& ui, Rect rect) {
  const ControlGrid grid = control_grid(ui, rect.width());
  const Properties table = properties(ui.settings);
  int index = 0;
  const auto place_of = [&](int i) {
    const int row = i / grid.columns, column = i % grid.columns;
    return ImVec2(rect.min.x + static_cast<float>(column) * (grid.column + grid.gap),
                  rect.min.y + static_cast<float>(row) * grid.row);
  };
  for (const char* name : kBoxes) {
    const ImVec2 at = place_of(index++);
    check_box(ui, *find_property(table, name), {at, ImVec2(at.x + grid.column, at.y + grid.row)});
  }
  const ImVec2 at = place_of(index);
  slider(ui, *find_property(table, "curve_smoothing"), at, rect.max.x - at.x);
  double& smoothing = ui.settings.curves.smoothing;
  smoothing = std::round(smoothing * 100) / 100;  // two digits are all that anybody can see
}

std::vector<CurveKind> kinds_shown(const CurveSettings& s, bool complete) {
  std::vector<CurveKind> kinds = {CurveKind::kLoss, CurveKind::kGoal};
  if (!complete) return kinds;
  if (s.perplexity) kinds.push_back(CurveKind::kPerplexity);
  if (s.token_accuracy) kinds.push_back(CurveKind::kTokenAccuracy);
  if (s.learning_rate) kinds.push_back(CurveKind::kLearningRate);
  if (s.gradient_norm) kinds.push_back(CurveKind::kGradientNorm);
  if (s.update_ratio) kinds.push_back(CurveKind::kUpdateRatio);
  return kinds;
}

float button_height(const Ui& ui) { return ui.px(ui.touch ? 44 : 30); }

// Whether the buttons of the heading need a line of their own.
bool heading_is_tight(const Ui& ui, float width) {
  return ui.measure(FontRole::kHeading, ui.tr(Text::curves_title)).x +
             button_width(ui, ui.tr(Text::curves_csv)) +
             button_width(ui, ui.tr(Text::download_png)) + ui.px(40) >
         width;
}

}  // namespace

Rect CurvesPanel::draw_heading(Ui& ui, const RunView& run, Rect rect) {
  Rect inside = ui.panel(rect, ui.tr(Text::curves_title));
  ui.mirror.place("curves", rect);
  const bool tight = heading_is_tight(ui, rect.width());
  const float height = ui.px(ui.touch ? 44 : 28);
  float top = rect.min.y + ui.px(ui.touch ? 4 : 10), right = rect.max.x - ui.px(8);
  if (tight) {
    top = inside.min.y - ui.px(4);
    inside.min.y = top + height + ui.px(4);
  } else {
    inside.min.y = std::max(inside.min.y, top + height);
  }
  const bool anything = !run.runs().empty() && last_step(plots_.time().line()) > 0;
  for (const bool csv : {false, true}) {
    const char* label = ui.tr(csv ? Text::curves_csv : Text::download_png);
    const float width = button_width(ui, label);
    button(ui,
           {.name = csv ? "download_csv" : "download_curves_png",
            .label = label,
            .command = csv ? UiCommand(ui_command::DownloadCsv{})
                           : UiCommand(ui_command::DownloadPng{"curves"}),
            .enabled = anything || !csv,
            .rect = {ImVec2(right - width, top), ImVec2(right, top + height)}},
           ButtonLook::kQuiet);
    right -= width;
  }
  const float title = ui.measure(FontRole::kHeading, ui.tr(Text::curves_title)).x;
  const float left = rect.min.x + ui.px(16) + (tight ? 0 : title + ui.px(16));
  std::optional<Action> parent = plots_.time().parent(ui, run);
  const float back = parent ? button_width(ui, parent->label) : 0;
  parent_in_heading_ = parent && right - back > left;
  if (parent_in_heading_) {
    parent->rect = {ImVec2(right - back, top), ImVec2(right, top + height)};
    button(ui, std::move(*parent), ButtonLook::kFramed);
    right -= back;
  }
  const std::string history = history_words(ui, run.now());
  const ImVec2 size = ui.measure(FontRole::kLabel, history);
  history_in_heading_ = right - ui.px(4) - size.x > left;
  if (history_in_heading_) {
    ui.text(ImVec2(right - ui.px(4) - size.x, top + (height - size.y) / 2), FontRole::kLabel,
            ui.palette.muted, history);
  }
  return inside;
}

void CurvesPanel::draw_plots(Ui& ui, const RunView& run, Rect rect,
                             const std::vector<CurveKind>& kinds) {
  const bool seen =
      std::ranges::any_of(run.runs(), [](const RunCurves& one) { return has_values(one); });
  if (seen) return plots_.draw(ui, run, rect, kinds);
  const std::string_view words = ui.tr(Text::curves_empty);
  const ImVec2 size = ui.measure(FontRole::kBody, words, rect.width());
  ui.text(ImVec2(rect.min.x + (rect.width() - size.x) / 2,
                 rect.min.y + std::max(0.0f, (rect.height() - size.y) / 2)),
          FontRole::kBody, ui.palette.muted, words, {.wrap_width = rect.width() + 1});
}

// The time machine's and the zoom's buttons, and how much is remembered, in as many lines as they
// need. Returns the height.
float CurvesPanel::draw_buttons(Ui& ui, const RunView& run, ImVec2 at, float width,
                                bool measure_only) {
  const float height = button_height(ui), gap = ui.px(8), left = at.x, right = at.x + width;
  const float top = at.y;
  const auto next = [&](float wanted) {
    if (at.x > left && at.x + wanted > right) at = ImVec2(left, at.y + height + gap);
    const Rect rect{at, ImVec2(std::min(at.x + wanted, right), at.y + height)};
    at.x = rect.max.x + gap;
    return rect;
  };
  const auto put = [&](Action action) {
    action.rect = next(button_width(ui, action.label));
    if (!measure_only) button(ui, std::move(action), ButtonLook::kFramed);
  };
  for (const bool later : {false, true}) put(plots_.time().beside(ui, run, later));
  if (std::optional<Action> parent = plots_.time().parent(ui, run); parent && !parent_in_heading_) {
    put(std::move(*parent));
  }
  const auto zoom = [&](const char* name, Text label, double factor, bool enabled) {
    put({.name = name,
         .label = ui.tr(label),
         .command = ui_command::ZoomCurves{factor},
         .enabled = enabled});
  };
  zoom("zoom_in", Text::curve_zoom_in, 2, last_step(plots_.time().line()) > 0);
  zoom("zoom_out", Text::curve_zoom_out, 0.5, plots_.zoomed());
  zoom("zoom_all", Text::curve_zoom_all, 0, plots_.zoomed());
  if (run.runs().size() > 1) {
    put({.name = "forget_ghosts",
         .label = ui.tr(Text::curves_forget),
         .command = ui_command::ForgetGhosts{}});
  }
  const std::string history = history_words(ui, run.now());
  if (!history.empty() && !history_in_heading_) {
    const ImVec2 size = ui.measure(FontRole::kLabel, history);
    const Rect rect = next(size.x);
    if (!measure_only) {
      ui.text(ImVec2(rect.min.x, rect.min.y + (height - size.y) / 2), FontRole::kLabel,
              ui.palette.muted, history, {.max_width = rect.width() + 1});
    }
  }
  return at.y + height - top;
}

// What differed between the runs, newest first, as many lines as there is room for.
float CurvesPanel::draw_runs(Ui& ui, ImVec2 at, float width, float room, bool measure_only) {
  const float line = ui.measure(FontRole::kLabel, " ").y, top = at.y;
  for (std::size_t i = runs_.size(); i-- > 0;) {
    const ImVec2 size = ui.measure(FontRole::kLabel, runs_[i].words, width);
    const float rest = i > 0 ? line : 0;  // for saying that there are more
    if (at.y - top + size.y + rest > room) {
      if (at.y - top + line > room || i + 1 == runs_.size()) break;  // "and 2 more" than what
      if (!measure_only) {
        ui.text(at, FontRole::kLabel, ui.palette.muted,
                fill(ui.tr(Text::run_more), {std::to_string(i + 1)}), {.max_width = width});
      }
      at.y += line;
      break;
    }
    if (!measure_only) {
      ImGui::SetCursorScreenPos(at);
      ImGui::InvisibleButton(("curves run " + std::to_string(i)).c_str(), ImVec2(width, size.y));
      const bool pointed = ImGui::IsItemHovered();
      if (pointed) pointed_run_ = runs_[i].run;
      ui.text(at, FontRole::kLabel,
              pointed || i + 1 == runs_.size() ? ui.palette.text : ui.palette.muted, runs_[i].words,
              {.wrap_width = width});
    }
    at.y += size.y;
  }
  return at.y - top;
}

void CurvesPanel::draw(Ui& ui, const RunView& run, Rect rect, bool complete) {
  const std::vector<CurveKind> kinds = kinds_shown(ui.settings.curves, complete);
  runs_ = run_lines(ui, run);
  plots_.begin(ui, run);
  const Rect inside = draw_heading(ui, run, rect);
  const float gap = ui.px(8), width = inside.width();
  float bottom = inside.max.y;
  pointed_run_.reset();
  if (complete) {
    const float controls = control_grid(ui, width).height();
    draw_controls(ui, {ImVec2(inside.min.x, bottom - controls), ImVec2(inside.max.x, bottom)});
    bottom -= controls + gap;
    const float buttons = draw_buttons(ui, run, inside.min, width, true);
    draw_buttons(ui, run, ImVec2(inside.min.x, bottom - buttons), width, false);
    bottom -= buttons + gap;
    buttons_height_ = buttons;
    const float room = bottom - inside.min.y - CurvePlots::height_for(ui, kinds.size()) - gap;
    if (const float runs = draw_runs(ui, inside.min, width, room, true); runs > 0) {
      draw_runs(ui, ImVec2(inside.min.x, bottom - runs), width, room, false);
      bottom -= runs + gap;
    }
  }
  plots_.point_at_run(pointed_run_);
  draw_plots(ui, run, {inside.min, ImVec2(inside.max.x, bottom)}, kinds);
  say(ui, plots_, kinds);
}

// What a person who cannot see the picture reads.
void CurvesPanel::say(Ui& ui, const CurvePlots& plots, std::span<const CurveKind> kinds) const {
  const CurveLine& line = plots.time().line();
  ui.mirror.readout({"curves", ui.tr(Text::curves_title),
                     line.empty()
                         ? ui.tr(Text::curves_empty)
                         : step_sentence(ui, line, plots.goal(), plots.shown_step(), kinds)});
  if (!has_values(line)) return;
  std::string events = plots.event_words(ui);
  std::ranges::replace(events, '\n', ' ');
  ui.mirror.readout({"curve_event", ui.tr(Text::curve_event_title),
                     events.empty() ? ui.tr(Text::curve_no_event) : events});
  std::string runs;
  for (const RunLine& one : runs_) runs += (runs.empty() ? "" : "; ") + one.words;
  if (!runs.empty()) ui.mirror.readout({"curve_runs", ui.tr(Text::runs_title), runs});
}

float CurvesPanel::height_with(const Ui& ui, float width, bool list_runs) const {
  const float inside = width - ui.px(32), line = ui.measure(FontRole::kLabel, " ").y;
  const std::size_t plots = kinds_shown(ui.settings.curves, true).size();
  float height = ui.px(12) + ui.measure(FontRole::kHeading, " ").y + ui.px(8) + ui.px(16) +
                 CurvePlots::height_for(ui, plots) + ui.px(8) + control_grid(ui, inside).height() +
                 ui.px(8);
  if (heading_is_tight(ui, width)) height += ui.px(ui.touch ? 48 : 32);
  height += std::max(buttons_height_, button_height(ui)) + ui.px(8);
  if (!list_runs) return std::ceil(height);
  for (const RunLine& one : runs_) height += ui.measure(FontRole::kLabel, one.words, inside).y;
  return std::ceil(height + line);
}

void CurvesPanel::draw_mini(Ui& ui, const RunView& run, Rect rect) {
  mini_.begin(ui, run);
  mini_.draw_mini(ui, run, rect);
  ui.mirror.place("mini_curve", rect);
  runs_ = run_lines(ui, run);
  say(ui, mini_, kinds_shown(ui.settings.curves, false));
}

std::unique_ptr<Panel> make_curves_panel(RunEditor&) { return std::make_unique<CurvesPanel>(); }

}  // namespace tp::ui
