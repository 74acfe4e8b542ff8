#include <algorithm>
#include <array>

#include "imgui_app/panels/panel.h"
#include "imgui_app/widgets/controls.h"

namespace tp::ui {

#define TP_INSIDE_VIEW(name) std::unique_ptr<Panel> make_inside_##name##_view(RunEditor& editor);
#include "imgui_app/panels/inside_views.inc"
#undef TP_INSIDE_VIEW

namespace {

// The inside of the model, seen in several ways. Each is a Panel of its own; a row above it
// chooses.
class InsidePanel final : public Panel {
 public:
  explicit InsidePanel(RunEditor& editor)
      : views_{
#define TP_INSIDE_VIEW(name) make_inside_##name##_view(editor),
#include "imgui_app/panels/inside_views.inc"
#undef TP_INSIDE_VIEW
        } {
  }

  Watch watches() const override { return at(shown_).watches(); }
  bool full_width() const override { return true; }

  float height_for(const Ui& ui, float width) const override {
    return row_height(ui) + at(ui.settings.inside.view).height_for(ui, width);
  }

  void draw(Ui& ui, const RunView& run, Rect rect, bool complete) override {
    ui.animating |= shown_ != ui.settings.inside.view;  // it watches something else
    shown_ = ui.settings.inside.view;
    if (kInsideViews > 1) {
      const Properties table = properties(ui.settings);
      segments(ui, *find_property(table, "inside_view"),
               {rect.min, ImVec2(std::min(rect.max.x, rect.min.x + ui.px(kRowWidth)),
                                 rect.min.y + control_height(ui))});
    }
    rect.min.y += row_height(ui);
    at(shown_).draw(ui, run, rect, complete);
  }

  bool perform(const UiCommand& command, const RunView& run) override {
    for (const std::unique_ptr<Panel>& view : views_) {
      if (view->perform(command, run)) return true;
    }
    return false;
  }

 private:
  static constexpr float kRowWidth = 560;

  Panel& at(int view) const { return *views_[static_cast<std::size_t>(view)]; }
  static float row_height(const Ui& ui) {
    return kInsideViews > 1 ? control_height(ui) + ui.px(12) : 0;
  }

  std::array<std::unique_ptr<Panel>, kInsideViews> views_;
  int shown_ = 0;
};

}  // namespace

std::unique_ptr<Panel> make_inside_panel(RunEditor& editor) {
  return std::make_unique<InsidePanel>(editor);
}

}  // namespace tp::ui
