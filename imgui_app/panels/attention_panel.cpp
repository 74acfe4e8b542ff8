#include "imgui_app/panels/attention_panel.h"
namespace tp {
void AttentionPanel::draw(Ui& ui, const RunView&, Rect rect) {
  ui.panel(rect, ui.tr(Text::choice_panel_attention));
}
float AttentionPanel::height_for(const Ui& ui, float) const { return ui.px(400); }
bool AttentionPanel::point_at(const RunView&, std::optional<Cell>) { return false; }
}  // namespace tp
