#include "imgui_app/panels/curve_plots.h"

#include <algorithm>
#include <cmath>

#include "imgui_app/panels/curve_measures.h"
#include "imgui_app/panels/curve_words.h"
#include "imgui_app/widgets/controls.h"

namespace tp::ui {
namespace {

// How much of the height each plot gets.
float weight_of(CurveKind kind) {
  return kind == CurveKind::kLoss ? 2.2f : kind == CurveKind::kGoal ? 1.25f : 1;
}

void draw_dashed(const Ui& ui, ImVec2 from, float to, ImU32 colour) {
  const float dash = ui.px(4);
  for (float x = from.x; x < to; x += 2 * dash) {
    ImGui::GetWindowDrawList()->AddLine(ImVec2(x, from.y), ImVec2(std::min(x + dash, to), from.y),
                                        colour, hair(ui));
  }
}

// Draws what lies between points that are not numbers.
void draw_line(std::span<const PlotPoint> line, ImU32 colour, float width,
               std::vector<ImVec2>& buffer) {
  buffer.clear();
  const auto flush = [&] {
    if (buffer.size() > 1) {
      ImGui::GetWindowDrawList()->AddPolyline(buffer.data(), static_cast<int>(buffer.size()),
                                              colour, 0, width);
    } else if (buffer.size() == 1) {
      ImGui::GetWindowDrawList()->AddCircleFilled(buffer[0], width, colour);
    }
    buffer.clear();
  };
  for (const PlotPoint& point : line) {
    if (std::isfinite(point.y)) {
      buffer.emplace_back(point.x, point.y);
    } else {
      flush();
    }
  }
  flush();
}

}  // namespace

float CurvePlots::least_height(const Ui& ui, std::size_t plots) {
  const auto n = static_cast<float>(plots);
  return n * (caption_height(ui) + plot_gap(ui)) + steps_height(ui) + lane_height(ui) +
         ui.px(84 + 48 * (n - 1));
}

float CurvePlots::good_height(const Ui& ui, std::size_t plots) {
  const auto n = static_cast<float>(plots);
  return n * (caption_height(ui) + plot_gap(ui)) + steps_height(ui) + lane_height(ui) +
         ui.px(150 + 84 * (n - 1));
}

int CurvePlots::builds() const {
  int sum = 0;
  for (const Plot& plot : plots_) sum += plot.lines.builds();
  return sum;
}

// What everything in the frame is made of.
void CurvePlots::begin(const Ui& ui, const RunView& run) {
  time_.follow(run);
  placed_.clear();
  const CurveSettings& s = ui.settings.curves;
  double last = static_cast<double>(last_step(time_.line()));
  const std::vector<RunCurves>& runs = run.runs();
  if (!runs.empty()) {
    const std::size_t first = s.ghosts ? 0 : runs.size() - 1;
    for (std::size_t i = first; i < runs.size(); ++i) {
      for (const BranchCurves& branch : runs[i].branches) {
        if (branch.points.empty()) continue;
        last = std::max(last, static_cast<double>(branch.points.back().step));
      }
    }
  }
  last_ = round_up(std::max(last, 20.0));
  const auto moment = static_cast<double>(run.now().moment.step);
  if (zoom_) {  // whoever watches the moment keeps seeing it
    const double width = zoom_->to - zoom_->from;
    const bool inside = moment >= zoom_->from && moment <= zoom_->to;
    if (!inside && moment_inside_) {
      const double from =
          std::max(0.0, moment > zoom_->to ? moment - 0.9 * width : moment - 0.1 * width);
      zoom_ = Steps{std::floor(from), std::floor(from) + width};
    }
    if (zoom_->from >= last_) zoom_.reset();  // a new run
  }
  const Steps view = zoom_.value_or(Steps{0, last_});
  moment_inside_ = moment >= view.from && moment <= view.to;
  // Other branches are part of this run and always there; earlier runs when asked for.
  source_ = {.run = &run,
             .version = run.curves_version(),
             .leaf = time_.leaf(),
             .goal = goal_of(time_.line()),
             .from = view.from,
             .to = view.to,
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
}

bool CurvePlots::place(Ui& ui, ImVec2 at, FontRole role, Colour colour, std::string_view words) {
  const ImVec2 size = ui.measure(role, words);
  // Lines may share a little of the air above and below their letters.
  const float air = 0.1f * size.y;
  const Rect rect{ImVec2(at.x, at.y + air), ImVec2(at.x + size.x, at.y + size.y - air)};
  for (const Rect& other : placed_) {
    if (overlap(rect, other)) return false;
  }
  placed_.push_back(rect);
  ui.text(at, role, colour, words);
  return true;
}

// Heights by weight, the widest label of all scales at the left, room for the names at the right.
void CurvePlots::arrange(Ui& ui, Rect rect, std::span<const CurveKind> kinds) {
  const float caption = caption_height(ui), gap = plot_gap(ui), inset = ui.px(3);
  lane_ = lane_height(ui);
  float weights = 0;
  for (const CurveKind kind : kinds) weights += weight_of(kind);
  const auto n = static_cast<float>(kinds.size());
  const float room = rect.height() - steps_height(ui) - lane_ - n * caption - (n - 1) * gap;
  const float label = ui.measure(FontRole::kSmallNumber, " ").y;
  float left = ui.measure(FontRole::kSmallNumber, "100%").x, y = rect.min.y;
  for (const CurveKind kind : kinds) {
    Plot& p = plot(kind);
    const float height = std::max(std::floor(room * weight_of(kind) / weights), ui.px(8));
    y += caption + (kind == CurveKind::kLoss ? lane_ : 0);
    p.area.min.y = y;
    p.area.max.y = y += height;
    y += gap;
    const int most = std::clamp(static_cast<int>((height + label) / (1.7f * label)), 2, 5);
    p.lines.set_scale(kind, source_, time_.line(), most);
    for (const std::string& text : p.lines.labels()) {
      left = std::max(left, ui.measure(FontRole::kSmallNumber, text).x);
    }
  }
  const bool narrow = rect.width() < ui.px(300);  // then the names lie in the plot
  const float names = std::max(ui.measure(FontRole::kLabel, ui.tr(Text::curve_train)).x,
                               ui.measure(FontRole::kLabel, ui.tr(Text::curve_heldout)).x);
  for (const CurveKind kind : kinds) {
    Plot& p = plot(kind);
    p.area.min.x = std::round(rect.min.x + left + ui.px(6));
    p.area.max.x = std::round(rect.max.x - (narrow ? 0 : names + ui.px(10)));
    p.lines.set_place(time_.line(), p.area.min.x, p.area.max.x, p.area.min.y + inset,
                      p.area.max.y - hair(ui));
  }
}

void CurvePlots::draw(Ui& ui, const RunView& run, Rect rect, std::span<const CurveKind> kinds) {
  arrange(ui, rect, kinds);
  Plot& loss = plot(kinds.front());
  Plot& lowest = plot(kinds.back());
  pointer_.reset();
  time_.drag(ui, run, "curves time", loss.area, loss.lines.x(), &loss.lines.y());
  select_steps(ui, kinds);
  note_pointer(ui, run, loss);
  moment_x_ = loss.lines.x().pixel(static_cast<double>(time_.step(run)));
  for (const CurveKind kind : kinds) {
    const Plot& p = plot(kind);
    draw_scale(ui, p);
    draw_lines(ui, p);
    draw_names(ui, kind, p, rect.max.x);
    draw_limits(ui, kind, p);
    draw_caption(ui, kind, p, rect.max.x);
  }
  draw_kept(ui, run, loss);
  draw_moment(ui, run, kinds);
  draw_marks(ui, loss);
  draw_steps(ui, lowest, rect.max.x);
}

void CurvePlots::draw_scale(Ui& ui, const Plot& p) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float line = ui.measure(FontRole::kSmallNumber, " ").y;
  for (std::size_t i = 0; i < p.lines.ticks().size(); ++i) {
    const float y = std::round(p.lines.y().pixel(p.lines.ticks()[i]));
    list.AddLine(ImVec2(p.area.min.x, y), ImVec2(p.area.max.x, y),
                 ui.colour(ui.palette.hairline, 0.7f), hair(ui));
    const float width = ui.measure(FontRole::kSmallNumber, p.lines.labels()[i]).x;
    place(ui, ImVec2(p.area.min.x - ui.px(6) - width, y - line / 2), FontRole::kSmallNumber,
          ui.palette.muted, p.lines.labels()[i]);
  }
}

void CurvePlots::draw_lines(Ui& ui, const Plot& p) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float spare = ui.px(3), strong = std::max(1.0f, 1.5f * ui.scale);
  list.PushClipRect(ImVec2(p.area.min.x, p.area.min.y), ImVec2(p.area.max.x + spare, p.area.max.y),
                    true);
  const CurveGeometry& lines = p.lines;
  draw_line(lines.ghosts, ui.colour(ui.palette.muted, 0.5f), hair(ui), buffer_);
  for (const CurveGeometry::Ghost& ghost : lines.ghost_runs) {
    if (ghost.run != pointed_run_) continue;
    draw_line(std::span(lines.ghosts).subspan(ghost.first, ghost.last - ghost.first),
              ui.colour(ui.palette.muted), 2 * strong, buffer_);
  }
  draw_line(lines.raw, ui.colour(ui.palette.text, 0.3f), hair(ui), buffer_);
  draw_line(lines.strong, ui.colour(ui.palette.text), strong, buffer_);
  draw_line(lines.heldout, ui.colour(ui.palette.accent), strong, buffer_);
  float last = -1e9f;  // dots where they do not touch
  for (const PlotPoint& point : lines.heldout) {
    if (!std::isfinite(point.y) || point.x < last + ui.px(8)) continue;
    last = point.x;
    list.AddCircleFilled(ImVec2(point.x, point.y), 2.5f * ui.scale, ui.colour(ui.palette.accent));
  }
  list.PopClipRect();
}

