#include "imgui_app/widgets/token_axis.h"

#include <algorithm>
#include <cmath>

#include "imgui_app/widgets/heatmap.h"

namespace tp::ui {
namespace {

constexpr FontRole kFont = FontRole::kSmallNumber;
constexpr int kMostTiers = 3;
constexpr float kWidest = 96;  // of a token in a column; longer ones end in an ellipsis

void draw_token(Ui& ui, ImVec2 at, const ShownToken& token, const std::string& text, ImVec2 size,
                bool lit, float widest) {
  if (lit) {
    const float pad = ui.px(2);
    ImGui::GetWindowDrawList()->AddRectFilled(
        ImVec2(at.x - pad, at.y), ImVec2(at.x + std::min(size.x, widest) + pad, at.y + size.y),
        ui.colour(ui.palette.accent), ui.px(3));
  }
  ui.text(at, kFont,
          lit          ? ui.palette.on_accent
          : token.mark ? ui.palette.muted
                       : ui.palette.text,
          text, {.max_width = widest});
}

}  // namespace

TokenAxis::TokenAxis(const Ui& ui, std::span<const ShownToken> tokens, float length)
    : tokens_(tokens), line_(ui.measure(kFont, " ").y) {
  std::vector<float> widths;
  for (const ShownToken& token : tokens) {
    widths.push_back(std::min(ui.measure(kFont, ui.fonts.drawable(token.text)).x, length));
  }
  const float gap = ui.px(5);
  const int count = static_cast<int>(tokens.size());
  // On cells that are very narrow a token on a second line could not be matched to its own.
  const bool narrow = length < ui.px(12) * static_cast<float>(count);
  for (step_ = 1; step_ < count; ++step_) {
    for (tiers_ = 1; tiers_ <= (narrow ? 1 : step_ == 1 ? kMostTiers : 2); ++tiers_) {
      if (fits(widths, length, step_, tiers_, gap)) return;
    }
  }
  tiers_ = 1;
}

float TokenAxis::left_of(std::size_t i, float width, float length) const {
  const float cell = length / static_cast<float>(tokens_.size());
  return std::clamp((static_cast<float>(i) + 0.5f) * cell - width / 2, 0.0f, length - width);
}

bool TokenAxis::fits(const std::vector<float>& widths, float length, int step, int tiers,
                     float gap) const {
  const auto stride = static_cast<std::size_t>(step * tiers);
  for (std::size_t i = 0; i + stride < widths.size(); i += static_cast<std::size_t>(step)) {
    const float end = left_of(i, widths[i], length) + widths[i];
    if (end + gap > left_of(i + stride, widths[i + stride], length)) return false;
  }
  return true;
}

void TokenAxis::draw(Ui& ui, Rect rect, bool above, int lit) const {
  const float length = rect.width(), cell = length / static_cast<float>(tokens_.size());
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto stride = static_cast<std::size_t>(step_);
  const auto tier_of = [&](std::size_t i) { return static_cast<int>(i) / step_ % tiers_; };
  const auto top_of = [&](std::size_t i) {
    return above ? rect.max.y - static_cast<float>(tier_of(i) + 1) * line_
                 : rect.min.y + static_cast<float>(tier_of(i)) * line_;
  };
  for (std::size_t i = 0; i < tokens_.size(); i += stride) {
    if (tier_of(i) == 0) continue;
    // Leads from the cell to its token, behind the nearer ones.
    const float middle = std::round(rect.min.x + (static_cast<float>(i) + 0.5f) * cell);
    list.AddLine(ImVec2(middle, above ? top_of(i) + line_ : top_of(i)),
                 ImVec2(middle, above ? rect.max.y : rect.min.y), ui.colour(ui.palette.hairline),
                 std::max(1.0f, ui.px(1)));
  }
  for (std::size_t i = 0; i < tokens_.size(); i += stride) {
    const std::string text = ui.fonts.drawable(tokens_[i].text);
    if (text.empty()) continue;
    const ImVec2 size = ui.measure(kFont, text);
    const float left = left_of(i, std::min(size.x, length), length);
    draw_token(ui, ImVec2(rect.min.x + left, top_of(i)), tokens_[i], text, size,
               static_cast<int>(i) == lit, length);
  }
}

float token_column_width(const Ui& ui, std::span<const ShownToken> tokens) {
  float widest = ui.measure(kFont, "0").x;
  for (const ShownToken& token : tokens) {
    widest = std::max(widest, ui.measure(kFont, ui.fonts.drawable(token.text)).x);
  }
  return std::min(widest, ui.px(kWidest));
}

void draw_token_column(Ui& ui, std::span<const ShownToken> tokens, Rect rect, int lit) {
  const float line = ui.measure(kFont, " ").y;
  const float cell = rect.height() / static_cast<float>(tokens.size());
  // Lines may share a little of the air above and below their letters.
  const int most = std::max(2, static_cast<int>(rect.height() / (0.8f * line)));
  const int step = tick_step(static_cast<int>(tokens.size()), most);
  for (std::size_t i = 0; i < tokens.size(); i += static_cast<std::size_t>(step)) {
    const std::string text = ui.fonts.drawable(tokens[i].text);
    if (text.empty()) continue;
    const ImVec2 size = ui.measure(kFont, text);
    const float y = rect.min.y + (static_cast<float>(i) + 0.5f) * cell - line / 2;
    draw_token(ui, ImVec2(rect.max.x - std::min(size.x, rect.width()), y), tokens[i], text, size,
               static_cast<int>(i) == lit, rect.width());
  }
}

}  // namespace tp::ui
