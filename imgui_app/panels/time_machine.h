#pragma once

#include <optional>
#include <string>

#include "imgui_app/draw/ui.h"
#include "imgui_app/model/curve_line.h"

namespace tp::ui {

// Going back along a curve: which line is followed, and which moment a pointer on it means.
class TimeMachine {
 public:
  // Once a frame, before anything else. A line stays the one followed as long as the moment shown
  // is on it: dragging back beyond a fork and forward again leads to the same branch.
  void follow(const RunView& run);
  std::int32_t leaf() const { return leaf_; }
  const CurveLine& line() const { return line_; }

  // While the pointer holds the line at a step of a branch: asks for another kept moment whenever
  // the nearest one changes.
  void hold(Ui& ui, const RunView& run, double step, std::int32_t leaf);
  void release() { dragging_ = false; }
  bool dragging() const { return dragging_; }
  // What the line with the handle shows: while dragging, the moment asked for.
  std::uint64_t step(const RunView& run) const;

  // The buttons that do the same: to the kept moment before or after the one shown.
  Action beside(const Ui& ui, const RunView& run, bool later) const;
  // Back to the branch that the one shown grew from; nothing where it grew from none.
  std::optional<Action> parent(const Ui& ui, const RunView& run) const;

 private:
  std::int32_t leaf_ = 0;
  std::uint32_t run_ = 0;
  CurveLine line_;
  std::int32_t drag_leaf_ = 0;
  Moment asked_;
  bool dragging_ = false;
};

ui_command::Rewind rewind_command(const Moment& moment);

}  // namespace tp::ui