void CurvePlots::draw_limits(Ui& ui, CurveKind kind, const Plot& p) {
  const std::int32_t vocabulary = source_.run->now().vocabulary;
  if (kind == CurveKind::kLoss && vocabulary > 1) {
    std::string label = fill(ui.tr(Text::curve_guessing), {std::to_string(vocabulary)});
    if (ui.measure(FontRole::kLabel, label).x > 0.6f * p.area.width()) {
      label = ui.tr(Text::curve_guessing_short);
    }
    draw_limit(ui, p, std::log(static_cast<double>(vocabulary)), label, true);
  }
  if (kind == CurveKind::kGoal && source_.goal == CurveGoal::kExact) {
    draw_limit(ui, p, kSolved, ui.tr(Text::curve_solved), false);
  }
  if (kind == CurveKind::kGoal && source_.goal == CurveGoal::kMetric &&
      std::isfinite(p.lines.baseline)) {
    draw_limit(ui, p, p.lines.baseline, ui.tr(Text::curve_baseline), false);
  }
}

// A dashed line with its name where the curve is least likely to be: above it at the right, else
// below it at the left.
void CurvePlots::draw_limit(Ui& ui, const Plot& p, double value, const std::string& label,
                            bool at_right) {
  const PlotAxis& y = p.lines.y();
  if (value < y.from || value > y.to) return;
  const float at = std::round(y.pixel(value));
  draw_dashed(ui, ImVec2(p.area.min.x, at), p.area.max.x, ui.colour(ui.palette.edge));
  const ImVec2 size = ui.measure(FontRole::kLabel, label);
  if (size.x > p.area.width() - ui.px(12)) return;
  const float left = p.area.min.x + ui.px(6);
  float right = p.area.max.x - size.x - ui.px(6);
  if (moment_x_ > right - ui.px(4) && moment_x_ < p.area.max.x &&
      moment_x_ - size.x - ui.px(10) > left) {
    right = moment_x_ - size.x - ui.px(10);  // not across the line of the moment
  }
  for (const bool on_right : {at_right, !at_right}) {
    const float above = at - size.y, below = at + ui.px(1);
    for (const float top : {on_right ? above : below, on_right ? below : above}) {
      if (top < p.area.min.y - ui.px(2) || top + size.y > p.area.max.y + ui.px(2)) continue;
      if (place(ui, ImVec2(on_right ? right : left, top), FontRole::kLabel, ui.palette.muted,
                label)) {
        return;
      }
    }
  }
}

