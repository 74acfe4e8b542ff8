#include "imgui_app/model/class_names.h"

namespace tp::ui {
namespace {

constexpr Text kClasses[] = {Text::class_square,   Text::class_frame,     Text::class_disc,
                             Text::class_triangle, Text::class_plus,      Text::class_cross,
                             Text::class_balanced, Text::class_unbalanced};

}  // namespace

void name_classes(Snapshot& now, Language language) {
  if (now.task != "shapes" && now.task != "balance") return;
  const auto name = [language](std::string& word) {
    for (const Text named : kClasses) {
      const bool meant =
          word == tr(named, Language::kEnglish) || word == tr(named, Language::kKorean);
      if (meant && !word.empty()) word = tr(named, language);
    }
  };
  for (Sample& sample : now.samples) name(sample.expected), name(sample.produced);
  if (!now.tried) return;
  name(now.tried->output);
  if (now.tried->expected) name(*now.tried->expected);
  for (TryStep& step : now.tried->steps) {
    name(step.token);
    for (Candidate& candidate : step.candidates) name(candidate.token);
  }
}

}  // namespace tp::ui
