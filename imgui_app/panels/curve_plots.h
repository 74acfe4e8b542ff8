#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "imgui_app/draw/plots.h"
#include "imgui_app/model/curve_series.h"
#include "imgui_app/panels/time_machine.h"

namespace tp::ui {

// The plots themselves, one below the other on one step axis: zoom by wheel or by dragging across a
// plot, the moment as a line to drag. In the first plot a press anywhere goes to that moment.
class CurvePlots {
 public:
  static constexpr double kFewestSteps = 4;  // that a zoom shows

  // Before everything else in a frame: what there is to show.
  void begin(const Ui& ui, const RunView& run);
  // In all of `rect`; the loss comes first among `kinds`. As many as fit with a good height; loss
  // and goal share a plot where two do not.
  void draw(Ui& ui, const RunView& run, Rect rect, std::span<const CurveKind> kinds);
  // Loss and goal in one plot without scales.
  void draw_mini(Ui& ui, const RunView& run, Rect rect);
  static float height_for(const Ui& ui, std::size_t plots);

  // Shows `factor` times fewer steps, around the moment shown; 0: all of them.
  void zoom(const RunView& run, double factor);
  bool zoomed() const { return zoom_.has_value(); }

  // Draws an earlier run strong.
  void point_at_run(std::optional<std::uint32_t> run) { pointed_run_ = run; }

  const TimeMachine& time() const { return time_; }
  CurveGoal goal() const { return source_.goal; }
  // The step whose values are shown: that under the pointer, else the moment. It changes at most
  // ten times a second while the run goes on.
  std::uint64_t shown_step() const { return shown_step_; }
  // What the marks under the pointer say, else what the newest one says; empty: there is none.
  std::string event_words(const Ui& ui) const;
  int builds() const;  // how often lines were computed

 private:
  enum class Look {
    kOne,    // one kind
    kBoth,   // loss and goal, each with its scale
    kStrip,  // the same without numbers
  };
  struct Part {
    CurveKind kind = CurveKind::kLoss;
    Look look = Look::kOne;
    bool whole_words = false;    // beside the lines
    bool numbers = false;        // of the steps, below them
    Rect area = {}, names = {};  // of the lines, and of what stands beside them
  };

  CurveSeries& series(CurveKind kind) { return series_[static_cast<std::size_t>(kind)]; }
  void draw_part(Ui& ui, const RunView& run, const Part& part);
  void draw_lines(const Ui& ui, const CurveSeries& series, PlotSide side, bool heldout);
  void draw_levels(Ui& ui, const Part& part, std::vector<PlotName>& names);
  void add_names(Ui& ui, const Part& part, std::vector<PlotName>& names);
  void add_ghost_names(const Ui& ui, const Part& part, const CurveSeries& lines,
                       std::vector<PlotName>& names);
  void draw_caption(Ui& ui, const Part& part, ImVec2 at, float right);
  void draw_kept(const Ui& ui, const RunView& run, float floor);
  void draw_marks(Ui& ui, Rect lane);
  void point(Ui& ui, const RunView& run, const Part& part);
  std::int32_t branch_under_pointer(const Ui& ui, const RunView& run);
  void pan_by_numbers(Ui& ui, Rect numbers);
  void take_zoom(Ui& ui);
  void note_pointer(Ui& ui, const RunView& run);
  double value(CurveKind kind, CurveOf of) const;  // at the step shown

  std::array<CurveSeries, kCurveKinds> series_;
  TimeMachine time_;
  CurveSource source_;
  std::vector<CurveMark> marks_;
  CurveSource marks_of_;
  std::vector<std::size_t> pointed_marks_;
  std::vector<PlotPoint> dots_;

  double last_ = 1;  // step of the whole view
  PlotAxis view_;    // the steps shown, as ImPlot moves them
  std::optional<PlotAxis> zoom_;
  bool moment_inside_ = false;
  // Of the widest number at the left and name at the right, and what the next frame will take.
  float numbers_width_ = 0, names_width_ = 0, next_numbers_width_ = 0, next_names_width_ = 0;
  std::optional<double> pointer_, next_pointer_;  // step under it
  bool pressed_ = false, held_ = false;           // the plot of the loss; the moment
  std::optional<std::uint32_t> pointed_run_;
  std::uint64_t shown_step_ = 0;
  double shown_since_ = -1e9;
};

}  // namespace tp::ui