// A low plot has no room for two names, one above the other.
bool CurvePlots::names_in_caption(const Ui& ui, CurveKind kind, const Plot& p) const {
  return kind != CurveKind::kGoal && p.lines.heldout_end &&
         p.area.height() < 2 * ui.measure(FontRole::kLabel, " ").y;
}

void CurvePlots::draw_names(Ui& ui, CurveKind kind, const Plot& p, float right) {
  // The caption alone says what a single line is.
  if (!p.lines.heldout_end || names_in_caption(ui, kind, p)) return;
  struct Name {
    PlotPoint end;
    Text text;
    Colour colour;
    float y;
  };
  std::vector<Name> names;
  const float line = ui.measure(FontRole::kLabel, " ").y;
  const auto add = [&](const std::optional<PlotPoint>& end, Text text, Colour colour) {
    if (end) names.push_back({*end, text, colour, end->y - line / 2});
  };
  if (kind != CurveKind::kGoal) add(p.lines.train_end, Text::curve_train, ui.palette.text);
  add(p.lines.heldout_end, Text::curve_heldout, ui.palette.accent);
  // Pushed apart where the ends meet, and into the plot.
  std::ranges::stable_sort(names, {}, &Name::y);
  const float top = p.area.min.y - ui.px(2), bottom = p.area.max.y - line + ui.px(4);
  if (names.size() == 2 && names[1].y < names[0].y + line) {
    const float middle = (names[0].y + names[1].y) / 2;
    names[0].y = middle - line / 2;
    names[1].y = middle + line / 2;
  }
  float floor = bottom;
  for (auto name = names.rbegin(); name != names.rend(); ++name, floor -= line) {
    name->y = std::min(name->y, floor);
  }
  float ceiling = top;
  for (Name& name : names) {
    name.y = std::max(name.y, ceiling);
    ceiling = name.y + line;
  }
  // One below the other beside the longer line, and beside the moment where that would cross them.
  float end = 0, widest = 0;
  for (const Name& name : names) {
    end = std::max(end, std::min(name.end.x, p.area.max.x));
    widest = std::max(widest, ui.measure(FontRole::kLabel, ui.tr(name.text)).x);
  }
  if (moment_x_ > end && moment_x_ < end + widest + ui.px(12)) end = moment_x_;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (const Name& name : names) {
    const ImVec2 size = ui.measure(FontRole::kLabel, ui.tr(name.text));
    const float x = std::min(end + ui.px(8), right - size.x);
    if (x < p.area.max.x) {
      list.AddRectFilled(ImVec2(x - ui.px(2), name.y), ImVec2(x + size.x + ui.px(2), name.y + line),
                         ui.colour(ui.palette.panel, 0.75f));
    }
    place(ui, ImVec2(x, name.y), FontRole::kLabel, name.colour, ui.tr(name.text));
  }
}

