#pragma once

#include <array>
#include <memory>

#include "imgui_app/panels/panel.h"

namespace tp::ui {

using PanelList = std::array<std::unique_ptr<Panel>, kPanels>;

// In the order of the names in the settings.
PanelList make_panels(RunEditor& editor);

}  // namespace tp::ui
