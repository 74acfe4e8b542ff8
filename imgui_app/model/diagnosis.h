#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/session/run_settings.h"
#include "imgui_app/model/run_view.h"
#include "imgui_app/model/ui_command.h"
#include "imgui_app/strings/strings.h"

// What is the matter with the run and what would help, decided from its named series and its
// settings alone. Knows no ImGui.

namespace tp::ui {

enum class Matter {
  nothing,
  solved,
  rate_too_high,
  overfitting,
  plan_used_up,
  stuck,
  outside_lengths
};
std::string_view name_of(Matter matter);  // for scripts

struct Remedy {
  Text label = {};                           // of its button
  std::string value = {};                    // {0} in it
  SettingValues changes = {};                // settings of the run
  bool restart = false;                      // they need a new start; else the run continues
  std::optional<std::uint64_t> rewind = {};  // instead: to this step
};

struct Diagnosis {
  Matter matter = Matter::nothing;
  Text sentence = {};                      // says it; empty for nothing and solved
  std::array<std::string, 3> values = {};  // {0} and so on in it
  std::optional<Remedy> remedy = {};
};

// `now`: what the run has. `preset`: what it is known to learn with.
Diagnosis diagnose(const RunView& run, const RunSettings& now, const RunSettings& preset);

}  // namespace tp::ui
