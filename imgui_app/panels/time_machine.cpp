#include "imgui_app/panels/time_machine.h"

#include <algorithm>
#include <cmath>

namespace tp::ui {
namespace {

// The branch whose loss is nearest to a point of the plot. The line followed is preferred: another
// one must be clearly nearer.
std::int32_t branch_near(const Ui& ui, const RunCurves& run, const CurveLine& line,
                         std::int32_t leaf, ImVec2 point, const PlotAxis& x, const PlotAxis& y) {
  const auto step = static_cast<std::uint64_t>(std::max(0.0, std::round(x.value(point.x))));
  const MetricPoint* own = point_at(line, step);
  const bool within = step <= last_step(line);
  float nearest = own && within ? std::abs(y.pixel(own->loss) - point.y) - ui.px(16) : ui.px(60);
  std::int32_t found = leaf;
  for (const Stretch& stretch : beside_line(run, leaf)) {
    const CurveLine other = {stretch};
    const MetricPoint* there = point_at(other, step);
    if (!there || step > last_step(other)) continue;
    const float distance = std::abs(y.pixel(there->loss) - point.y);
    if (distance >= nearest) continue;
    nearest = distance;
    found = stretch.curves->branch.id;
  }
  return found;
}

}  // namespace

ui_command::Rewind rewind_command(const Moment& moment) {
  return {moment.branch, static_cast<int>(moment.step)};
}

void TimeMachine::follow(const RunView& run) {
  line_.clear();
  hovered_ = false;
  if (run.runs().empty()) return;
  const RunCurves& newest = run.runs().back();
  const Moment& moment = run.now().moment;
  if (newest.run == run_) line_ = line_to(newest, leaf_);
  // A branch that grows from the line followed is the one to follow from now on.
  if (line_.empty() || !on_line(line_, moment)) {
    leaf_ = moment.branch;
    line_ = line_to(newest, leaf_);
  }
  run_ = newest.run;
}

std::uint64_t TimeMachine::step(const RunView& run) const {
  return dragging_ ? asked_.step : run.now().moment.step;
}

void TimeMachine::drag(Ui& ui, const RunView& run, const char* id, Rect area, const PlotAxis& x,
                       const PlotAxis* y) {
  ImGui::SetCursorScreenPos(area.min);
  ImGui::InvisibleButton(id, ImVec2(area.width(), area.height()));
  ui.mirror.grabs(area);
  const bool active = ImGui::IsItemActive();
  hovered_ |= active || ImGui::IsItemHovered();
  if (run.runs().empty()) return;
  if (ImGui::IsItemHovered() || active) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  const RunCurves& newest = run.runs().back();
  const ImVec2 pointer = ImGui::GetIO().MousePos;
  if (active && !dragging_) {
    dragging_ = true;
    asked_ = run.now().moment;
    drag_leaf_ = y ? branch_near(ui, newest, line_, leaf_, pointer, x, *y) : leaf_;
  }
  dragging_ = active;
  if (!active || !ImGui::IsMousePosValid()) return;  // the browser may take a finger away
  const double step = x.value(std::clamp(pointer.x, area.min.x, area.max.x));
  const CurveLine line = line_to(newest, drag_leaf_);
  const Moment* nearest = nearest_kept(run.now().kept, line, step);
  // The moment shown can be gone to as well: it is there.
  const Moment& shown = run.now().moment;
  const auto distance = [&](const Moment& to) {
    return std::abs(static_cast<double>(to.step) - step);
  };
  if (nearest && on_line(line, shown) && distance(shown) <= distance(*nearest)) nearest = &shown;
  if (nearest == nullptr || *nearest == asked_) return;
  asked_ = *nearest;
  ui.commands.push_back(rewind_command(asked_));
}

Action TimeMachine::earlier(const Ui& ui, const RunView& run) const {
  const Moment& now = run.now().moment;
  const Moment* to = kept_before(run.now().kept, line_, now.step);
  return {.name = "earlier",
          .label = ui.tr(Text::curve_earlier),
          .command = rewind_command(to ? *to : now),
          .enabled = to != nullptr};
}

Action TimeMachine::later(const Ui& ui, const RunView& run) const {
  const Moment& now = run.now().moment;
  const Moment* to = kept_after(run.now().kept, line_, now.step);
  return {.name = "later",
          .label = ui.tr(Text::curve_later),
          .command = rewind_command(to ? *to : now),
          .enabled = to != nullptr};
}

}  // namespace tp::ui
