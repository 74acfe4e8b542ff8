#include "imgui_app/panels/try_panel.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "engine/session/run_settings.h"
#include "imgui_app/widgets/answer.h"
#include "imgui_app/widgets/controls.h"
#include "imgui_app/widgets/picture_field.h"
#include "imgui_app/widgets/price_plot.h"
#include "imgui_app/widgets/samples.h"

namespace tp::ui {
namespace {

// Words in boxes that wrap; a press types the word. Returns the height used.
float draw_known_words(Ui& ui, const std::vector<std::string>& words, ImVec2 at, float width,
                       float most) {
  const float row = ui.px(ui.touch ? 44 : 26);
  float x = at.x, y = at.y;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string shown = ui.fonts.drawable(words[i]);
    const float own = ui.measure(FontRole::kLabel, shown).x + ui.px(12);
    if (x + own > at.x + width && x > at.x) x = at.x, y += row + ui.px(2);
    if (y + row > at.y + most) break;
    button(ui,
           {.name = "word_" + std::to_string(i),
            .label = shown,
            .command = ui_command::TypeWord{words[i]},
            .rect = {ImVec2(x, y), ImVec2(x + own, y + row)}},
           ButtonLook::kQuiet);
    x += own + ui.px(2);
  }
  return y + row - at.y;
}

// What somebody types as a picture or as numbers has no known answer, but the example shown has.
Verdict verdict_of(const TryResult& tried, const Snapshot& now) {
  if (tried.expected) return {tried.expected, tried.done, tried.right};
  const std::optional<ShownExample>& example = now.example;
  const bool continues = example && example->source.empty();  // any text may be right
  const bool known = example && example->index >= 0 && !continues;
  if (!known || tried.input != example->source_text) return {};
  return {example->answer_text, tried.done && now.vocabulary > 0,
          tried.output == example->answer_text};
}

// Of an input that the model was not trained for: why, and a button that trains it. Returns the
// height used.
float draw_outside(Ui& ui, const TryResult& tried, ImVec2 at, float width) {
  const float top = at.y;
  if (!tried.untrained.empty()) {
    const std::string words = ui.said(tried.untrained);
    at.y += ui.text(at, FontRole::kLabel, ui.palette.warning, words, {.wrap_width = width}).y;
    ui.mirror.readout({"try_untrained", ui.tr(Text::try_output), words});
  }
  if (!tried.remedy.empty()) {
    const char* label = ui.tr(Text::try_train);
    at.y += ui.px(4);
    button(ui,
           {.name = "train_for_input",
            .label = label,
            .command = ui_command::TrainForInput{},
            .rect = {at, ImVec2(at.x + button_width(ui, label), at.y + control_height(ui))}},
           ButtonLook::kFramed);
    at.y += control_height(ui) + ui.px(4);
  }
  return at.y - top;
}
float outside_height(const Ui& ui, const TryResult& tried, float width) {
  const float words =
      tried.untrained.empty() ? 0 : ui.measure(FontRole::kLabel, ui.said(tried.untrained), width).y;
  return words + (tried.remedy.empty() ? 0 : control_height(ui) + ui.px(8));
}

// The input as a drawing, with how a price goes on as far as that is known; nothing where words say
// it all.
Depiction drawn_input(const Ui& ui, const Snapshot& now) {
  if (now.tried && !now.tried->drawn.depths.empty()) return now.tried->drawn;
  if (!now.example || !now.example->drawn.is_drawn()) return {};
  const Depiction& example = now.example->drawn;
  if (example.is_picture()) return drawn_picture(ui.settings.attempt.input, example);
  if (!now.tried || !now.tried->drawn.is_line()) return example;
  Depiction line = now.tried->drawn;
  if (now.tried->input == now.example->source_text) line.truth = example.truth;
  return line;
}

// Returns the room that is left for the answer.
Rect draw_input(Ui& ui, const Snapshot& now, const Depiction& drawn, Rect rect, bool complete) {
  Rect left = rect;
  if (drawn.is_line()) {
    left.min.y += std::clamp(rect.height() - ui.px(64), 0.0f, ui.px(complete ? 180 : 112));
    price_plot(ui, drawn, {rect.min, ImVec2(rect.max.x, left.min.y - ui.px(6))});
  } else if (drawn.is_picture()) {
    const float control = control_height(ui), below = complete ? control + ui.px(4) : 0;
    const float side =
        std::max(std::min(rect.height() - below - ui.px(8), rect.width() * 0.45f), ui.px(48));
    const Rect field{rect.min, ImVec2(rect.min.x + std::min(side, ui.px(224)),
                                      rect.min.y + std::min(side, ui.px(224)))};
    const std::optional<std::string> rows = picture_field(ui, drawn, field);
    if (rows) ui.commands.push_back(ui_command::Try{*rows});
    if (complete) {
      const float y = field.max.y + ui.px(4);
      Depiction blank = drawn;
      std::ranges::fill(blank.values, 0.0f);
      button(ui,
             {.name = "clear_picture",
              .label = ui.tr(Text::clear_picture),
              .command = ui_command::Try{rows_of(blank)},
              .rect = {ImVec2(field.min.x, y),
                       ImVec2(field.min.x + button_width(ui, ui.tr(Text::clear_picture)),
                              y + control)}},
             ButtonLook::kQuiet);
    }
    left.min.x = field.max.x + ui.px(12);
  } else if (!drawn.depths.empty()) {
    left.min.y += draw_brackets(ui, now.tried->source, drawn.depths, rect.min, rect.width());
  }
  return left;
}

}  // namespace

