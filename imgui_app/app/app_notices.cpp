// What lies over the page at its lower left: notices and the run of the last visit. At most two;
// nothing else moves because of them.

#include <algorithm>

#include "imgui_app/app/app.h"
#include "imgui_app/app/measures.h"
#include "imgui_app/widgets/controls.h"

namespace tp::ui {
namespace {

constexpr std::size_t kMostCards = 2;
constexpr float kCardWidth = 440;

Rect box(float x, float y, float w, float h) { return {ImVec2(x, y), ImVec2(x + w, y + h)}; }

}  // namespace

struct App::Card {
  std::string name, text;
  Colour edge;
  std::vector<Action> actions;
  std::optional<std::size_t> notice = std::nullopt;  // its number
  Rect rect = {};
};

// The newest last.
std::vector<App::Card> App::cards(const Ui& ui) {
  std::vector<Card> all;
  if (kept_run_) {
    const std::optional<Text> task = text_named("choice_task_" + kept_run_->first);
    all.push_back(
        {"kept_run",
         fill(ui.tr(Text::saved_offer), {task ? ui.tr(*task) : kept_run_->first.c_str(),
                                         readable_number(static_cast<double>(kept_run_->second))}),
         ui.palette.edge,
         {{.name = "continue_kept",
           .label = ui.tr(Text::continue_saved),
           .command = ui_command::ContinueKept{}},
          {.name = "discard_kept",
           .label = ui.tr(Text::discard_saved),
           .command = ui_command::DiscardKept{}}}});
  }
  for (std::size_t i = 0; i < notices_.all().size(); ++i) {
    const Notice& notice = notices_.all()[i];
    const std::string number = std::to_string(i);
    all.push_back({"notice_" + number,
                   notice.text,
                   notice.tone == NoticeTone::kGood ? ui.palette.right : ui.palette.warning,
                   {{.name = "close_notice_" + number,
                     .label = ui.tr(Text::close),
                     .command = ui_command::CloseNotice{static_cast<int>(i)}}},
                   i});
  }
  if (settings.language != lettering_.shown()) {
    all.push_back(
        {"font_loading", ui.tr(Text::korean_font_loading), ui.palette.edge, std::vector<Action>()});
  }
  if (all.size() > kMostCards) all.erase(all.begin(), all.end() - kMostCards);
  return all;
}

void App::draw_notices(Ui& ui, float width) {
  notices_.expire(ui.time);
  const float gap = ui.px(8), left = ui.px(ui.phone ? 12 : 16);
  const float bar = ui.phone && !settings.embed ? ui.px(kLowerBar + kLowerTabs) : 0;
  const float seen = std::min(surroundings.scroll_top + surroundings.visible_height,
                              std::max(content_height_, surroundings.visible_height));
  float bottom = seen * surroundings.ratio - bar - gap;
  std::vector<Card> shown = cards(ui);
  for (auto card = shown.rbegin(); card != shown.rend(); ++card) {
    draw_card(ui, *card, ImVec2(left, bottom), std::min(width, ui.px(kCardWidth)));
    bottom = card->rect.min.y - gap;
    if (!card->notice) continue;
    // Good news goes by itself, and stays while a pointer rests on it.
    const bool first = notices_.seen(*card->notice, ui.time);
    const bool held = notices_.all()[*card->notice].tone == NoticeTone::kGood &&
                      card->rect.contains(ImGui::GetIO().MousePos);
    if (held) notices_.hold(*card->notice, ui.time);
    if (first || held) platform_.frame_in(Notices::kGoodNewsMs);
  }
}

// The words, then the buttons: behind them where both fit in a line, else below.
void App::draw_card(Ui& ui, Card& card, ImVec2 lower_left, float width) {
  const float padding = ui.px(14), gap = ui.px(6), control = control_height(ui);
  const float inner = width - 2 * padding;
  float buttons = 0;
  for (const Action& action : card.actions) buttons += button_width(ui, action.label) + gap;
  const std::string words = ui.fonts.drawable(card.text);
  const bool beside = ui.measure(FontRole::kBody, words).x + buttons <= inner;
  const ImVec2 size = ui.measure(FontRole::kBody, words, inner);
  // Below the words: as many lines as the buttons take.
  float x = 0, rows = card.actions.empty() || beside ? 0 : 1;
  for (Action& action : card.actions) {
    const float own = std::min(button_width(ui, action.label), inner);
    if (!beside && x > 0 && x + own > inner) x = 0, ++rows;
    action.rect = box(x, (rows - 1) * (control + gap), own, control);
    x += own + gap;
  }
  const float line = beside && !card.actions.empty() ? std::max(size.y, control) : size.y;
  const float height =
      line + (rows > 0 ? rows * (control + gap) : 0) + (beside ? ui.px(12) : ui.px(20));
  card.rect = box(lower_left.x, lower_left.y - height, width, height);
  ui.mirror.cover(card.rect);
  ui.mirror.place(card.name, card.rect);

  ImGui::SetNextWindowPos(card.rect.min);
  ImGui::SetNextWindowSize(ImVec2(width, height));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::Begin(card.name.c_str(), nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(card.rect.min, card.rect.max, ui.colour(ui.palette.raised), ui.px(6));
  list.AddRect(card.rect.min, card.rect.max, ui.colour(ui.palette.hairline), ui.px(6), 0,
               std::max(1.0f, ui.px(1)));
  list.AddRectFilled(card.rect.min, ImVec2(card.rect.min.x + ui.px(4), card.rect.max.y),
                     ui.colour(card.edge), ui.px(6), ImDrawFlags_RoundCornersLeft);
  const float top = card.rect.min.y + (beside ? ui.px(6) : ui.px(10));
  ui.text(ImVec2(card.rect.min.x + padding, top + (line - size.y) / 2), FontRole::kBody,
          ui.palette.text, words, {.wrap_width = inner});
  const ImVec2 first = beside ? ImVec2(card.rect.max.x - padding - buttons + gap,
                                       top + (line - control) / 2 + control + gap)
                              : ImVec2(card.rect.min.x + padding, top + line + gap);
  for (Action& action : card.actions) {
    action.rect =
        box(first.x + action.rect.min.x, first.y + action.rect.min.y, action.rect.width(), control);
    button(ui, action, ButtonLook::kQuiet);
  }
  ImGui::End();
}

}  // namespace tp::ui
