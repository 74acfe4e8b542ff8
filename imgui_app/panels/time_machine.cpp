#include "imgui_app/panels/time_machine.h"

#include <cmath>

namespace tp::ui {
ui_command::Rewind rewind_command(const Moment& moment) {
  return {moment.branch, static_cast<int>(moment.step)};
}

void TimeMachine::follow(const RunView& run) {
  line_.clear();
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

void TimeMachine::hold(Ui& ui, const RunView& run, double step, std::int32_t leaf) {
  if (!dragging_) {
    dragging_ = true;
    asked_ = run.now().moment;
    drag_leaf_ = leaf;
  }
  const CurveLine line = line_to(run.runs().back(), drag_leaf_);
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

Action TimeMachine::beside(const Ui& ui, const RunView& run, bool later) const {
  const Moment& now = run.now().moment;
  const Moment* to = kept_beside(run.now().kept, line_, now.step, later);
  return {.name = later ? "later" : "earlier",
          .label = ui.tr(later ? Text::curve_later : Text::curve_earlier),
          .command = rewind_command(to ? *to : now),
          .enabled = to != nullptr};
}

std::optional<Action> TimeMachine::parent(const Ui& ui, const RunView& run) const {
  const BranchCurves* shown = run.branch(run.now().moment.branch);
  if (shown == nullptr || shown->branch.parent < 0) return std::nullopt;
  return Action{
      .name = "parent_branch",
      .label = fill(ui.tr(Text::curve_parent), {std::to_string(shown->branch.parent + 1)}),
      .command = ui_command::ParentBranch{}};
}

}  // namespace tp::ui
