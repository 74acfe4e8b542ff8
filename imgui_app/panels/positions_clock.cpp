#include <algorithm>
#include <cmath>
#include <numbers>

#include "imgui_app/panels/positions_panel.h"
#include "imgui_app/widgets/clock.h"
#include "imgui_app/widgets/controls.h"
#include "imgui_app/widgets/word_row.h"

// One position: the hands of a clock, and its word in a sentence.

namespace tp::ui {
namespace {

std::vector<std::string> words_of(const std::string& sentence) {
  std::vector<std::string> words;
  for (size_t i = 0; i < sentence.size();) {
    const size_t end = std::min(sentence.find(' ', i), sentence.size());
    if (end > i) words.push_back(sentence.substr(i, end - i));
    i = end + 1;
  }
  return words;
}

std::string sentence_shown(const Ui& ui) {
  const std::string& own = ui.settings.pe.sentence;
  return words_of(own).empty() ? std::string(ui.tr(Text::example_sentence)) : own;
}

}  // namespace

void PositionsPanel::draw_clock(Ui& ui, Rect rect) {
  const std::string here = std::to_string(position(ui));
  const std::string title = shown_.learned() ? ui.tr(Text::setting_pe_position) + (" " + here)
                                             : fill(ui.tr(Text::clock_title), {here});
  const Rect inside = ui.panel(rect, title);
  const float field = ui.measure(FontRole::kLabel, " ").y + ui.px(4) + control_height(ui);
  const int beyond = static_cast<int>(words_of(sentence_shown(ui)).size()) - shown_.positions();
  const float more = beyond > 0 ? ui.measure(FontRole::kLabel, " ").y + ui.px(4) : 0;
  const float words = ui.px(34) + more + field;
  std::string spoken;
  // Below the dial and its legend, wherever they end: a tall panel keeps its air at the bottom.
  float end = inside.min.y;
  if (shown_.learned()) {
    spoken = ui.tr(Text::positions_learned_clock);
    end += ui.text(inside.min, FontRole::kLabel, ui.palette.muted, spoken,
                   {.wrap_width = inside.width()})
               .y +
           ui.px(16);
  } else {
    spoken = ui.tr(Text::clock_caption);
    ui.text(inside.min, FontRole::kLabel, ui.palette.muted, spoken, {.wrap_width = inside.width()});
    const ImVec2 below(inside.min.x, inside.min.y + caption_height(ui, rect.width()));
    end = draw_hands(ui, {below, ImVec2(inside.max.x, inside.max.y - words)}, spoken) + ui.px(12);
  }
  const float top = std::min(end, inside.max.y - words), bottom = top + words - field;
  draw_words(ui, {ImVec2(inside.min.x, top), ImVec2(inside.max.x, bottom - more)});
  if (beyond > 0) {
    ui.text(ImVec2(inside.min.x, bottom - more), FontRole::kLabel, ui.palette.muted,
            fill(ui.tr(Text::words_beyond), {std::to_string(beyond)}));
  }
  const Properties table = properties(ui.settings);
  text_field(ui, *find_property(table, "pe_sentence"), ui.tr(Text::sentence_hint),
             ImVec2(inside.min.x, bottom), inside.width());
  ui.mirror.readout({"clock", title, spoken});
}

// The dial with its legend, in words as well. Returns where it ends.
float PositionsPanel::draw_hands(Ui& ui, Rect room, std::string& spoken) {
  std::vector<ClockHand> hands;
  for (size_t i = 0; i < waves_.size(); ++i) {
    const double frequency = shown_.frequency(waves_[i]);
    const std::string turn =
        readable_number(std::round(2 * std::numbers::pi / frequency * (frequency > 0.06 ? 10 : 1)) /
                        (frequency > 0.06 ? 10 : 1));
    hands.push_back({.angle = position(ui) * frequency,
                     .colour = ui.palette.series[i],
                     .label = fill(ui.tr(Text::clock_hand), {std::to_string(waves_[i]), turn})});
    spoken += (i == 0 ? " " : "; ") + hands.back().label;
  }
  const bool beside = room.width() > ui.px(300);
  const float list = beside ? 0 : ui.px(18) * static_cast<float>(hands.size());
  const float size = std::max(
      std::min(room.height() - list - ui.px(8), beside ? room.width() * 0.45f : room.width()),
      ui.px(40));
  const float left = beside ? room.min.x : room.min.x + (room.width() - size) / 2;
  clock(ui, hands, {ImVec2(left, room.min.y), ImVec2(left + size, room.min.y + size)});
  ImVec2 at = beside ? ImVec2(room.min.x + size + ui.px(24), room.min.y)
                     : ImVec2(room.min.x, room.min.y + size + ui.px(8));
  for (const ClockHand& hand : hands) {
    ui.text(at, FontRole::kLabel, hand.colour, hand.label, {.max_width = room.max.x - at.x});
    at.y += ui.px(beside ? 22 : 18);
  }
  return std::max(at.y, room.min.y + size);
}

// The sentence, one word a position. A click moves the clock to the word.
void PositionsPanel::draw_words(Ui& ui, Rect rect) {
  const Properties table = properties(ui.settings);
  const std::vector<std::string> words = words_of(sentence_shown(ui));
  const int here = position(ui);
  if (const auto pressed = word_row(ui, words, here, shown_.positions(), rect)) {
    ui.settings.pe.position = *pressed;
    ui.changed = true;
  }
  const std::string said =
      static_cast<size_t>(here) < words.size()
          ? fill(ui.tr(Text::word_at), {std::to_string(here), words[static_cast<size_t>(here)]})
          : std::string("—");
  ui.mirror.readout(
      {"word", std::string(label_of(ui, *find_property(table, "pe_sentence"))), said});
}

}  // namespace tp::ui
