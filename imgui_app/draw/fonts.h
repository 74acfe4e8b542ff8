#pragma once

#include <imgui.h>

#include <array>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

// The typefaces of the canvas. Files arrive one by one, as they are needed; the atlas holds
// only the characters that are shown, and is built again when a text brings a new one.

namespace tp::ui {

enum class FontFile { kSans, kMath, kMono, kNames, kHangul, kHangulAll };
inline constexpr int kFontFiles = 6;
// Beside the page or the program, in the folder `fonts`.
const char* font_file_name(FontFile file);

enum class FontRole { kLabel, kBody, kHeading, kNumber, kSmallNumber, kFigure };
inline constexpr int kFontRoles = 6;

class Fonts {
 public:
  void provide(FontFile file, std::vector<unsigned char> bytes);
  bool has(FontFile file) const { return !files_[static_cast<size_t>(file)].empty(); }

  // Notes the characters of a text, so that the next build holds them.
  void want(std::string_view text);
  // The file without which some wanted character cannot be drawn.
  std::optional<FontFile> missing() const;

  // Builds the atlas when the wanted characters, the files or the sizes changed. `scale` is
  // physical pixels per unit of the design, `leading` the line height in em. True when it did: the
  // texture must then be made again.
  bool update(float scale, float leading);
  int builds() const { return builds_; }
  // Something was wanted since then: what was drawn lacks it.
  bool stale() const { return stale_; }

  ImFont* operator[](FontRole role) const { return fonts_[static_cast<size_t>(role)]; }

  // The text with every character that cannot be drawn yet as a middle dot. Those are wanted then,
  // so whatever is drawn gets its characters, wherever it comes from.
  std::string drawable(std::string_view text);
  // The same for a sentence, in which what no typeface has is named: U+1F600.
  std::string spelled(std::string_view text);

 private:
  bool draws(char32_t c) const;
  void add(ImFontAtlas& atlas, float em_pixels, float leading, bool monospaced, bool hangul,
           const ImWchar* ranges);
  float above(float em_pixels, float leading, bool monospaced) const;
  void set_leading(float leading);
  void lend(const ImFont* from, ImFont* to) const;

  std::array<std::vector<unsigned char>, kFontFiles> files_;
  std::set<char32_t> wanted_;
  std::array<ImFont*, kFontRoles> fonts_ = {};
  ImVector<ImWchar> ranges_;  // must live as long as the atlas
  float scale_ = 0, leading_ = 0;
  int builds_ = 0;
  bool changed_ = true, stale_ = false;
};

}  // namespace tp::ui
