#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "imgui_app/draw/ui.h"
#include "imgui_app/model/run_view.h"
#include "imgui_app/panels/curve_plots.h"

namespace tp::ui {

// Loss and held-out accuracy over the steps, and on request more, on shared axes.
class CurvesPanel {
 public:
  // In all of `rect`. `complete`: with its controls; else the two main curves alone.
  void draw(Ui& ui, const RunView& run, Rect rect, bool complete);
  // What it takes in a single column; without the list of runs, what it takes at least.
  float height_for(const Ui& ui, float width, bool list_runs = true) const;
  // A strip without heading and controls: the loss, held-out accuracy and the moment.
  void draw_mini(Ui& ui, const RunView& run, Rect rect);

  // Shows `factor` times fewer steps, around the moment shown; 0: all of them.
  void zoom(const RunView& run, double factor) { plots_.zoom(run, factor); }

  const CurvePlots& plots() const { return plots_; }

 private:
  Rect draw_heading(Ui& ui, const RunView& run, Rect rect);
  void draw_plots(Ui& ui, const RunView& run, Rect rect, const std::vector<CurveKind>& kinds);
  float draw_buttons(Ui& ui, const RunView& run, ImVec2 at, float width, bool measure_only);
  float draw_runs(Ui& ui, const RunView& run, ImVec2 at, float width, float room,
                  bool measure_only);
  void say(Ui& ui, const CurvePlots& plots, std::span<const CurveKind> kinds) const;

  CurvePlots plots_, mini_;
  std::vector<std::string> runs_;  // what differs between them, one line each
  float buttons_height_ = 0;       // as drawn last
  bool history_in_heading_ = true;
  std::optional<std::uint32_t> pointed_run_;
};

}  // namespace tp::ui
