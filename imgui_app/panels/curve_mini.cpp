// The curves as a strip.

#include <algorithm>
#include <cmath>

#include "imgui_app/panels/curve_measures.h"
#include "imgui_app/panels/curve_plots.h"
#include "imgui_app/panels/curve_words.h"

namespace tp::ui {

void CurvePlots::draw_mini(Ui& ui, const RunView& run, Rect rect) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ui.card(rect);
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
  draw_moment(ui, run, std::span(kShown).first(1));
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

}  // namespace tp::ui
