#include "imgui_app/widgets/token_axis.h"

#include <algorithm>
#include <cmath>

#include "imgui_app/widgets/depiction.h"
#include "imgui_app/widgets/heatmap.h"

namespace tp::ui {
namespace {

constexpr FontRole kFont = FontRole::kSmallNumber;
constexpr int kMostTiers = 3;
constexpr float kWidest = 96;  // of a token in a column; longer ones end in an ellipsis

void draw_label(Ui& ui, ImVec2 at, const AxisLabel& label, const std::string& text, ImVec2 size,
                bool lit, float widest) {
  if (lit) {
    const float pad = ui.px(2);
    ImGui::GetWindowDrawList()->AddRectFilled(
        ImVec2(at.x - pad, at.y), ImVec2(at.x + std::min(size.x, widest) + pad, at.y + size.y),
        ui.colour(ui.palette.accent), ui.px(3));
  }
  ui.text(at, kFont,
          lit           ? ui.palette.on_accent
          : label.depth ? depth_colour(ui, *label.depth)
          : label.mark  ? ui.palette.muted
                        : ui.palette.text,
          text, {.max_width = widest});
}

// Blanks as tokens show them.
constexpr std::string_view kBlanks[] = {"▁", "¶", "→"};
bool starts_blank(std::string_view text) {
  return std::ranges::any_of(kBlanks, [&](std::string_view b) { return text.starts_with(b); });
}
bool ends_blank(std::string_view text) {
  return std::ranges::any_of(kBlanks, [&](std::string_view b) { return text.ends_with(b); });
}

std::vector<AxisLabel> single_labels(std::span<const ShownToken> tokens) {
  std::vector<AxisLabel> labels;
  for (const ShownToken& token : tokens) {
    labels.push_back({token.text, labels.size(), 1, token.mark, token.depth});
  }
  return labels;
}

// The words of a text, without the blanks between them; nothing where there are none.
std::vector<AxisLabel> word_labels(std::span<const ShownToken> tokens) {
  std::vector<AxisLabel> labels;
  bool blank = true, blanks = false;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    std::string text = tokens[i].text;
    const bool begins = blank || starts_blank(text);
    blank = ends_blank(text);
    blanks |= blank || starts_blank(text);
    for (const std::string_view b : kBlanks) {
      for (std::size_t at; (at = text.find(b)) != text.npos;) text.erase(at, b.size());
    }
    if (text.empty()) continue;
    if (begins || labels.empty()) {
      labels.push_back({text, i, 1, tokens[i].mark});
    } else {
      labels.back().text += text;
      labels.back().count = i + 1 - labels.back().first;
    }
  }
  return blanks ? labels : std::vector<AxisLabel>();
}

// Down the side of a map: lines may share a little of the air above and below their letters.
std::vector<AxisLabel> column_labels(const Ui& ui, std::span<const ShownToken> tokens,
                                     float length) {
  const int most = std::max(2, static_cast<int>(length / (0.8f * ui.measure(kFont, " ").y)));
  std::vector<AxisLabel> all = single_labels(tokens);
  const int step = tick_step(static_cast<int>(tokens.size()), most);
  if (step == 1) return all;
  if (std::vector<AxisLabel> words = word_labels(tokens); !words.empty()) return words;
  std::vector<AxisLabel> some;
  for (std::size_t i = 0; i < all.size(); i += static_cast<std::size_t>(step)) {
    some.push_back(std::move(all[i]));
  }
  return some;
}

bool are_patches(std::span<const ShownToken> tokens, const Depiction* drawn) {
  return drawn != nullptr && !tokens.empty() && tokens.front().patch >= 0;
}

// 24, or as much as a cell has, with a little air between neighbours.
float patch_side(const Ui& ui, std::size_t count, float length) {
  const float cell = length / static_cast<float>(count);
  return std::min(ui.px(24), cell > ui.px(8) ? std::floor(cell - ui.px(2)) : cell);
}

void draw_patch_at(Ui& ui, const Depiction& drawn, int patch, ImVec2 middle, float side, bool lit) {
  const ImVec2 min(std::round(middle.x - side / 2), std::round(middle.y - side / 2));
  const Rect rect{min, ImVec2(min.x + side, min.y + side)};
  draw_patch(ui, drawn, patch, rect);
  if (!lit) return;
  const float line = std::max(1.0f, ui.px(2));
  ImGui::GetWindowDrawList()->AddRect(ImVec2(min.x - line, min.y - line),
                                      ImVec2(rect.max.x + line, rect.max.y + line),
                                      ui.colour(ui.palette.accent), 0, 0, line);
}

}  // namespace

