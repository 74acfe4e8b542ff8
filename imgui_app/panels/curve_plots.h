#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "imgui_app/model/curve_geometry.h"
#include "imgui_app/panels/time_machine.h"

namespace tp::ui {

// The plots themselves, one below the other on one step axis. They are drawn by hand, not with a
// plotting library, so that every text goes through Ui::text() and is known to be readable, and so
// that a drag means the time machine.
class CurvePlots {
 public:
  // Before everything else in a frame: what there is to show.
  void begin(const Ui& ui, const RunView& run);
  // In all of `rect`; the loss comes first among `kinds`.
  void draw(Ui& ui, const RunView& run, Rect rect, std::span<const CurveKind> kinds);
  // Loss and goal over each other, without scales.
  void draw_mini(Ui& ui, const RunView& run, Rect rect);
  // What the plots need at least, and what suits them.
  static float least_height(const Ui& ui, std::size_t plots);
  static float good_height(const Ui& ui, std::size_t plots);

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
  struct Steps {
    double from = 0, to = 0;
  };
  struct Plot {
    CurveGeometry lines;
    Rect area = {};
  };

  Plot& plot(CurveKind kind) { return plots_[static_cast<std::size_t>(kind)]; }
  void arrange(Ui& ui, Rect rect, std::span<const CurveKind> kinds);
  void draw_scale(Ui& ui, const Plot& plot);
  void draw_lines(Ui& ui, const Plot& plot);
  void draw_limits(Ui& ui, CurveKind kind, const Plot& plot);
  void draw_limit(Ui& ui, const Plot& plot, double value, const std::string& label, bool at_right);
  bool names_in_caption(const Ui& ui, CurveKind kind, const Plot& plot) const;
  void draw_names(Ui& ui, CurveKind kind, const Plot& plot, float right);
  void draw_caption(Ui& ui, CurveKind kind, const Plot& plot, float right);
  void draw_kept(Ui& ui, const RunView& run, const Plot& loss);
  void draw_marks(Ui& ui, const Plot& loss);
  void draw_moment(Ui& ui, const RunView& run, std::span<const CurveKind> kinds);
  void draw_steps(Ui& ui, const Plot& lowest, float right);
  void select_steps(Ui& ui, std::span<const CurveKind> kinds);
  void note_pointer(Ui& ui, const RunView& run, const Plot& loss);
  // A text that keeps clear of the others; false when there was no room.
  bool place(Ui& ui, ImVec2 at, FontRole role, Colour colour, std::string_view words);

  std::array<Plot, kCurveKinds> plots_;
  TimeMachine time_;
  CurveSource source_;
  std::vector<CurveMark> marks_;
  CurveSource marks_of_;
  std::vector<std::size_t> pointed_marks_;
  float moment_x_ = 0;
  float lane_ = 0;              // height of the marks above the loss
  std::vector<Rect> placed_;    // texts of this frame
  std::vector<ImVec2> buffer_;  // of one line

  double last_ = 1;  // step of the whole view
  std::optional<Steps> zoom_;
  bool moment_inside_ = false;
  std::optional<float> pointer_;    // x, over a plot
  std::optional<float> selecting_;  // x where the selection began
  double pressed_at_ = -1e9;        // milliseconds, for a double click
  std::optional<std::uint32_t> pointed_run_;
  std::uint64_t shown_step_ = 0;
  double shown_since_ = -1e9;
};

}  // namespace tp::ui
