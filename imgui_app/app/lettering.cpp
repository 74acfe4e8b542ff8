#include "imgui_app/app/lettering.h"

namespace tp::ui {
namespace {

constexpr float kLatinLeading = 1.4f, kHangulLeading = 1.55f;

}  // namespace

Language Lettering::drawable(Language chosen) const {
  return chosen != Language::kKorean || fonts_.has(FontFile::kHangul) ? chosen : shown_;
}

bool Lettering::update(const Settings& settings, float scale) {
  const bool korean = settings.language == Language::kKorean;
  if (std::pair now(settings.language,
                    settings.pe.sentence + settings.attempt.input + settings.caption);
      now != requested_for_) {
    // The words of the page and of the sentence, which may be in any language. Any syllable
    // requests the Korean font, which brings the Korean texts.
    fonts_.want(all_texts(Language::kEnglish));
    if (korean) fonts_.want("가");
    fonts_.want(now.second);
    requested_for_ = std::move(now);
    requested_.clear();
  }
  const bool korean_shown = korean && fonts_.has(FontFile::kHangul);
  if (korean_shown && !korean_wanted_) {
    fonts_.want(all_texts(Language::kKorean));
    korean_wanted_ = true;
  }
  const bool built = fonts_.update(scale, korean_shown ? kHangulLeading : kLatinLeading);
  if (const std::optional<FontFile> missing = fonts_.missing()) {
    if (requested_.insert(*missing).second) platform_.request_font(*missing);
  }
  shown_ = drawable(settings.language);
  return built;
}

void Lettering::failed(FontFile file, Settings& settings) {
  if (file != FontFile::kHangul || settings.language != Language::kKorean) return;
  settings.language = shown_;
  if (requested_for_) requested_for_->first = shown_;
}

}  // namespace tp::ui
