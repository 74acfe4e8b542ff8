#include "imgui_app/panels/curves_panel.h"
namespace tp {
void CurvesPanel::draw(Ui& ui, const RunView&, Rect rect, bool) {
  ui.panel(rect, ui.tr(Text::choice_panel_curves));
}
float CurvesPanel::height_for(const Ui& ui, float) const { return ui.px(400); }
void CurvesPanel::draw_mini(Ui&, const RunView&, Rect) {}
}  // namespace tp
