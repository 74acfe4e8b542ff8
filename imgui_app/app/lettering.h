#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>

#include "imgui_app/draw/fonts.h"
#include "imgui_app/model/settings.h"
#include "imgui_app/platform/platform.h"

namespace tp::ui {

// The fonts that the page needs and the language it is shown in: the one chosen as soon as it can
// be drawn, so that there is never an empty box.
class Lettering {
 public:
  explicit Lettering(Platform& platform) : platform_(platform) {}

  Fonts& fonts() { return fonts_; }
  const Fonts& fonts() const { return fonts_; }
  Language shown() const { return shown_; }
  // The one shown from the next frame on.
  Language drawable(Language chosen) const;

  // Notes which characters are needed and requests the files they are in. True when the atlas was
  // built.
  bool update(const Settings& settings, float scale);
  // A file will not come: back to the language that can be drawn.
  void failed(FontFile file, Settings& settings);

 private:
  Platform& platform_;
  Fonts fonts_;
  Language shown_ = Language::kEnglish;
  std::set<FontFile> requested_;  // also those that failed, until the language or a text changes
  std::optional<std::pair<Language, std::string>> requested_for_;
  bool korean_wanted_ = false;  // the characters of the Korean texts are among the wanted ones
};

}  // namespace tp::ui