// The title, and at the right the values of the step shown.
void CurvePlots::draw_caption(Ui& ui, CurveKind kind, const Plot& p, float right) {
  const std::string title = curve_title(ui, kind, source_.goal);
  const float y = p.area.min.y - caption_height(ui) - (kind == CurveKind::kLoss ? lane_ : 0);
  place(ui, ImVec2(p.area.min.x, y), FontRole::kLabel, ui.palette.muted, title);
  float title_end = p.area.min.x + ui.measure(FontRole::kLabel, title).x;
  if (names_in_caption(ui, kind, p)) {
    for (const auto& [text, colour] : {std::pair(Text::curve_train, ui.palette.text),
                                       std::pair(Text::curve_heldout, ui.palette.accent)}) {
      const float width = ui.measure(FontRole::kLabel, ui.tr(text)).x;
      if (title_end + ui.px(12) + width > right) break;
      place(ui, ImVec2(title_end + ui.px(12), y), FontRole::kLabel, colour, ui.tr(text));
      title_end += ui.px(12) + width;
    }
  }
  const MetricPoint* point = point_at(time_.line(), shown_step_);
  const ExamPoint* exam = exam_at(time_.line(), shown_step_);
  const float small = ui.measure(FontRole::kSmallNumber, " ").y;
  const float middle = y + (caption_height(ui) - small) / 2;
  float x = right;
  const auto put = [&](double value, Colour colour) {
    if (!std::isfinite(value)) return;
    const std::string number = curve_number(kind, source_.goal, value);
    // Room for the longest, so that what stands beside it does not move.
    const float width = std::max(
        ui.measure(FontRole::kSmallNumber, is_share(kind, source_.goal) ? "100.0%" : "0.000").x,
        ui.measure(FontRole::kSmallNumber, number).x);
    if (x - width < title_end + ui.px(8)) return;
    const float own = ui.measure(FontRole::kSmallNumber, number).x;
    place(ui, ImVec2(x - own, middle), FontRole::kSmallNumber, colour, number);
    x -= width + ui.px(10);
  };
  put(exam ? heldout_value(kind, source_.goal, *exam) : std::nan(""), ui.palette.accent);
  put(point ? train_value(kind, *point) : std::nan(""), ui.palette.text);
}

// The numbers of the steps, and that of the one under the pointer or of the moment.
void CurvePlots::draw_steps(Ui& ui, const Plot& lowest, float right) {
  const float y = lowest.area.max.y + ui.px(2);
  const PlotAxis& x = lowest.lines.x();
  std::vector<Rect> labels;
  const auto put = [&](double step, Colour colour) {
    const std::string label = readable_number(std::round(step));
    const ImVec2 size = ui.measure(FontRole::kSmallNumber, label);
    const float left = std::clamp(x.pixel(step) - size.x / 2, lowest.area.min.x,
                                  std::max(lowest.area.min.x, right - size.x));
    const Rect with_air{ImVec2(left - ui.px(8), y), ImVec2(left + size.x + ui.px(8), y + size.y)};
    for (const Rect& other : labels) {
      if (overlap(with_air, other)) return;
    }
    labels.push_back({ImVec2(left, y), ImVec2(left + size.x, y + size.y)});
    ui.text(ImVec2(left, y), FontRole::kSmallNumber, colour, label);
  };
  const auto shown = static_cast<double>(shown_step_);
  if (shown >= source_.from && shown <= source_.to) put(shown, ui.palette.text);
  const int most = std::clamp(static_cast<int>(lowest.area.width() / ui.px(76)), 2, 7);
  for (const double tick : round_ticks(x, most)) put(tick, ui.palette.muted);
}

}  // namespace tp::ui
