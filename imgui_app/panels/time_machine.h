#pragma once

#include <optional>
#include <string>

#include "imgui_app/draw/ui.h"
#include "imgui_app/model/curve_line.h"
#include "imgui_app/model/plot_axis.h"

namespace tp::ui {

// Going back along a curve: which line is followed, and which moment a pointer on it means.
class TimeMachine {
 public:
  // Once a frame, before anything else. A line stays the one followed as long as the moment shown
  // lies on it: whoever drags back beyond a fork and forward again comes back to the same branch.
  void follow(const RunView& run);
  std::int32_t leaf() const { return leaf_; }
  const CurveLine& line() const { return line_; }

  // An area to drag in; asks for another kept moment whenever the nearest one changes. With `y`, a
  // press near another branch goes over to it.
  void drag(Ui& ui, const RunView& run, const char* id, Rect area, const PlotAxis& x,
            const PlotAxis* y);
  bool dragging() const { return dragging_; }
  bool hovered() const { return hovered_; }
  // What the line with the handle shows: while dragging, the moment asked for.
  std::uint64_t step(const RunView& run) const;

  // The buttons that do the same: to the kept moment before or after the one shown.
  Action earlier(const Ui& ui, const RunView& run) const;
  Action later(const Ui& ui, const RunView& run) const;

 private:
  std::int32_t leaf_ = 0;
  std::uint32_t run_ = 0;
  CurveLine line_;
  std::int32_t drag_leaf_ = 0;
  Moment asked_;
  bool dragging_ = false, hovered_ = false;
};

ui_command::Rewind rewind_command(const Moment& moment);

}  // namespace tp::ui
