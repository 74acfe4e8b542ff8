#include "imgui_app/widgets/answer.h"

#include <algorithm>
#include <cmath>

#include "engine/core/number_text.h"

namespace tp::ui {
namespace {

// Marks and spaces as something that can be seen.
std::string shown_token(const Ui& ui, const std::string& token) {
  if (token == "<eos>") return ui.tr(Text::end_mark);
  return ui.fonts.drawable(token == " " ? "▁" : token);
}

}  // namespace

void draw_mark(Ui& ui, ImVec2 centre, bool right) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float r = ui.px(5), thickness = ui.px(2);
  const ImU32 colour = ui.colour(right ? ui.palette.right : ui.palette.wrong);
  if (right) {
    const ImVec2 tick[] = {ImVec2(centre.x - r, centre.y),
                           ImVec2(centre.x - r * 0.3f, centre.y + r * 0.7f),
                           ImVec2(centre.x + r, centre.y - r * 0.8f)};
    list.AddPolyline(tick, 3, colour, 0, thickness);
    return;
  }
  const float d = r * 0.75f;
  list.AddLine(ImVec2(centre.x - d, centre.y - d), ImVec2(centre.x + d, centre.y + d), colour,
               thickness);
  list.AddLine(ImVec2(centre.x - d, centre.y + d), ImVec2(centre.x + d, centre.y - d), colour,
               thickness);
}

AnswerTokens draw_answer(Ui& ui, const TryResult& tried, const Verdict& verdict, int lit, ImVec2 at,
                         float width, float most) {
  const float row = ui.px(28), gap = ui.px(4), mark = ui.px(24);
  const float last =
      at.y + std::max(std::floor((most + gap) / (row + gap)) - 1, 0.0f) * (row + gap);
  constexpr std::string_view kMore = " …";
  const float dots = ui.measure(FontRole::kNumber, kMore).x + ui.px(4);
  float x = at.x, y = at.y;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  AnswerTokens answer;
  for (int i = 0; i < std::ssize(tried.steps); ++i) {
    const TryStep& step = tried.steps[static_cast<std::size_t>(i)];
    const bool right = step.right && (tried.expected || !verdict.judged || verdict.right);
    const std::string shown = shown_token(ui, step.token);
    const ImVec2 size = ui.measure(FontRole::kNumber, shown);
    const float own = size.x + ui.px(12);
    if (x + own > at.x + width && x > at.x && y + row <= last) x = at.x, y += row + gap;
    // In the last row, the dots or the mark come behind it.
    const bool final_one = i + 1 == std::ssize(tried.steps);
    if (y + row > last && x > at.x &&
        x + own + (final_one ? (verdict.judged ? mark : 0) : dots + mark) > at.x + width) {
      ui.text(ImVec2(x, y + (row - size.y) / 2), FontRole::kNumber, ui.palette.muted, kMore);
      x += dots;
      break;
    }
    const Rect box{ImVec2(x, y), ImVec2(x + own, y + row)};
    // As wide as to the middle of the gaps: the pointer is never between two tokens.
    ImGui::SetCursorScreenPos(ImVec2(x - gap / 2, y));
    const std::string id = "answer" + std::to_string(i);
    if (ImGui::InvisibleButton(id.c_str(), ImVec2(own + gap, row))) answer.pressed = i;
    if (ImGui::IsItemHovered() && !ui.touch) answer.hovered = i;
    list.AddRectFilled(box.min, box.max, ui.colour(ui.palette.raised), ui.px(4));
    if (tried.expected || verdict.judged) {
      list.AddRectFilled(ImVec2(box.min.x, box.max.y - ui.px(3)), box.max,
                         ui.colour(right ? ui.palette.right : ui.palette.wrong), ui.px(2));
    }
    if (i == lit) {
      list.AddRect(box.min, box.max, ui.colour(ui.palette.accent), ui.px(4), 0,
                   std::max(1.0f, ui.px(2)));
    }
    ui.text(ImVec2(x + ui.px(6), y + (row - size.y) / 2), FontRole::kNumber,
            right || !verdict.expected ? ui.palette.text : ui.palette.wrong, shown,
            {.max_width = std::max(own - ui.px(12), size.x)});
    x += own + gap;
  }
  if (verdict.judged) draw_mark(ui, ImVec2(x + ui.px(10), y + row / 2), verdict.right);
  answer.height = y + row - at.y;
  return answer;
}

float draw_chances(Ui& ui, const TryStep& step, ImVec2 at, float width, int most) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const int count = std::min(most, static_cast<int>(step.candidates.size()));
  // The names take what they need, and leave half of the width to the bars.
  const float number = ui.px(52);
  float name = ui.px(70);
  for (int i = 0; i < count; ++i) {
    const Candidate& c = step.candidates[static_cast<std::size_t>(i)];
    name = std::max(name, ui.measure(FontRole::kNumber, shown_token(ui, c.token)).x);
  }
  name = std::min(name + ui.px(8), width / 2);
  const float row = ui.px(kChanceRow), room = width - name - number;
  float y = at.y;
  for (int i = 0; i < count; ++i) {
    const Candidate& c = step.candidates[static_cast<std::size_t>(i)];
    const std::string shown = shown_token(ui, c.token);
    const ImVec2 size = ui.measure(FontRole::kNumber, shown);
    ui.text(ImVec2(at.x, y + (row - size.y) / 2), FontRole::kNumber, ui.palette.text, shown,
            {.max_width = name - ui.px(6)});
    list.AddRectFilled(
        ImVec2(at.x + name, y + ui.px(4)),
        ImVec2(at.x + name + std::max(room * static_cast<float>(c.probability), 1.0f),
               y + row - ui.px(4)),
        ui.colour(c.token == step.token ? ui.palette.accent : ui.palette.edge), ui.px(2));
    const std::string value = percent_text(c.probability);
    const ImVec2 value_size = ui.measure(FontRole::kSmallNumber, value);
    ui.text(ImVec2(at.x + width - value_size.x, y + (row - value_size.y) / 2),
            FontRole::kSmallNumber, ui.palette.muted, value);
    y += row;
  }
  return y - at.y;
}

std::string chances_text(const Ui& ui, const TryStep& step) {
  std::string text;
  for (const Candidate& c : step.candidates) {
    text += (text.empty() ? "" : ", ") + (c.token == "<eos>" ? ui.tr(Text::end_mark) : c.token) +
            " " + percent_text(c.probability);
  }
  return text;
}

}  // namespace tp::ui
