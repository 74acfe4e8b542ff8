#include "imgui_app/panels/panel_list.h"

namespace tp::ui {

#define TP_PANEL(name) std::unique_ptr<Panel> make_##name##_panel(RunEditor& editor);
#include "imgui_app/panels/panel_list.inc"
#undef TP_PANEL

PanelList make_panels(RunEditor& editor) {
  return {
#define TP_PANEL(name) make_##name##_panel(editor),
#include "imgui_app/panels/panel_list.inc"
#undef TP_PANEL
  };
}

}  // namespace tp::ui
