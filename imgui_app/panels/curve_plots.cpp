#include "imgui_app/panels/curve_plots.h"

#include <algorithm>
#include <cmath>

#include "imgui_app/panels/curve_words.h"
#include "imgui_app/widgets/controls.h"

namespace tp::ui {
namespace {

constexpr float kLeastHeight = 120;  // of a plot

float caption_height(const Ui& ui) { return ui.measure(FontRole::kLabel, " ").y + ui.px(3); }
float lane_height(const Ui& ui) { return ui.measure(FontRole::kLabel, " ").y; }
float numbers_height(const Ui& ui) { return ui.measure(FontRole::kSmallNumber, " ").y + ui.px(2); }

// How much of the height that is left over each plot gets.
float weight_of(CurveKind kind) { return kind == CurveKind::kLoss ? 2.0f : 1.0f; }

// What the line of the goal is called in a small plot.
Text short_name(CurveGoal goal) {
  return goal == CurveGoal::kMetric   ? Text::curve_mini_error
         : goal == CurveGoal::kTokens ? Text::figure_tokens
                                      : Text::curve_mini_right;
}

const char* plot_id(CurveKind kind) {
  static constexpr const char* kIds[kCurveKinds] = {"##loss", "##goal", "##perplexity", "##tokens",
                                                    "##rate", "##norm", "##ratio"};
  return kIds[static_cast<std::size_t>(kind)];
}

}  // namespace

float CurvePlots::height_for(const Ui& ui, std::size_t plots) {
  const auto n = static_cast<float>(plots);
  return n * (caption_height(ui) + ui.px(kLeastHeight)) + (n - 1) * ui.px(8) + lane_height(ui) +
         numbers_height(ui);
}

int CurvePlots::builds() const {
  int sum = 0;
  for (const CurveSeries& one : series_) sum += one.builds();
  return sum;
}

double CurvePlots::value(CurveKind kind, CurveOf of) const {
  const auto found = value_at(time_.line(), kind, source_.goal, of, shown_step_);
  return found ? found->y : std::nan("");
}

void CurvePlots::begin(const Ui& ui, const RunView& run) {
  time_.follow(run);
  const CurveSettings& s = ui.settings.curves;
  const std::vector<RunCurves>& runs = run.runs();
  std::uint64_t last = 20;
  for (const RunCurves& one : runs) {
    const bool newest = &one == &runs.back();
    if (newest || (s.ghosts && one.measure == runs.back().measure))
      last = std::max(last, last_step(one));
  }
  last_ = round_up(static_cast<double>(last));
  const auto moment = static_cast<double>(run.now().moment.step);
  if (zoom_) {  // a moment that was seen stays in view
    const double width = zoom_->to - zoom_->from;
    const bool inside = moment >= zoom_->from && moment <= zoom_->to;
    if (!inside && moment_inside_) {
      const double from = std::floor(
          std::max(0.0, moment > zoom_->to ? moment - 0.9 * width : moment - 0.1 * width));
      zoom_ = PlotAxis{from, from + width};
      last_ = std::max(last_, zoom_->to);
    }
    if (zoom_->from >= last_) zoom_.reset();  // a new run
  }
  view_ = zoom_.value_or(PlotAxis{0, last_});
  moment_inside_ = moment >= view_.from && moment <= view_.to;
  // Other branches are part of this run and always there; earlier runs when asked for.
  source_ = {.run = &run,
             .version = run.curves_version(),
             .leaf = time_.leaf(),
             .goal = goal_of(time_.line()),
             .from = view_.from,
             .to = view_.to,
             .columns = source_.columns,
             .zoomed = zoom_.has_value(),
             .logarithmic = s.logarithmic,
             .smoothing = s.smoothing,
             .earlier_runs = s.ghosts,
             .ghosts = ghosts_print(run, time_.leaf())};
  if (marks_of_.run != &run || marks_of_.version != source_.version ||
      marks_of_.leaf != source_.leaf) {
    marks_of_ = source_;
    collect_marks(time_.line(), marks_);
  }
  held_ = false;
  next_pointer_.reset();
  next_numbers_width_ = next_names_width_ = 0;
}

void CurvePlots::draw(Ui& ui, const RunView& run, Rect rect, std::span<const CurveKind> kinds) {
  const float caption = caption_height(ui), gap = ui.px(8);
  while (kinds.size() > 2 && height_for(ui, kinds.size()) > rect.height() + 1) {
    kinds = kinds.first(kinds.size() - 1);
  }
  const bool both = kinds.size() == 2 && height_for(ui, 2) > rect.height() + 1;
  if (both) kinds = kinds.first(1);
  float weights = 0;
  for (const CurveKind kind : kinds) weights += weight_of(kind);
  const float spare =
      std::max(rect.height() - height_for(ui, kinds.size()), ui.px(8 - kLeastHeight));

  // Beside the plots: numbers at the left, names at the right where there is room for them.
  const bool narrow = rect.width() < ui.px(240);
  const float left = std::round(rect.min.x + numbers_width_ + ui.px(6));
  const float right = std::round(rect.max.x - (narrow ? 0 : names_width_ + ui.px(10)));
  source_.columns = right - left;

  float y = rect.min.y;
  for (const CurveKind& kind : kinds) {
    const bool first = &kind == &kinds.front();
    const float caption_top = y;
    y += caption + (first ? lane_height(ui) : 0);
    const float height = std::floor(ui.px(kLeastHeight) + spare * weight_of(kind) / weights);
    const Part part{.kind = kind,
                    .look = both ? Look::kBoth : Look::kOne,
                    .whole_words = rect.width() >= ui.px(480),
                    .numbers = &kind == &kinds.back(),
                    .area = {ImVec2(left, y), ImVec2(right, y + height)},
                    .names = {ImVec2(right + ui.px(10), y - ui.px(3)),
                              ImVec2(rect.max.x, y + height + ui.px(6))}};
    draw_part(ui, run, part);
    draw_caption(ui, part, ImVec2(narrow && first ? rect.min.x : left, caption_top), rect.max.x);
    if (first) {
      draw_marks(ui, {ImVec2(left, y - lane_height(ui)), ImVec2(right, y)});
    }
    y += height + gap;
  }
  y -= gap;
  pan_by_numbers(ui, {ImVec2(left, y), ImVec2(right, y + numbers_height(ui))});
  take_zoom(ui);
  note_pointer(ui, run);
  ui.animating |= next_numbers_width_ != numbers_width_ || next_names_width_ != names_width_;
  numbers_width_ = next_numbers_width_;
  names_width_ = next_names_width_;
}

void CurvePlots::draw_mini(Ui& ui, const RunView& run, Rect rect) {
  ui.card(rect);
  const Text goal = short_name(source_.goal);
  const float column = std::max(ui.measure(FontRole::kLabel, ui.tr(Text::curve_mini_loss)).x,
                                ui.measure(FontRole::kLabel, ui.tr(goal)).x) +
                       ui.px(6) + ui.measure(FontRole::kSmallNumber, "100.0%").x;
  const bool numbers = rect.height() >= ui.px(104);
  const Rect area{ImVec2(rect.min.x + ui.px(12), rect.min.y + ui.px(10)),
                  ImVec2(rect.max.x - ui.px(24) - column,
                         rect.max.y - (numbers ? numbers_height(ui) + ui.px(4) : ui.px(10)))};
  source_.columns = area.width();
  draw_part(ui, run,
            {.look = Look::kStrip,
             .numbers = numbers,
             .area = area,
             .names = {ImVec2(area.max.x + ui.px(12), rect.min.y + ui.px(4)),
                       ImVec2(rect.max.x - ui.px(12), rect.max.y - ui.px(4))}});
  note_pointer(ui, run);
}

void CurvePlots::draw_part(Ui& ui, const RunView& run, const Part& part) {
  const bool one = part.look == Look::kOne, strip = part.look == Look::kStrip;
  const bool first = part.kind == CurveKind::kLoss;
  CurveSeries& main = series(part.kind);
  CurveSeries& goal = series(CurveKind::kGoal);
  main.update(part.kind, source_, time_.line());
  if (!one) goal.update(CurveKind::kGoal, source_, time_.line());
  const PlotFrame frame{.id = strip ? "##strip" : plot_id(part.kind),
                        .area = part.area,
                        .x = &view_,
                        .whole = {0, last_},
                        .least = strip ? 0 : kFewestSteps,
                        .y = main.y(),
                        .right = one ? std::nullopt : std::optional(goal.y()),
                        .select = !first && !ui.touch,
                        .pan = !first && ui.touch && zoomed()};
  if (first || frame.pan) ui.mirror.grabs(part.area);
  if (!strip) ui.mirror.zooms(part.area);
  if (!begin_plot(ui, frame)) return;
  std::vector<PlotName> names;
  if (!strip) {
    next_numbers_width_ = std::max(next_numbers_width_, draw_plot_scale(ui));
    draw_levels(ui, part, names);
    for (const CurveMark& mark : marks_) {
      draw_plot_step(ui, static_cast<double>(mark.step), {ui.palette.muted, 0.5f}, true);
    }
  }
  draw_lines(ui, main, PlotSide::kLeft, one);
  if (!one) draw_lines(ui, goal, PlotSide::kRight, true);
  add_names(ui, part, names);
  if (first) draw_kept(ui, run, part.area.max.y);
  if (part.numbers) {
    const auto step = static_cast<double>(shown_step_);
    const bool inside = step >= view_.from && step <= view_.to;
    draw_plot_numbers(ui, std::max(part.area.max.x, part.names.max.x),
                      inside ? std::optional(step) : std::nullopt);
  }
  point(ui, run, part);
  end_plot();
  for (const PlotName& name : names) {
    next_names_width_ = std::max(next_names_width_, ui.measure(FontRole::kLabel, name.text).x);
  }
  if (part.names.width() > 0) draw_plot_names(ui, part.names, std::move(names));
}

void CurvePlots::draw_lines(const Ui& ui, const CurveSeries& series, PlotSide side, bool heldout) {
  const float hair = std::max(1.0f, ui.px(1)), strong = std::max(1.0f, 1.5f * ui.scale);
  for (const CurveSeries::Ghost& ghost : series.ghost_runs) {
    if (side == PlotSide::kRight) break;  // one kind of them in a plot is enough
    const auto line = std::span(series.ghosts).subspan(ghost.first, ghost.last - ghost.first);
    const bool pointed = ghost.run == pointed_run_ && ghost.branch < 0;
    const bool branch = ghost.branch >= 0;  // a fork is seen at once
    draw_plot_line(ui, line,
                   {ui.palette.muted, pointed || branch ? 1 : 0.5f,
                    pointed  ? 2 * strong
                    : branch ? strong
                             : hair});
    if (branch && !line.empty()) {
      draw_plot_dots(ui, line.first(1), ui.palette.muted, 4 * ui.scale);
    }
  }
  draw_plot_line(ui, series.raw, {ui.palette.text, 0.3f, hair}, side);
  draw_plot_line(ui, series.strong, {ui.palette.text, 1, strong}, side);
  if (!heldout) return;
  draw_plot_line(ui, series.heldout, {ui.palette.accent, 1, strong}, side);
  dots_.clear();  // where they do not touch
  const double apart = ui.px(8) * (view_.to - view_.from) / source_.columns;
  for (const PlotPoint& point : series.heldout) {
    if (!std::isfinite(point.y) || (!dots_.empty() && point.x < dots_.back().x + apart)) continue;
    dots_.push_back(point);
  }
  draw_plot_dots(ui, dots_, ui.palette.accent, 2.5f * ui.scale, side);
}

// Levels that mean something, with their names beside the plot.
void CurvePlots::draw_levels(Ui& ui, const Part& part, std::vector<PlotName>& names) {
  const auto draw = [&](const PlotAxis& scale, double value, PlotSide side, std::string words) {
    // Also while it is out of view: a zoom leaves the width of the plots as it is.
    next_names_width_ = std::max(next_names_width_, ui.measure(FontRole::kLabel, words).x);
    if (!(value >= scale.from && value <= scale.to)) return;
    draw_plot_level(ui, value, side);
    names.push_back({plot_pixel({view_.to, value}, side).y, std::move(words), ui.palette.muted});
  };
  const std::int32_t vocabulary = source_.run->now().vocabulary;
  if (part.kind == CurveKind::kLoss && vocabulary > 1) {
    draw(series(CurveKind::kLoss).y(), std::log(static_cast<double>(vocabulary)), PlotSide::kLeft,
         part.whole_words ? guessing_words(ui, vocabulary) : ui.tr(Text::curve_guessing_short));
  }
  if (part.kind != CurveKind::kGoal && part.look == Look::kOne) return;
  const PlotSide side = part.look == Look::kOne ? PlotSide::kLeft : PlotSide::kRight;
  const CurveSeries& goal = series(CurveKind::kGoal);
  if (source_.goal == CurveGoal::kExact) {
    draw(goal.y(), kSolved, side, ui.tr(Text::curve_solved));
  } else if (source_.goal == CurveGoal::kMetric && part.whole_words) {
    draw(goal.y(), goal.baseline, side, ui.tr(Text::curve_baseline));
  }
}

// The names of the lines, at the height of their ends. A single line is named by its caption.
void CurvePlots::add_names(Ui& ui, const Part& part, std::vector<PlotName>& names) {
  const bool strip = part.look == Look::kStrip;
  const auto add = [&](const std::optional<PlotPoint>& end, PlotSide side, Text text, Colour colour,
                       std::string number) {
    if (!end && !strip) return;
    const float middle = (part.area.min.y + part.area.max.y) / 2;
    const float y = end ? plot_pixel(*end, side).y : middle;
    names.insert(names.begin(), {std::clamp(y, part.area.min.y, part.area.max.y), ui.tr(text),
                                 colour, std::move(number)});
  };
  const CurveSeries& main = series(part.kind);
  if (!strip) add_ghost_names(ui, part, main, names);
  if (part.look == Look::kOne) {
    if (!main.train_end || !main.heldout_end) return;
    add(main.train_end, PlotSide::kLeft, Text::curve_train, ui.palette.text, {});
    add(main.heldout_end, PlotSide::kLeft, Text::curve_heldout, ui.palette.accent, {});
    return;
  }
  const auto number = [&](CurveKind kind, CurveOf of) {
    return strip ? curve_number(kind, source_.goal, value(kind, of)) : std::string();
  };
  add(series(CurveKind::kGoal).heldout_end, PlotSide::kRight, short_name(source_.goal),
      ui.palette.accent, number(CurveKind::kGoal, CurveOf::kHeldout));
  add(main.train_end, PlotSide::kLeft, Text::curve_mini_loss, ui.palette.text,
      number(CurveKind::kLoss, CurveOf::kTrain));
}

// Behind the others, which stay where there is no room for all: the last point of each earlier run
// and of each other branch.
void CurvePlots::add_ghost_names(const Ui& ui, const Part& part, const CurveSeries& lines,
                                 std::vector<PlotName>& names) {
  for (std::size_t i = 0; i < lines.ghost_runs.size(); ++i) {
    const CurveSeries::Ghost& ghost = lines.ghost_runs[i];
    const bool more = i + 1 < lines.ghost_runs.size() && ghost.branch < 0 &&
                      lines.ghost_runs[i + 1].run == ghost.run;
    if (more) continue;  // of the branches of an earlier run the last one is named
    for (std::size_t p = ghost.last; p-- > ghost.first;) {
      const PlotPoint& end = lines.ghosts[p];
      if (!std::isfinite(end.y)) continue;
      const float y = std::clamp(plot_pixel(end).y, part.area.min.y, part.area.max.y);
      names.push_back({y, ghost_name(ui, ghost.run, ghost.branch), ui.palette.muted});
      break;
    }
  }
}

// One line: the title and the values of the step shown.
void CurvePlots::draw_caption(Ui& ui, const Part& part, ImVec2 at, float right) {
  const float line = ui.measure(FontRole::kLabel, " ").y;
  // As wide as the longest, so that what stands beside it does not move.
  const auto put = [&](FontRole role, Colour colour, std::string_view words, const char* longest) {
    const ImVec2 size = ui.measure(role, words);
    const float width = std::max(size.x, ui.measure(role, longest).x);
    if (at.x + width > right) return;
    ui.text(ImVec2(at.x, at.y + (line - size.y) / 2), role, colour, words);
    at.x += width + ui.px(8);
  };
  const bool both = part.look == Look::kBoth, unnamed = part.names.width() <= 0;
  for (const CurveKind kind : {part.kind, CurveKind::kGoal}) {
    put(FontRole::kLabel, ui.palette.muted, curve_title(ui, kind, source_.goal), "");
    for (const CurveOf of : {CurveOf::kTrain, CurveOf::kHeldout}) {
      const double number = value(kind, of);
      const bool train = of == CurveOf::kTrain;
      if (!std::isfinite(number) || (both && train != (kind == CurveKind::kLoss))) continue;
      const Colour colour = train ? ui.palette.text : ui.palette.accent;
      if (unnamed && kind != CurveKind::kGoal && !both) {
        put(FontRole::kLabel, colour, ui.tr(train ? Text::curve_train : Text::curve_heldout), "");
      }
      put(FontRole::kSmallNumber, colour, curve_number(kind, source_.goal, number),
          is_share(kind, source_.goal) ? "100.0%" : "0.000");
    }
    if (!both) break;
    at.x += ui.px(8);
  }
}

}  // namespace tp::ui
