#include <imgui.h>

#include "imgui_app/platform/platform.h"

// What the page has no use for and need not download. ImPlot's context menus are switched off in
// every plot of ours; here it finds them closed (cmake/dependencies.cmake), and the linker drops
// the menus with their sliders, date pickers and text fields. Typing happens in DOM fields.

namespace ImGui {
bool tp_no_menu(const char* id, ImGuiWindowFlags flags);
bool tp_no_menu(const char* /*id*/, ImGuiWindowFlags /*flags*/) { return false; }
}  // namespace ImGui

namespace tp::ui {
bool draw_text_field(const char* /*id*/, const char* /*hint*/, std::span<char> /*text*/) {
  return false;
}
}  // namespace tp::ui
