#pragma once

namespace tp::ui {

// At the lower edge of a phone, in pixels of the design.
inline constexpr float kLowerBar = 60, kLowerTabs = 48;

}  // namespace tp::ui
