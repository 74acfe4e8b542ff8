#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "imgui_app/draw/ui.h"
#include "imgui_app/model/run_view.h"
#include "imgui_app/panels/curve_plots.h"
#include "imgui_app/panels/curve_words.h"
#include "imgui_app/panels/panel.h"

namespace tp::ui {

// Loss and held-out accuracy over the steps, and on request more, on shared axes.
class CurvesPanel : public Panel {
 public:
  // In all of `rect`. `complete`: with its controls; else the two main curves alone.
  void draw(Ui& ui, const RunView& run, Rect rect, bool complete) override;
  float height_for(const Ui& ui, float width) const override {
    return height_with(ui, width, true);
  }
  float height_among_others(const Ui& ui, float width) const override {
    return height_with(ui, width, false);
  }
  float weight() const override { return 3.2f; }
  // A strip without heading and controls: the loss, held-out accuracy and the moment.
  float strip_height(const Ui& ui) const override { return ui.px(ui.phone ? 72 : 124); }
  void draw_strip(Ui& ui, const RunView& run, Rect rect) override { draw_mini(ui, run, rect); }
  void draw_mini(Ui& ui, const RunView& run, Rect rect);

  bool perform(const UiCommand& command, const RunView& run) override {
    const auto* zoomed = std::get_if<ui_command::ZoomCurves>(&command);
    if (zoomed != nullptr) zoom(run, zoomed->factor);
    return zoomed != nullptr;
  }
  // Shows `factor` times fewer steps, around the moment shown; 0: all of them.
  void zoom(const RunView& run, double factor) { plots_.zoom(run, factor); }

  const CurvePlots& plots() const { return plots_; }

 private:
  // With the list of runs, or what it takes at least.
  float height_with(const Ui& ui, float width, bool list_runs) const;
  Rect draw_heading(Ui& ui, const RunView& run, Rect rect);
  void draw_plots(Ui& ui, const RunView& run, Rect rect, const std::vector<CurveKind>& kinds);
  float draw_buttons(Ui& ui, const RunView& run, ImVec2 at, float width, bool measure_only);
  float draw_runs(Ui& ui, ImVec2 at, float width, float room, bool measure_only);
  void say(Ui& ui, const CurvePlots& plots, std::span<const CurveKind> kinds) const;

  CurvePlots plots_, mini_;
  std::vector<RunLine> runs_;  // what differs between them
  float buttons_height_ = 0;   // as drawn last
  bool history_in_heading_ = true, parent_in_heading_ = false;
  std::optional<std::uint32_t> pointed_run_;
};

}  // namespace tp::ui
