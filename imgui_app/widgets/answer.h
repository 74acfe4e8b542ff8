#pragma once

#include <optional>
#include <string>

#include "imgui_app/draw/ui.h"

// What a model wrote, token by token, and how likely each token was.

namespace tp::ui {

// A tick or a cross; the fonts have neither.
void draw_mark(Ui& ui, ImVec2 centre, bool right);

// The true answer, as far as it is known, and whether the model's is the same.
struct Verdict {
  std::optional<std::string> expected;
  bool judged = false, right = false;  // numbers are never exactly right
};

struct AnswerTokens {
  float height = 0;                 // used
  int hovered = -1;                 // the token under the pointer
  std::optional<int> pressed = {};  // one that was clicked or tapped
};
// Each token with its mark, in at most `most` of height; … ends what does not fit. Token `lit` is
// outlined.
AnswerTokens draw_answer(Ui& ui, const TryResult& tried, const Verdict& verdict, int lit, ImVec2 at,
                         float width, float most);

// The likeliest tokens in place of one, at most so many. Returns the height used.
float draw_chances(Ui& ui, const TryStep& step, ImVec2 at, float width, int most);
inline constexpr float kChanceRow = 18;
// The same in words.
std::string chances_text(const Ui& ui, const TryStep& step);

}  // namespace tp::ui