float TryPanel::height_for(const Ui& ui, float) const { return ui.px(ui.touch ? 640 : 600); }

void TryPanel::draw(Ui& ui, const RunView& run, Rect rect, bool complete) {
  const Rect inside = ui.panel(rect, ui.tr(Text::choice_panel_try));
  ui.mirror.place("try", rect);
  const Snapshot& now = run.now();
  const Properties table = properties(ui.settings);
  const float control = control_height(ui), width = inside.width();
  ImVec2 at = inside.min;
  const float roll = button_width(ui, ui.tr(Text::roll)) + ui.px(20);
  const Rect field{at, ImVec2(inside.max.x - roll - ui.px(8), at.y + control)};
  // The example where it can be read whole.
  const std::string example = now.example ? ui.fonts.drawable(now.example->source_text) : "";
  const bool whole =
      !example.empty() && ui.measure(FontRole::kBody, example).x <= field.width() - ui.px(20);
  text_box(ui, *find_property(table, "try_input"), whole ? example : ui.tr(Text::try_hint), field);
  button(ui,
         {.name = "roll",
          .label = ui.tr(Text::roll),
          .command = ui_command::Roll{},
          .rect = {ImVec2(inside.max.x - roll, at.y), ImVec2(inside.max.x, at.y + control)}},
         ButtonLook::kFramed, Icon::kDice);
  at.y += control + ui.px(8);
  // Of one answer, a class or a number, nothing is drawn by chance.
  const bool writes = now.vocabulary > 0 && !answers_with_a_class(now.task);
  if (complete && writes) {
    const float half = (width - ui.px(24)) / 2;
    const float used = slider(ui, *find_property(table, "temperature"), at, half);
    slider(ui, *find_property(table, "top_k"), ImVec2(inside.max.x - half, at.y), half);
    at.y += used + ui.px(4);
  }
  // As many samples as leave room for an answer.
  const Depiction drawn = drawn_input(ui, now);
  const float answer = ui.px(drawn.is_picture() ? 124
                             : drawn.is_line()  ? 130
                                                : 96) +
                       (now.tried ? outside_height(ui, *now.tried, width) : 0);
  const SampleGrid grid(ui, now.samples, width);
  const bool prices = !now.samples.empty() && now.samples.front().drawn.is_line();
  const float heading =
      ui.px(24) + (prices ? ui.measure(FontRole::kLabel, ui.tr(Text::samples_rule), width).y : 0);
  const int samples = grid.fitting(inside.max.y - at.y - answer - heading);
  const float samples_height = samples == 0 ? 0 : heading + grid.height_of(samples);
  const float bottom = inside.max.y - samples_height;
  const Rect room = draw_input(ui, now, drawn, {at, ImVec2(inside.max.x, bottom)}, complete);
  if (!now.tried) {
    ui.text(room.min, FontRole::kLabel, ui.palette.muted,
            ui.tr(drawn.is_picture() ? Text::try_draw : Text::try_waiting),
            {.wrap_width = room.width()});
  } else if (!now.tried->problem.empty()) {
    draw_problem(ui, *now.tried, room);
  } else {
    draw_answered(ui, now, room, complete);
  }
  if (samples == 0) return;
  // The title counts the rows below it, where they can be right.
  const auto right = std::ranges::count_if(
      std::span(now.samples).first(static_cast<std::size_t>(samples)), &Sample::right);
  ImVec2 sample_at(inside.min.x, bottom);
  const std::string step = readable_number(static_cast<double>(now.samples.front().moment.step));
  const bool judged = now.samples.front().judged;
  const std::string title = judged ? fill(ui.tr(Text::try_samples),
                                          {std::to_string(right), std::to_string(samples), step})
                                   : fill(ui.tr(Text::try_samples_at), {step});
  sample_at.y += ui.text(sample_at, FontRole::kLabel, ui.palette.muted, title).y + ui.px(4);
  std::string spoken = title;
  if (prices) {
    sample_at.y += ui.text(sample_at, FontRole::kLabel, ui.palette.muted, ui.tr(Text::samples_rule),
                           {.wrap_width = width})
                       .y;
    spoken += std::string(". ") + ui.tr(Text::samples_rule);
  }
  grid.draw(ui, samples, sample_at);
  for (const Sample& sample : std::span(now.samples).first(static_cast<std::size_t>(samples))) {
    spoken += "; " + sample.source + " → " + sample.produced;
    if (judged)
      spoken += std::string(" ") + ui.tr(sample.right ? Text::try_right : Text::try_wrong);
  }
  ui.mirror.readout({"samples", ui.tr(Text::try_samples_title), spoken});
}

