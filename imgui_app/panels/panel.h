#pragma once

#include <memory>

#include "engine/session/command.h"
#include "imgui_app/draw/ui.h"
#include "imgui_app/model/run_editor.h"
#include "imgui_app/model/run_view.h"

namespace tp::ui {

// One of the views that the tabs choose from. panel_list.inc names them all.
class Panel {
 public:
  virtual ~Panel() = default;

  // What it shows of the run beside the curves. Snapshots carry it while the panel is drawn.
  virtual Watch watches() const { return {}; }

  // In all of `rect`. `complete`: it is the one chosen, with its controls; else it stands beside
  // that one in a wide page.
  virtual void draw(Ui& ui, const RunView& run, Rect rect, bool complete) = 0;
  // The least height that it takes where it is the one chosen. What it needs may change while it is
  // drawn; another frame follows then.
  virtual float height_for(const Ui& ui, float width) const = 0;
  // The same in a wide page, where others stand beside it.
  virtual float height_among_others(const Ui&, float) const { return 0; }

  // In a wide page it takes all of the width and has no others beside it.
  virtual bool full_width() const { return false; }
  // Its share of the right column, in proportion to the other one's.
  virtual float weight() const { return 1; }
  // A column of its own at the left edge of a wide page.
  virtual bool has_side() const { return false; }
  virtual void draw_side(Ui&, const RunView&, Rect) {}
  // What that column needs, as drawn last. Where it is more than the others have, the page scrolls.
  virtual float side_height() const { return 0; }
  // In a narrow page: whether strips of other panels come below it, and how tall its own is.
  virtual bool with_strips() const { return false; }
  virtual float strip_height(const Ui&) const { return 0; }
  virtual void draw_strip(Ui&, const RunView&, Rect) {}

  // A command about what it shows. False when it is about something else, or does not fit.
  virtual bool perform(const UiCommand&, const RunView&) { return false; }
};

}  // namespace tp::ui
