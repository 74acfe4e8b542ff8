#include "imgui_app/draw/fonts.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "imgui_app/strings/strings.h"

namespace tp::ui {
namespace {

struct Placed {
  unsigned character;
  float top, bottom;
  bool operator==(const Placed&) const = default;
};

// Where every glyph of every font stands, and how tall a line is.
struct Measures {
  std::vector<Placed> glyphs;
  std::vector<float> heights;
  bool operator==(const Measures&) const = default;
};

class AFontSet {
 public:
  AFontSet() : context_(ImGui::CreateContext()) {
    ImGui::SetCurrentContext(context_);
    for (int i = 0; i < kFontFiles; ++i) {
      const auto file = static_cast<FontFile>(i);
      std::ifstream stream(std::string(TP_FONT_FOLDER "/") + font_file_name(file),
                           std::ios::binary);
      fonts.provide(file, {std::istreambuf_iterator<char>(stream), {}});
    }
    fonts.want(all_texts(Language::kEnglish) + all_texts(Language::kKorean));
  }
  ~AFontSet() { ImGui::DestroyContext(context_); }
  AFontSet(const AFontSet&) = delete;
  AFontSet& operator=(const AFontSet&) = delete;

  Measures measures() const {
    Measures all;
    for (int role = 0; role < kFontRoles; ++role) {
      const ImFont* font = fonts[static_cast<FontRole>(role)];
      all.heights.push_back(font->FontSize);
      for (const ImFontGlyph& glyph : font->Glyphs) {
        all.glyphs.push_back({glyph.Codepoint, glyph.Y0, glyph.Y1});
      }
    }
    return all;
  }

  Fonts fonts;

 private:
  ImGuiContext* context_;
};

// Another language has another leading; the letters stay the same.
TEST(Fonts, AnotherLeadingMovesTheGlyphsAndBuildsNothing) {
  Measures at_once;
  {
    AFontSet set;
    EXPECT_TRUE(set.fonts.update(1, 1.55f));
    at_once = set.measures();
    EXPECT_GT(at_once.glyphs.size(), 1000u);
  }
  AFontSet set;
  EXPECT_TRUE(set.fonts.update(1, 1.4f));
  const Measures tight = set.measures();
  EXPECT_NE(tight, at_once);
  EXPECT_FALSE(set.fonts.update(1, 1.55f));
  EXPECT_EQ(set.fonts.builds(), 1);
  EXPECT_EQ(set.measures(), at_once);
  EXPECT_FALSE(set.fonts.update(1, 1.4f));
  EXPECT_EQ(set.measures(), tight);
}

// Nobody has to say beforehand which characters a text will need.
TEST(Fonts, WhatIsDrawnGetsItsCharacters) {
  AFontSet set;
  set.fonts.update(1, 1.4f);
  EXPECT_EQ(set.fonts.drawable("– ← abc"), "– ← abc");
  EXPECT_FALSE(set.fonts.stale());
  EXPECT_EQ(set.fonts.drawable("a 뷁"), "a ·");
  EXPECT_TRUE(set.fonts.stale());
  EXPECT_TRUE(set.fonts.update(1, 1.4f));
  EXPECT_FALSE(set.fonts.stale());
  EXPECT_EQ(set.fonts.drawable("a 뷁"), "a 뷁");
  // Figures have a dash for what is not known yet.
  EXPECT_NE(set.fonts[FontRole::kFigure]->FindGlyphNoFallback(0x2013), nullptr);
  // No font has these: nothing is built again for them.
  EXPECT_EQ(set.fonts.drawable("漢字😀"), "···");
  EXPECT_FALSE(set.fonts.stale());
  EXPECT_FALSE(set.fonts.update(1, 1.4f));
}

}  // namespace
}  // namespace tp::ui