void TryPanel::draw_problem(Ui& ui, const TryResult& tried, Rect room) {
  const float width = room.width();
  ImVec2 at = room.min;
  const std::string sentence = ui.said(tried.problem);
  at.y += ui.text(at, FontRole::kBody, ui.palette.warning, sentence, {.wrap_width = width}).y;
  ui.mirror.readout({"try_problem", ui.tr(Text::try_output), sentence});
  draw_outside(ui, tried, at, width);
  if (tried.known_words.empty()) return;
  at.y += ui.text(ImVec2(at.x, at.y + ui.px(4)), FontRole::kLabel, ui.palette.muted,
                  ui.tr(Text::try_known_words))
              .y +
          ui.px(6);
  draw_known_words(ui, tried.known_words, at, width, room.max.y - at.y);
}

void TryPanel::draw_answered(Ui& ui, const Snapshot& now, Rect room, bool complete) {
  const TryResult& tried = *now.tried;
  const float width = room.width(), line = ui.measure(FontRole::kLabel, " ").y;
  const std::string step = readable_number(static_cast<double>(tried.moment.step));
  const std::string title = fill(ui.tr(Text::try_output_at), {step});
  ImVec2 at = room.min;
  at.y += ui.text(at, FontRole::kLabel, ui.palette.muted, title).y + ui.px(2);
  const Verdict verdict = verdict_of(tried, now);
  const bool corrected = tried.done && verdict.expected && !verdict.right;
  const int shown = shown_token(tried);
  if (tried.steps.empty()) {  // numbers, all at once
    at.y += ui.text(at, FontRole::kNumber, ui.palette.text,
                    ui.in_one_line(FontRole::kNumber, tried.output, width))
                .y;
  } else {
    const float most =
        room.max.y - at.y - (corrected ? line : 0) - ui.px(4) - outside_height(ui, tried, width);
    const AnswerTokens tokens =
        draw_answer(ui, tried, verdict, tried.steps.size() > 1 ? shown : -1, at, width, most);
    at.y += tokens.height;
    if (tokens.pressed) pointed_ = pointed_ == *tokens.pressed ? -1 : *tokens.pressed;
    ui.animating |= tokens.hovered != hovered_ || tokens.pressed;  // seen in the next frame
    hovered_ = tokens.hovered;
  }
  at.y += ui.px(4);
  if (corrected) {
    const std::string text = fill(ui.tr(Text::try_expected), {*verdict.expected});
    at.y += ui.text(at, FontRole::kLabel, ui.palette.text,
                    ui.in_one_line(FontRole::kLabel, text, width))
                .y;
  }
  std::string spoken = tried.output;
  if (verdict.judged) {
    spoken += std::string(" · ") + ui.tr(verdict.right ? Text::try_right : Text::try_wrong);
  }
  ui.mirror.readout({"try_output", title, spoken});
  at.y += draw_outside(ui, tried, at, width);
  if (shown >= 0) draw_chances_of(ui, tried, shown, {at, room.max}, complete ? 8 : 4);
}

