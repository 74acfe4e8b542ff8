#include "imgui_app/model/typed_word.h"

#include <algorithm>

#include "engine/core/utf8.h"

namespace tp::ui {
namespace {

struct Particle {
  std::string_view after_consonant, after_vowel;
};
constexpr Particle kParticles[] = {
    {"에서", "에서"}, {"에", "에"}, {"은", "는"}, {"이", "가"}, {"을", "를"}};

bool ends_in_consonant(std::string_view word) {
  char32_t last = 0;
  while (!word.empty()) last = next_code_point(word);
  return is_hangul_syllable(last) && (last - 0xAC00) % 28 != 0;
}

// The particle at the end of `unknown` as it follows `word`; empty where there is none, or where
// `word` is one itself.
std::string_view particle_for(std::string_view word, std::string_view unknown,
                              std::span<const std::string> known) {
  std::string_view kept;
  for (const auto& [after_consonant, after_vowel] : kParticles) {
    for (const std::string_view form : {after_consonant, after_vowel}) {
      if (word == form) return {};
      const bool ends = unknown.size() > form.size() && unknown.ends_with(form);
      if (!ends || !kept.empty() || std::ranges::find(known, form) == known.end()) continue;
      kept = ends_in_consonant(word) ? after_consonant : after_vowel;
    }
  }
  return kept;
}

// Where the unknown word stands: between spaces if it can be found there.
std::size_t place_of(std::string_view typed, std::string_view unknown) {
  const auto blank = [&](std::size_t at) { return at >= typed.size() || typed[at] == ' '; };
  for (std::size_t at = typed.find(unknown); at != std::string_view::npos;
       at = typed.find(unknown, at + 1)) {
    if ((at == 0 || blank(at - 1)) && blank(at + unknown.size())) return at;
  }
  return typed.find(unknown);
}

}  // namespace

std::string with_known_word(std::string_view typed, std::string_view unknown, std::string_view word,
                            std::span<const std::string> known, bool spaced) {
  std::string text(typed);
  const std::size_t at = unknown.empty() ? std::string::npos : place_of(typed, unknown);
  if (at != std::string::npos) {
    const std::string_view particle = particle_for(word, unknown, known);
    return text.replace(at, unknown.size(), std::string(word) + std::string(particle));
  }
  if (spaced && !text.empty() && !text.ends_with(' ')) text += ' ';
  return text + std::string(word);
}

}  // namespace tp::ui
