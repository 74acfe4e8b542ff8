#include "imgui_app/draw/fonts.h"

#include <cmath>
#include <cstdio>
#include <string>

#include "engine/core/check.h"
#include "engine/core/utf8.h"

namespace tp::ui {
namespace {

// Sizes in em, as the design gives them. Syllables are many and look the same in every typeface:
// beside figures stand those of a text of nearly the same size, and the largest have none.
enum class Syllables { kOwn, kOfBody, kOfLabel, kNone };
struct Role {
  float em;
  bool monospaced;
  Syllables syllables;
};
constexpr Role kRoles[kFontRoles] = {
    {13, false, Syllables::kOwn},   {15, false, Syllables::kOwn},    {18, false, Syllables::kOwn},
    {14, true, Syllables::kOfBody}, {12, true, Syllables::kOfLabel}, {22, true, Syllables::kNone}};

constexpr char32_t kPlaceholder = 0xB7;  // middle dot

// Characters that code puts into formulas and numbers, beside those of the string tables.
constexpr std::u32string_view kSymbols = U"·×−–←→≤≥√ωπ…±°²";

// Of all that is beyond punctuation and signs, our typefaces have Hangul alone: another script must
// not have the atlas built again in vain.
constexpr bool is_in_no_font(char32_t c) { return c > 0xFFFF || (c >= 0x2E80 && !is_hangul(c)); }

int big_endian_16(const std::vector<unsigned char>& bytes, size_t offset) {
  TP_CHECK(offset + 2 <= bytes.size(), "a font file ends too early");
  return static_cast<int16_t>(bytes[offset] << 8 | bytes[offset + 1]);
}

size_t table_offset(const std::vector<unsigned char>& font, std::string_view tag) {
  const int tables = big_endian_16(font, 4);
  for (int i = 0; i < tables; ++i) {
    const size_t entry = 12 + 16 * static_cast<size_t>(i);
    if (std::string_view(reinterpret_cast<const char*>(&font[entry]), 4) == tag) {
      return static_cast<size_t>(static_cast<uint16_t>(big_endian_16(font, entry + 8))) << 16 |
             static_cast<uint16_t>(big_endian_16(font, entry + 10));
    }
  }
  TP_CHECK(false, "a font file lacks a table");
  return 0;
}

// ImGui sizes a font by the height from its ascender to its descender; design sizes are em.
struct Metrics {
  float ascent, descent;  // in em, both positive
};

Metrics metrics_of(const std::vector<unsigned char>& font) {
  const auto em = static_cast<float>(big_endian_16(font, table_offset(font, "head") + 18));
  const size_t hhea = table_offset(font, "hhea");
  return {static_cast<float>(big_endian_16(font, hhea + 4)) / em,
          -static_cast<float>(big_endian_16(font, hhea + 6)) / em};
}

}  // namespace

const char* font_file_name(FontFile file) {
  constexpr const char* kNames[kFontFiles] = {"sans.ttf",  "math.ttf",   "mono.ttf",
                                              "names.ttf", "hangul.ttf", "hangul-all.ttf"};
  return kNames[static_cast<size_t>(file)];
}

void Fonts::provide(FontFile file, std::vector<unsigned char> bytes) {
  files_[static_cast<size_t>(file)] = std::move(bytes);
  changed_ = true;
}

void Fonts::want(std::string_view text) {
  while (!text.empty()) {
    const char32_t c = next_code_point(text);
    if (c < 0x80 || is_in_no_font(c) || !wanted_.insert(c).second) continue;
    stale_ = true;
    changed_ |= !is_hangul(c) || has(FontFile::kHangul);  // a syllable waits for its file
  }
}

std::optional<FontFile> Fonts::missing() const {
  const ImFont* font = (*this)[FontRole::kBody];
  for (const char32_t c : wanted_) {
    if (!is_hangul(c) || (font && font->FindGlyphNoFallback(static_cast<ImWchar>(c)))) continue;
    if (!has(FontFile::kHangul)) return FontFile::kHangul;
    if (is_hangul_syllable(c) && !has(FontFile::kHangulAll)) return FontFile::kHangulAll;
  }
  return std::nullopt;
}

// One font in one size: the typeface, then the others for what it lacks, all on the same baseline.
void Fonts::add(ImFontAtlas& atlas, float em_pixels, float leading, bool monospaced, bool hangul,
                const ImWchar* ranges) {
  const FontFile order[kFontFiles] = {monospaced ? FontFile::kMono : FontFile::kSans,
                                      FontFile::kMath,
                                      FontFile::kNames,
                                      FontFile::kHangul,
                                      FontFile::kHangulAll,
                                      monospaced ? FontFile::kSans : FontFile::kMono};
  bool first = true;
  for (const FontFile file : order) {
    const bool of_hangul = file == FontFile::kHangul || file == FontFile::kHangulAll;
    if (!has(file) || (of_hangul && !hangul)) continue;
    std::vector<unsigned char>& bytes = files_[static_cast<size_t>(file)];
    const Metrics metrics = metrics_of(bytes);
    ImFontConfig config;
    config.FontDataOwnedByAtlas = false;
    config.MergeMode = !first;
    config.OversampleH = em_pixels < 24 && !of_hangul ? 2 : 1;
    config.OversampleV = 1;
    // ImGui aligns merged fonts by its own rounded ascent; only the extra leading is ours to add.
    config.GlyphOffset.y = above(em_pixels, leading, monospaced);
    atlas.AddFontFromMemoryTTF(bytes.data(), static_cast<int>(bytes.size()),
                               em_pixels * (metrics.ascent + metrics.descent), &config, ranges);
    first = false;
  }
}

// The space above a line of text, in pixels.
float Fonts::above(float em_pixels, float leading, bool monospaced) const {
  const FontFile file = monospaced ? FontFile::kMono : FontFile::kSans;
  const Metrics base = metrics_of(files_[static_cast<size_t>(file)]);
  return std::round((leading - base.ascent - base.descent) * em_pixels / 2);
}

// The same glyphs, further apart or closer.
void Fonts::set_leading(float leading) {
  std::array<float, kFontRoles> shifts = {};
  for (int i = 0; i < kFontRoles; ++i) {
    const float em = kRoles[i].em * scale_;
    const bool monospaced = kRoles[i].monospaced;
    shifts[i] = above(em, leading, monospaced) - above(em, leading_, monospaced);
  }
  for (int i = 0; i < kFontRoles; ++i) {
    const Syllables from = kRoles[i].syllables;
    const FontRole lender = from == Syllables::kOfBody    ? FontRole::kBody
                            : from == Syllables::kOfLabel ? FontRole::kLabel
                                                          : static_cast<FontRole>(i);
    for (ImFontGlyph& glyph : fonts_[i]->Glyphs) {
      const float shift = shifts[is_hangul(glyph.Codepoint) ? static_cast<int>(lender) : i];
      glyph.Y0 += shift;
      glyph.Y1 += shift;
    }
    fonts_[i]->FontSize = std::round(kRoles[i].em * scale_ * leading);
  }
  leading_ = leading;
}

// Puts the syllables of one font into another, on the same middle line.
void Fonts::lend(const ImFont* from, ImFont* to) const {
  const float shift = std::round((to->Ascent - from->Ascent + from->Descent - to->Descent) / 2);
  for (const char32_t c : wanted_) {
    if (!is_hangul(c)) continue;
    const ImFontGlyph* glyph = from->FindGlyphNoFallback(static_cast<ImWchar>(c));
    if (!glyph) continue;
    to->AddGlyph(nullptr, static_cast<ImWchar>(c), glyph->X0, glyph->Y0 + shift, glyph->X1,
                 glyph->Y1 + shift, glyph->U0, glyph->V0, glyph->U1, glyph->V1, glyph->AdvanceX);
  }
}

bool Fonts::update(float scale, float leading) {
  stale_ = false;
  if (!changed_ && scale == scale_) {
    if (leading != leading_) set_leading(leading);
    return false;
  }
  TP_CHECK(has(FontFile::kSans) && has(FontFile::kMono), "the first two fonts must be there");
  changed_ = false;
  scale_ = scale;
  leading_ = leading;
  ++builds_;

  ImFontGlyphRangesBuilder builder;
  for (ImWchar c = 0x20; c < 0x7F; ++c) builder.AddChar(c);
  for (const char32_t c : kSymbols) builder.AddChar(static_cast<ImWchar>(c));
  for (const char32_t c : wanted_) builder.AddChar(static_cast<ImWchar>(c));
  ranges_.clear();
  builder.BuildRanges(&ranges_);
  // Figures are digits and a few signs: at their size, syllables would fill the texture.
  static constexpr ImWchar kFigures[] = {0x20, 0x7E, 0xB7, 0xB7, 0x2013, 0x2013, 0};

  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Clear();
  atlas.Flags |= ImFontAtlasFlags_NoMouseCursors;
  for (const Role& role : kRoles) {
    const bool figures = role.syllables == Syllables::kNone;
    add(atlas, role.em * scale, leading, role.monospaced, role.syllables == Syllables::kOwn,
        figures ? kFigures : ranges_.Data);
  }
  const bool built = atlas.Build();
  TP_CHECK(built, "the font atlas could not be built");
  for (int i = 0; i < kFontRoles; ++i) {
    ImFont* font = atlas.Fonts[i];
    if (kRoles[i].syllables == Syllables::kOfBody) lend((*this)[FontRole::kBody], font);
    if (kRoles[i].syllables == Syllables::kOfLabel) lend((*this)[FontRole::kLabel], font);
    font->FontSize = std::round(kRoles[i].em * scale * leading);
    font->FallbackChar = kPlaceholder;
    font->BuildLookupTable();
    fonts_[static_cast<size_t>(i)] = font;
  }
  return true;
}

bool Fonts::draws(char32_t c) const {
  const ImFont* font = (*this)[FontRole::kBody];
  return c == '\n' ||
         (c <= 0xFFFF && font && font->FindGlyphNoFallback(static_cast<ImWchar>(c)) != nullptr);
}

std::string Fonts::spelled(std::string_view text) {
  std::string named;
  while (!text.empty()) {
    const char32_t c = next_code_point(text);
    const bool joins = c == 0x200D || (c >= 0xFE00 && c <= 0xFE0F);  // parts of an emoji
    const bool looked_for = !changed_ && wanted_.contains(c) && !is_hangul(c);
    if (draws(c) || !(is_in_no_font(c) || looked_for)) {
      append_utf8(named, c);
    } else if (!joins) {
      char code[12];
      std::snprintf(code, sizeof code, "U+%04X", static_cast<unsigned>(c));
      named += code;
    }
  }
  return drawable(named);
}

std::string Fonts::drawable(std::string_view text) {
  std::string result;
  bool complete = true;
  for (std::string_view rest = text; !rest.empty();) {
    const char32_t c = next_code_point(rest);
    const bool known = draws(c);
    append_utf8(result, known ? c : kPlaceholder);
    complete &= known;
  }
  if (!complete) want(text);
  return result;
}

}  // namespace tp::ui
