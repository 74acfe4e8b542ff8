#include "imgui_app/app/story_line.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "imgui_app/app/play_bar.h"
#include "imgui_app/widgets/controls.h"
#include "imgui_app/widgets/depiction.h"

namespace tp::ui {
namespace {

// To be drawn, on one line of at most `width`: what is too long of the example loses its middle.
// Without a width, the whole of it.
std::string task_sentence(const Ui& ui, const RunView& run, std::optional<float> width) {
  const Snapshot& now = run.now();
  const std::optional<Text> what = text_named("story_" + now.task);
  if (!what) return {};
  if (!now.example || now.example->source_text.empty() || now.example->answer_text.empty()) {
    return std::string(ui.tr(*what)) + ".";
  }
  const auto shown = [&](const std::string& text, float most) {
    return width ? ui.in_one_line(FontRole::kBody, text, most) : text;
  };
  const std::string& source = now.example->source_text;
  if (now.example->source.empty()) {  // what is written goes on from it
    const std::string before = std::string(ui.tr(*what)) + ": ";
    return before + shown(source, width.value_or(0) - ui.measure(FontRole::kBody, before).x);
  }
  const std::string& answer = now.example->answer_text;
  if (now.example->drawn.is_drawn()) {  // what is read stands before the sentence
    const std::string before = std::string(ui.tr(*what)) + " → ";
    return before + shown(answer, width.value_or(0) - ui.measure(FontRole::kBody, before).x);
  }
  const std::string around = fill(ui.tr(Text::story_example), {ui.tr(*what), "", ""});
  const float room = width.value_or(0) - ui.measure(FontRole::kBody, around).x;
  const float half = std::max(room - ui.measure(FontRole::kBody, source).x, room / 2);
  const std::string short_answer = shown(answer, half);
  return fill(ui.tr(Text::story_example),
              {ui.tr(*what), shown(source, room - ui.measure(FontRole::kBody, short_answer).x),
               short_answer});
}

// How far the run is.
std::string phase_sentence(const Ui& ui, const RunView& run) {
  const Snapshot& now = run.now();
  if (now.state == RunState::empty) return ui.tr(Text::phase_loading);
  const double exact = run.value_now("heldout_exact");
  const std::optional<SeriesPoint> exam = run.point_now("heldout_loss");
  if (now.state == RunState::solved && run.solved_at() > 0) {
    return fill(ui.tr(Text::phase_solved_in),
                {readable_number(static_cast<double>(run.solved_at()))});
  }
  if (exam && !std::isfinite(exact)) {  // numbers, or a language model
    if (now.vocabulary == 0) {
      return fill(ui.tr(Text::phase_error_share), {loss_text(run.value_now("heldout_metric")),
                                                   loss_text(run.value_now("heldout_baseline"))});
    }
    if (exam->step > 0) {
      return fill(ui.tr(Text::phase_perplexity),
                  {decimal(std::exp(std::min(exam->value, 12.0)), 1)});
    }
  }
  switch (run.phase()) {
    case Phase::guessing:
      return ui.tr(Text::phase_guessing);
    case Phase::noticing:
      return ui.tr(Text::phase_noticing);
    case Phase::finding:
      return ui.tr(Text::phase_finding);
    case Phase::getting_right:
      return fill(ui.tr(Text::phase_getting_right),
                  {std::to_string(static_cast<int>(std::floor(100 * exact)))});
    case Phase::solved:
      break;
  }
  return ui.tr(Text::phase_solved);
}

// What came of an experiment, or what is expected of it; empty when there is none. The lesson of it
// comes along where there is space for `lines` of them.
std::string experiment_sentence(const Ui& ui, const Story& story, float width, float lines) {
  const auto& begun = story.experiments.begun();
  if (!begun) return {};
  const auto word = [&](Expectation one) {
    constexpr Text kWords[] = {Text::expect_as_well, Text::expect_trouble, Text::expect_fails};
    return ui.tr(kWords[static_cast<std::size_t>(one)]);
  };
  const char *label = ui.tr(begun->thing.label), *expected = word(begun->expected);
  const auto outcome = story.experiments.outcome(story.run, story.diagnosis);
  if (!outcome) return fill(ui.tr(Text::experiment_running), {label, expected});
  const std::string said = fill(ui.tr(Text::experiment_over), {label, expected, word(*outcome)});
  const std::string all = said + " " + ui.tr(begun->thing.lesson);
  const float line = ui.measure(FontRole::kLabel, " ").y;
  return ui.measure(FontRole::kLabel, all, width).y <= (lines + 0.5f) * line ? all : said;
}

bool experiment_over(const Story& story) {
  return story.experiments.outcome(story.run, story.diagnosis).has_value();
}

// How far it is, what is the matter, or what is asked.
std::string phase_of(const Ui& ui, const Story& story) {
  if (const auto& asked = story.experiments.asked()) {
    return fill(ui.tr(Text::expect_what), {ui.tr(asked->label)});
  }
  const auto& [matter, sentence, values, remedy] = story.diagnosis;
  if (matter == Matter::nothing || matter == Matter::solved) return phase_sentence(ui, story.run);
  std::string said = fill(ui.tr(sentence), {values[0], values[1], values[2]});
  if (matter == Matter::plan_used_up) said += " · " + phase_sentence(ui, story.run);
  return said;
}

Colour phase_colour(const Ui& ui, const Story& story) {
  const Matter matter = story.diagnosis.matter;
  if (story.experiments.asked()) return ui.palette.text;
  if (matter == Matter::solved) return ui.palette.right;
  const bool plain = matter == Matter::nothing || matter == Matter::plan_used_up;
  return plain ? ui.palette.text : ui.palette.warning;
}

// The task, or the experiment that is made with it.
std::string task_of(const Ui& ui, const Story& story, std::optional<float> width) {
  const std::string experiment = experiment_sentence(ui, story, FLT_MAX, 1);
  return experiment.empty() ? task_sentence(ui, story.run, width) : experiment;
}

// Of the example as a drawing, so high, with the gap behind it; 0 where there is none.
float drawing_width(const Ui& ui, const Story& story, float high) {
  const std::optional<ShownExample>& example = story.run.now().example;
  if (!example || !example->drawn.is_drawn()) return 0;
  return high * (example->drawn.is_line() ? 3.0f : 1.0f) + ui.px(8);
}

// Returns that width.
float draw_drawing(Ui& ui, const Story& story, ImVec2 at, float high) {
  const float width = drawing_width(ui, story, high);
  if (width <= 0) return 0;
  const Rect rect{at, ImVec2(at.x + width - ui.px(8), at.y + high)};
  ui.mirror.place("story_drawing", rect);
  draw_depiction(ui, story.run.now().example->drawn, rect);
  return width;
}

void tell(Ui& ui, const Story& story) {
  const std::string task = task_of(ui, story, std::nullopt), phase = phase_of(ui, story);
  ui.mirror.readout(
      {"story", ui.tr(Text::setting_task), task.empty() ? phase : task + " · " + phase});
}

}  // namespace

float draw_story(Ui& ui, const Story& story, ImVec2 at, float width) {
  tell(ui, story);
  const std::string phase = phase_of(ui, story);
  const ImVec2 phase_size = ui.measure(FontRole::kBody, phase);
  const Colour colour = phase_colour(ui, story);
  const float drawing = draw_drawing(ui, story, at, ui.measure(FontRole::kBody, " ").y);
  at.x += drawing;
  width -= drawing;
  // Beside the phase where there is room for both, and else on two lines of its own or on one.
  const float beside = width - phase_size.x - ui.px(24);
  const bool wide = beside >= ui.px(600);
  std::string task = task_of(ui, story, wide ? beside : FLT_MAX);
  const ImVec2 task_size = ui.measure(FontRole::kBody, task);
  if (task_size.x <= beside) {
    ui.text(at, FontRole::kBody, ui.palette.muted, task);
    ui.text(ImVec2(at.x + width - phase_size.x, at.y), FontRole::kBody, colour, phase);
    return std::max(task_size.y, phase_size.y);
  }
  if (ui.measure(FontRole::kBody, task, width).y > 2.5f * phase_size.y) {
    task = ui.in_one_line(FontRole::kBody, task_of(ui, story, width), width);
  }
  const ImVec2 wrapped =
      ui.text(at, FontRole::kBody, ui.palette.muted, task, {.wrap_width = width});
  const ImVec2 second = ui.text(ImVec2(at.x, at.y + wrapped.y), FontRole::kBody, colour, phase,
                                {.wrap_width = width});
  return wrapped.y + second.y;
}

void draw_story_band(Ui& ui, const Story& story, Rect rect) {
  const std::string phase = phase_of(ui, story);
  const ImVec2 phase_size = ui.measure(FontRole::kBody, phase);
  const float drawing = drawing_width(ui, story, phase_size.y), middle = rect.height() / 2;
  const float beside = rect.width() - drawing - phase_size.x - ui.px(24);
  const bool over = experiment_over(story) && !story.experiments.asked();
  const std::string task = task_of(ui, story, beside);
  if (!over && ui.measure(FontRole::kBody, task).x <= beside && beside > ui.px(240)) {
    draw_story(ui, story, ImVec2(rect.min.x, rect.min.y + middle - phase_size.y / 2), rect.width());
    return;
  }
  tell(ui, story);
  const float line = ui.measure(FontRole::kLabel, " ").y;
  ImVec2 at(rect.min.x, rect.min.y + middle - line);
  if (over) {
    ui.text(at, FontRole::kLabel, ui.palette.text, experiment_sentence(ui, story, rect.width(), 2),
            {.wrap_width = rect.width()});
    return;
  }
  at.x += draw_drawing(ui, story, at, 2 * line);
  const float width = rect.max.x - at.x;
  ui.text(at, FontRole::kLabel, phase_colour(ui, story),
          ui.in_one_line(FontRole::kLabel, phase, width));
  ui.text(ImVec2(at.x, at.y + line), FontRole::kLabel, ui.palette.muted,
          ui.in_one_line(FontRole::kLabel, task_of(ui, story, std::nullopt), width));
}

Rect draw_story_end(Ui& ui, const Story& story, Rect rect) {
  tell(ui, story);
  const std::string phase = ui.in_one_line(FontRole::kBody, phase_of(ui, story), rect.width() / 2);
  const ImVec2 size = ui.measure(FontRole::kBody, phase);
  const float middle = (rect.min.y + rect.max.y) / 2, half = ui.px(12);
  ui.text(ImVec2(rect.max.x - size.x, middle - size.y / 2), FontRole::kBody,
          phase_colour(ui, story), phase);
  return {ImVec2(rect.min.x, middle - half),
          ImVec2(rect.max.x - size.x - ui.px(24), middle + half)};
}

void draw_story_above(Ui& ui, const Story& story, Rect rect) {
  tell(ui, story);
  const float width = rect.width();
  if (experiment_over(story) && !story.experiments.asked()) {
    ui.text(rect.min, FontRole::kLabel, ui.palette.text, experiment_sentence(ui, story, width, 3),
            {.wrap_width = width});
    return;
  }
  const ImVec2 phase = ui.text(rect.min, FontRole::kBody, phase_colour(ui, story),
                               phase_of(ui, story), {.wrap_width = width});
  const float left = rect.height() - phase.y, line = ui.measure(FontRole::kLabel, " ").y;
  if (left < line) return;
  ImVec2 at(rect.min.x, rect.min.y + phase.y);
  at.x += draw_drawing(ui, story, at, line);
  ui.text(at, FontRole::kLabel, ui.palette.muted,
          ui.in_one_line(FontRole::kLabel, task_of(ui, story, std::nullopt), rect.max.x - at.x));
}

}  // namespace tp::ui