TokenAxis::TokenAxis(const Ui& ui, std::span<const ShownToken> tokens, const Depiction* drawn,
                     float length)
    : tokens_(tokens.size()),
      drawn_(are_patches(tokens, drawn) ? drawn : nullptr),
      line_(ui.measure(kFont, " ").y) {
  if (drawn_ != nullptr) {
    line_ = patch_side(ui, tokens_, length) + ui.px(3);
    return;
  }
  const int count = static_cast<int>(tokens.size());
  // On cells that are very narrow a token on a second line could not be matched to its own.
  const bool narrow = length < ui.px(12) * static_cast<float>(count);
  labels_ = single_labels(tokens);
  if (find_room(ui, length, 1, narrow ? 1 : kMostTiers)) return;
  if (std::vector<AxisLabel> words = word_labels(tokens); !words.empty()) {
    labels_ = std::move(words);
    if (find_room(ui, length, count, kMostTiers)) return;
  } else if (find_room(ui, length, count, narrow ? 1 : 2)) {
    return;
  }
  tiers_ = 1;
}

// The smallest step, and the fewest lines for it, with which no two labels touch.
bool TokenAxis::find_room(const Ui& ui, float length, int most_step, int most_tiers) {
  std::vector<float> widths;
  for (const AxisLabel& label : labels_) {
    widths.push_back(std::min(ui.measure(kFont, ui.fonts.drawable(label.text)).x, length));
  }
  for (step_ = 1; step_ <= most_step; ++step_) {
    for (tiers_ = 1; tiers_ <= most_tiers; ++tiers_) {
      if (fits(widths, length, step_, tiers_, ui.px(5))) return true;
    }
  }
  return false;
}

float TokenAxis::left_of(std::size_t i, float width, float length) const {
  const float middle = labels_[i].middle(length / static_cast<float>(tokens_));
  return std::clamp(middle - width / 2, 0.0f, length - width);
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
  const float length = rect.width(), cell = length / static_cast<float>(tokens_);
  if (drawn_ != nullptr) {
    const float side = patch_side(ui, tokens_, length);
    const float y = above ? rect.max.y - ui.px(1) - side / 2 : rect.min.y + ui.px(1) + side / 2;
    for (int i = 0; i < static_cast<int>(tokens_); ++i) {
      const float x = rect.min.x + (static_cast<float>(i) + 0.5f) * cell;
      draw_patch_at(ui, *drawn_, i, ImVec2(x, y), side, i == lit);
    }
    return;
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto stride = static_cast<std::size_t>(step_);
  const auto tier_of = [&](std::size_t i) { return static_cast<int>(i) / step_ % tiers_; };
  const auto top_of = [&](std::size_t i) {
    return above ? rect.max.y - static_cast<float>(tier_of(i) + 1) * line_
                 : rect.min.y + static_cast<float>(tier_of(i)) * line_;
  };
  for (std::size_t i = 0; i < labels_.size(); i += stride) {
    if (tier_of(i) == 0) continue;
    // Leads from the cell to its token, behind the nearer ones.
    const float middle = std::round(rect.min.x + labels_[i].middle(cell));
    list.AddLine(ImVec2(middle, above ? top_of(i) + line_ : top_of(i)),
                 ImVec2(middle, above ? rect.max.y : rect.min.y), ui.colour(ui.palette.hairline),
                 std::max(1.0f, ui.px(1)));
  }
  for (std::size_t i = 0; i < labels_.size(); i += stride) {
    const std::string text = ui.fonts.drawable(labels_[i].text);
    if (text.empty()) continue;
    const ImVec2 size = ui.measure(kFont, text);
    const float left = left_of(i, std::min(size.x, length), length);
    draw_label(ui, ImVec2(rect.min.x + left, top_of(i)), labels_[i], text, size,
               labels_[i].holds(lit), length);
  }
}

float token_column_width(const Ui& ui, std::span<const ShownToken> tokens, const Depiction* drawn,
                         float length) {
  if (are_patches(tokens, drawn)) return patch_side(ui, tokens.size(), length);
  float widest = ui.measure(kFont, "0").x;
  for (const AxisLabel& label : column_labels(ui, tokens, length)) {
    widest = std::max(widest, ui.measure(kFont, ui.fonts.drawable(label.text)).x);
  }
  return std::min(widest, ui.px(kWidest));
}

void draw_token_column(Ui& ui, std::span<const ShownToken> tokens, const Depiction* drawn,
                       Rect rect, int lit) {
  const float line = ui.measure(kFont, " ").y;
  const float cell = rect.height() / static_cast<float>(tokens.size());
  if (are_patches(tokens, drawn)) {
    const float side = patch_side(ui, tokens.size(), rect.height());
    for (int i = 0; i < static_cast<int>(tokens.size()); ++i) {
      const float y = rect.min.y + (static_cast<float>(i) + 0.5f) * cell;
      draw_patch_at(ui, *drawn, i, ImVec2(rect.max.x - side / 2, y), side, i == lit);
    }
    return;
  }
  float free = rect.min.y - line;  // below the label before
  for (const AxisLabel& label : column_labels(ui, tokens, rect.height())) {
    const std::string text = ui.fonts.drawable(label.text);
    const ImVec2 size = ui.measure(kFont, text);
    const float y = rect.min.y + label.middle(cell) - line / 2;
    if (text.empty() || y < free) continue;
    free = y + 0.79f * line;
    draw_label(ui, ImVec2(rect.max.x - std::min(size.x, rect.width()), y), label, text, size,
               label.holds(lit), rect.width());
  }
}

}  // namespace tp::ui