// The token whose probabilities are shown: the one under the pointer, the one that was chosen, or
// the last.
int TryPanel::shown_token(const TryResult& tried) {
  if (tried.input != pointed_in_) pointed_ = hovered_ = -1;
  pointed_in_ = tried.input;
  const int count = static_cast<int>(tried.steps.size());
  for (const int token : {hovered_, pointed_}) {
    if (token >= 0 && token < count) return token;
  }
  return count - 1;
}

void TryPanel::draw_chances_of(Ui& ui, const TryResult& tried, int shown, Rect room, int most) {
  const int count = static_cast<int>(tried.steps.size());
  const float side = ui.px(ui.touch ? 44 : 22), line = ui.measure(FontRole::kLabel, " ").y;
  const float heading = count > 1 ? std::max(side, line) : line;
  const TryStep& step = tried.steps[static_cast<std::size_t>(shown)];
  const std::string title =
      count > 1 ? fill(ui.tr(Text::try_chances), {std::to_string(shown + 1), std::to_string(count)})
                : ui.tr(Text::try_class_chances);
  ui.mirror.readout({"try_chances", title, chances_text(ui, step)});
  const int rows = static_cast<int>((room.height() - heading) / ui.px(kChanceRow));
  if (rows < 1) return;
  ui.text(ImVec2(room.min.x, room.min.y + (heading - line) / 2), FontRole::kLabel, ui.palette.muted,
          title);
  for (const int by : {-1, 1}) {
    if (count < 2) break;
    const float right = room.max.x - (by < 0 ? side + ui.px(2) : 0);
    button(ui,
           {.name = by < 0 ? "token_before" : "token_after",
            .label = ui.tr(by < 0 ? Text::try_token_before : Text::try_token_after),
            .command = ui_command::Point{"answer", std::clamp(shown + by, 0, count - 1)},
            .enabled = shown + by >= 0 && shown + by < count,
            .rect = {ImVec2(right - side, room.min.y), ImVec2(right, room.min.y + side)}},
           ButtonLook::kQuiet, by < 0 ? Icon::kBefore : Icon::kAfter);
  }
  draw_chances(ui, step, ImVec2(room.min.x, room.min.y + heading), room.width(),
               std::min(rows, most));
}

bool TryPanel::perform(const UiCommand& command, const RunView& run) {
  const auto* at = std::get_if<ui_command::Point>(&command);
  const std::optional<TryResult>& tried = run.now().tried;
  if (at == nullptr || at->map != "answer" || !tried) return false;
  if (at->row >= std::ssize(tried->steps)) return false;
  pointed_ = at->row;
  pointed_in_ = tried->input;
  hovered_ = -1;
  return true;
}

void TryPanel::draw_strip(Ui& ui, const RunView& run, Rect rect) {
  if (run.now().samples.empty()) return;
  draw_sample_line(ui, run.now().samples.front(), rect);
}

std::unique_ptr<Panel> make_try_panel(RunEditor&) { return std::make_unique<TryPanel>(); }

}  // namespace tp::ui
