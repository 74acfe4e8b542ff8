#include "imgui_app/panels/curve_plots.h"

#include <algorithm>
#include <cmath>

#include "imgui_app/panels/curve_words.h"
#include "imgui_app/widgets/controls.h"

namespace tp {
namespace {

constexpr double kDoubleClick = 350, kCounterPause = 100;  // milliseconds
constexpr double kFewestSteps = 4;                         // that a zoom shows

float hair(const Ui& ui) { return std::max(1.0f, ui.px(1)); }
float caption_height(const Ui& ui) { return ui.measure(FontRole::kLabel, " ").y; }
float steps_height(const Ui& ui) { return ui.measure(FontRole::kSmallNumber, " ").y + ui.px(2); }
float lane_height(const Ui& ui) { return ui.px(ui.touch ? 20 : 12); }

// How much of the height each plot gets.
float weight_of(CurveKind kind) {
  return kind == CurveKind::kLoss ? 2.2f : kind == CurveKind::kGoal ? 1.25f : 1;
}

bool overlap(Rect a, Rect b) {
  return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

void draw_dashed(const Ui& ui, ImVec2 from, float to, ImU32 colour) {
  const float dash = ui.px(4);
  for (float x = from.x; x < to; x += 2 * dash) {
    ImGui::GetWindowDrawList()->AddLine(ImVec2(x, from.y), ImVec2(std::min(x + dash, to), from.y),
                                        colour, hair(ui));
  }
}

// Draws what lies between points that are not numbers.
void draw_line(const std::vector<PlotPoint>& line, ImU32 colour, float width,
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
  return n * (caption_height(ui) + ui.px(6)) + steps_height(ui) + lane_height(ui) +
         ui.px(84 + 48 * (n - 1));
}

float CurvePlots::good_height(const Ui& ui, std::size_t plots) {
  const auto n = static_cast<float>(plots);
  return n * (caption_height(ui) + ui.px(6)) + steps_height(ui) + lane_height(ui) +
         ui.px(150 + 84 * (n - 1));
}

int CurvePlots::builds() const {
  int sum = 0;
  for (const Plot& plot : plots_) sum += plot.lines.builds();
  return sum;
}

void CurvePlots::zoom(const RunView& run, double factor) {
  if (factor <= 0) return zoom_.reset();
  const Steps now = zoom_.value_or(Steps{0, last_});
  const auto moment = static_cast<double>(run.now().moment.step);
  const bool inside = moment >= now.from && moment <= now.to;
  const double centre = inside ? moment : (now.from + now.to) / 2;
  const double width = std::max((now.to - now.from) / factor, kFewestSteps);
  if (width >= last_) return zoom_.reset();
  const double from = std::clamp(centre - width / 2, 0.0, last_ - width);
  zoom_ = Steps{std::floor(from), std::ceil(from + width)};
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
             .goal = goal_of(run),
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
  const Rect rect{at, ImVec2(at.x + size.x, at.y + size.y)};
  for (const Rect& other : placed_) {
    if (overlap(rect, other)) return false;
  }
  placed_.push_back(rect);
  ui.text(at, role, colour, words);
  return true;
}

// Heights by weight, the widest label of all scales at the left, room for the names at the right.
void CurvePlots::arrange(Ui& ui, Rect rect, std::span<const CurveKind> kinds) {
  const float caption = caption_height(ui), gap = ui.px(6), inset = ui.px(3);
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
    p.area.max.x = std::round(rect.max.x - (narrow ? 0 : names + ui.px(8)));
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
  for (const CurveKind kind : kinds) {
    const Plot& p = plot(kind);
    draw_scale(ui, p);
    draw_lines(ui, p);
    draw_names(ui, kind, p, rect.max.x);
    draw_limits(ui, kind, p);
    draw_caption(ui, kind, p, rect.max.x);
  }
  draw_kept(ui, run, loss);
  draw_moment(ui, run, loss, lowest.area.max.y);
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
    draw_limit(ui, p, std::log(static_cast<double>(vocabulary)),
               fill(ui.tr(Text::curve_guessing), {std::to_string(vocabulary)}), true);
  }
  if (kind == CurveKind::kGoal && source_.goal == CurveGoal::kExact) {
    draw_limit(ui, p, kSolved, ui.tr(Text::curve_solved), false);
  }
  if (kind == CurveKind::kGoal && source_.goal == CurveGoal::kMetric &&
      std::isfinite(p.lines.baseline)) {
    draw_limit(ui, p, p.lines.baseline, ui.tr(Text::curve_baseline), true);
  }
}

// A dashed line with its name above it or below it, at the end where the curve is not.
void CurvePlots::draw_limit(Ui& ui, const Plot& p, double value, const std::string& label,
                            bool at_right) {
  const PlotAxis& y = p.lines.y();
  if (value < y.from || value > y.to) return;
  const float at = std::round(y.pixel(value));
  draw_dashed(ui, ImVec2(p.area.min.x, at), p.area.max.x, ui.colour(ui.palette.edge));
  const ImVec2 size = ui.measure(FontRole::kLabel, label);
  if (size.x > p.area.width() - ui.px(12)) return;
  const float left = p.area.min.x + ui.px(6), right = p.area.max.x - size.x - ui.px(6);
  for (const bool on_right : {at_right, !at_right}) {
    for (const float top : {at - size.y, at + ui.px(1)}) {
      if (top < p.area.min.y - ui.px(2) || top + size.y > p.area.max.y + ui.px(2)) continue;
      if (place(ui, ImVec2(on_right ? right : left, top), FontRole::kLabel, ui.palette.muted,
                label)) {
        return;
      }
    }
  }
}

void CurvePlots::draw_names(Ui& ui, CurveKind kind, const Plot& p, float right) {
  const bool has_heldout = p.lines.heldout_end.has_value();
  if (!has_heldout) return;  // the caption alone says what a single line is
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
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (const Name& name : names) {
    const ImVec2 size = ui.measure(FontRole::kLabel, ui.tr(name.text));
    const float x = std::min(std::min(name.end.x, p.area.max.x) + ui.px(6), right - size.x);
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
  const float title_end = p.area.min.x + ui.measure(FontRole::kLabel, title).x;
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

// Moments to go back to: faint ticks on the floor of the loss.
void CurvePlots::draw_kept(Ui& ui, const RunView& run, const Plot& loss) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  float last = -1e9f;
  for (const Moment& moment : run.now().kept) {
    const auto step = static_cast<double>(moment.step);
    if (step < source_.from || step > source_.to || !on_line(time_.line(), moment)) continue;
    const float x = std::round(loss.lines.x().pixel(step));
    if (std::abs(x - last) < ui.px(3)) continue;
    last = x;
    list.AddLine(ImVec2(x, loss.area.max.y - ui.px(5)), ImVec2(x, loss.area.max.y),
                 ui.colour(ui.palette.edge, 0.8f), hair(ui));
  }
}

void CurvePlots::draw_moment(Ui& ui, const RunView& run, const Plot& loss, float bottom) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (pointer_ && !time_.dragging()) {
    const float x = std::round(*pointer_);
    list.AddLine(ImVec2(x, loss.area.min.y), ImVec2(x, bottom), ui.colour(ui.palette.edge, 0.8f),
                 hair(ui));
  }
  const auto step = static_cast<double>(time_.step(run));
  if (time_.line().empty() || step < source_.from || step > source_.to) return;
  const float x = std::round(loss.lines.x().pixel(step));
  list.AddLine(ImVec2(x, loss.area.min.y), ImVec2(x, bottom), ui.colour(ui.palette.accent, 0.8f),
               hair(ui));
  const ImVec2 handle(x, loss.area.max.y);
  if (time_.hovered()) {
    list.AddCircleFilled(handle, ui.px(10), ui.colour(ui.palette.accent, 0.25f));
  }
  list.AddCircleFilled(handle, ui.px(6), ui.colour(ui.palette.accent));
  list.AddCircle(handle, ui.px(6), ui.colour(ui.palette.panel), 0, hair(ui));
}

void CurvePlots::draw_marks(Ui& ui, const Plot& loss) {
  pointed_marks_.clear();
  const Rect lane{ImVec2(loss.area.min.x, loss.area.min.y - lane_),
                  ImVec2(loss.area.max.x, loss.area.min.y)};
  const auto place_of = [&](const CurveMark& mark) {
    return std::round(loss.lines.x().pixel(static_cast<double>(mark.step)));
  };
  const auto inside = [&](const CurveMark& mark) {
    const auto step = static_cast<double>(mark.step);
    return step >= source_.from && step <= source_.to;
  };
  if (std::ranges::none_of(marks_, inside)) return;
  ImGui::SetCursorScreenPos(lane.min);
  ImGui::InvisibleButton("curves marks", ImVec2(lane.width(), lane.height()));
  if (ImGui::IsItemHovered()) {
    const float reach = ui.px(ui.touch ? 22 : 7), pointer = ImGui::GetIO().MousePos.x;
    for (std::size_t i = 0; i < marks_.size(); ++i) {
      if (inside(marks_[i]) && std::abs(place_of(marks_[i]) - pointer) <= reach) {
        pointed_marks_.push_back(i);
      }
    }
    if (!pointed_marks_.empty()) tooltip(ui, event_words(ui));
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  float last = -1e9f;
  for (std::size_t i = 0; i < marks_.size(); ++i) {
    if (!inside(marks_[i])) continue;
    const float x = place_of(marks_[i]);
    const bool pointed = std::ranges::find(pointed_marks_, i) != pointed_marks_.end();
    if (x < last + ui.px(2) && !pointed) continue;
    last = x;
    const ImU32 colour = ui.colour(pointed ? ui.palette.text : ui.palette.muted);
    const float size = ui.px(5), y = lane.max.y - ui.px(1);
    list.AddLine(ImVec2(x, y), ImVec2(x, loss.area.max.y),
                 ui.colour(ui.palette.muted, pointed ? 0.8f : 0.35f), hair(ui));
    if (marks_[i].event == nullptr) {  // a diamond: the model did it; a triangle: somebody did
      list.AddQuadFilled(ImVec2(x, y - 2 * size), ImVec2(x + size, y - size), ImVec2(x, y),
                         ImVec2(x - size, y - size), colour);
    } else {
      list.AddTriangleFilled(ImVec2(x - size, y - 1.6f * size), ImVec2(x + size, y - 1.6f * size),
                             ImVec2(x, y), colour);
    }
  }
}

std::string CurvePlots::event_words(const Ui& ui) const {
  if (pointed_marks_.empty()) return marks_.empty() ? "" : mark_sentence(ui, marks_.back());
  constexpr std::size_t kMost = 4;
  std::string words;
  for (std::size_t i = 0; i < std::min(pointed_marks_.size(), kMost); ++i) {
    words += (i == 0 ? "" : "\n") + mark_sentence(ui, marks_[pointed_marks_[i]]);
  }
  if (pointed_marks_.size() > kMost) {
    words += "\n" + fill(ui.tr(Text::event_more), {std::to_string(pointed_marks_.size() - kMost)});
  }
  return words;
}

// The numbers of the steps, and that of the one under the pointer or of the moment.
void CurvePlots::draw_steps(Ui& ui, const Plot& lowest, float right) {
  const float y = lowest.area.max.y + ui.px(2);
  const PlotAxis& x = lowest.lines.x();
  const auto put = [&](double step, Colour colour) {
    const std::string label = readable_number(std::round(step));
    const float width = ui.measure(FontRole::kSmallNumber, label).x;
    const float left = std::clamp(x.pixel(step) - width / 2, lowest.area.min.x,
                                  std::max(lowest.area.min.x, right - width));
    for (const Rect& other : placed_) {  // with air to the left and to the right
      if (overlap({ImVec2(left - ui.px(8), y), ImVec2(left + width + ui.px(8), y + 1)}, other)) {
        return;
      }
    }
    place(ui, ImVec2(left, y), FontRole::kSmallNumber, colour, label);
  };
  const auto shown = static_cast<double>(shown_step_);
  if (shown >= source_.from && shown <= source_.to) put(shown, ui.palette.text);
  const int most = std::clamp(static_cast<int>(lowest.area.width() / ui.px(76)), 2, 7);
  for (const double tick : round_ticks(x, most)) put(tick, ui.palette.muted);
}

// Dragging along any plot but the loss chooses the steps to look at; a double click shows all.
void CurvePlots::select_steps(Ui& ui, std::span<const CurveKind> kinds) {
  const ImVec2 pointer = ImGui::GetIO().MousePos;
  const Plot& loss = plot(kinds.front());
  const Plot& lowest = plot(kinds.back());
  bool pressed = time_.hovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  bool held = false, hovered = time_.hovered();
  for (const CurveKind kind : kinds.subspan(1)) {
    const Plot& p = plot(kind);
    ImGui::SetCursorScreenPos(p.area.min);
    const std::string id = "curves steps " + std::to_string(static_cast<int>(kind));
    ImGui::InvisibleButton(id.c_str(), ImVec2(p.area.width(), p.area.height()));
    hovered |= ImGui::IsItemHovered();
    held |= ImGui::IsItemActive();
    pressed |= ImGui::IsItemActivated();
  }
  if (hovered || held) pointer_ = std::clamp(pointer.x, loss.area.min.x, loss.area.max.x);
  if (pressed) {
    if (zoom_ && ui.time - pressed_at_ < kDoubleClick) zoom_.reset();
    pressed_at_ = ui.time;
  }
  if (held && !selecting_) selecting_ = pointer.x;
  if (!selecting_) return;
  const float from = std::clamp(std::min(*selecting_, pointer.x), loss.area.min.x, loss.area.max.x);
  const float to = std::clamp(std::max(*selecting_, pointer.x), loss.area.min.x, loss.area.max.x);
  // A finger scrolls the page here; it has the buttons.
  const bool wide = !ui.touch && to - from >= ui.px(8);
  if (held) {
    if (!wide) return;
    ImGui::GetWindowDrawList()->AddRectFilled(
        ImVec2(from, loss.area.min.y), ImVec2(to, lowest.area.max.y), ui.colour(ui.palette.raised));
    return;
  }
  selecting_.reset();
  if (!wide) return;
  Steps steps{std::max(0.0, std::floor(loss.lines.x().value(from))),
              std::ceil(loss.lines.x().value(to))};
  if (steps.to - steps.from < kFewestSteps) steps.to = steps.from + kFewestSteps;
  zoom_ = steps;
  ui.animating = true;  // drawn with the old steps; once more with the new ones
}

// The step whose values stand in the captions.
void CurvePlots::note_pointer(Ui& ui, const RunView& run, const Plot& loss) {
  std::uint64_t step = time_.step(run);
  const bool pointed = pointer_ && !time_.dragging() && !selecting_;
  if (pointed) {
    step = static_cast<std::uint64_t>(std::max(0.0, std::round(loss.lines.x().value(*pointer_))));
    step = std::min(step, std::max(last_step(time_.line()), time_.step(run)));
  }
  const bool pause = ui.time >= shown_since_ && ui.time - shown_since_ < kCounterPause;
  if (step == shown_step_ || (pause && run.running() && !pointed && !time_.dragging())) return;
  shown_step_ = step;
  shown_since_ = ui.time;
}

void CurvePlots::draw_mini(Ui& ui, const RunView& run, Rect rect) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(rect.min, rect.max, ui.colour(ui.palette.panel), ui.px(6));
  list.AddRect(rect.min, rect.max, ui.colour(ui.palette.hairline), ui.px(6), 0, hair(ui));
  const bool steps = rect.height() >= ui.px(104);
  struct Name {
    const char* text;
    std::string value;
    Colour colour;
    float y;
  };
  const Text goal_name =
      source_.goal == CurveGoal::kMetric ? Text::curve_mini_error : Text::curve_mini_right;
  const float column = std::max(ui.measure(FontRole::kLabel, ui.tr(Text::curve_mini_loss)).x,
                                ui.measure(FontRole::kLabel, ui.tr(goal_name)).x) +
                       ui.px(6) + ui.measure(FontRole::kSmallNumber, "100.0%").x;
  const Rect area{ImVec2(rect.min.x + ui.px(12), rect.min.y + ui.px(8)),
                  ImVec2(rect.max.x - ui.px(20) - column,
                         rect.max.y - (steps ? steps_height(ui) + ui.px(4) : ui.px(8)))};
  constexpr CurveKind kShown[] = {CurveKind::kLoss, CurveKind::kGoal};
  for (const CurveKind kind : kShown) {
    Plot& p = plot(kind);
    p.area = area;
    p.lines.set_scale(kind, source_, time_.line(), 2);
    p.lines.set_place(time_.line(), area.min.x, area.max.x, area.min.y + ui.px(3),
                      area.max.y - hair(ui));
  }
  const Plot& loss = plot(CurveKind::kLoss);
  pointer_.reset();
  time_.drag(ui, run, "curves mini time", area, loss.lines.x(), nullptr);
  note_pointer(ui, run, loss);
  list.AddLine(ImVec2(area.min.x, area.max.y), area.max, ui.colour(ui.palette.hairline), hair(ui));
  draw_kept(ui, run, loss);

  CurveGeometry& lines = plot(CurveKind::kLoss).lines;
  std::vector<PlotPoint> none;
  std::swap(lines.heldout, none);  // two lines are all that fits
  draw_lines(ui, loss);
  std::swap(lines.heldout, none);
  draw_lines(ui, plot(CurveKind::kGoal));
  draw_moment(ui, run, loss, area.max.y);
  if (steps) draw_steps(ui, loss, area.max.x);

  const MetricPoint* point = point_at(time_.line(), shown_step_);
  const ExamPoint* exam = exam_at(time_.line(), shown_step_);
  const float line = ui.measure(FontRole::kLabel, " ").y;
  const float middle = (area.min.y + area.max.y) / 2;
  const CurveGeometry& goal = plot(CurveKind::kGoal).lines;
  Name names[] = {
      {ui.tr(Text::curve_mini_loss),
       curve_number(CurveKind::kLoss, source_.goal, point ? point->loss : std::nan("")),
       ui.palette.text, (lines.train_end ? lines.train_end->y : middle) - line / 2},
      {ui.tr(goal_name),
       curve_number(CurveKind::kGoal, source_.goal,
                    exam ? heldout_value(CurveKind::kGoal, source_.goal, *exam) : std::nan("")),
       ui.palette.accent, (goal.heldout_end ? goal.heldout_end->y : middle) - line / 2}};
  if (names[1].y < names[0].y) std::swap(names[0], names[1]);
  names[1].y = std::min(names[1].y, area.max.y - line);
  names[0].y = std::max(std::min(names[0].y, names[1].y - line), area.min.y - ui.px(4));
  names[1].y = std::max(names[1].y, names[0].y + line);
  const float left = area.max.x + ui.px(8), right = rect.max.x - ui.px(12);
  for (const Name& name : names) {
    ui.text(ImVec2(left, name.y), FontRole::kLabel, name.colour, name.text);
    const ImVec2 size = ui.measure(FontRole::kSmallNumber, name.value);
    ui.text(ImVec2(right - size.x, name.y + (line - size.y) / 2), FontRole::kSmallNumber,
            name.colour, name.value);
  }
}

}  // namespace tp
