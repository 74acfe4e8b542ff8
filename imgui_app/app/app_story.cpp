// The story with what it offers: the remedy of what is the matter, experiments, other tasks. Their
// space is there before they are, so that nothing moves when they come.

#include <algorithm>
#include <cmath>
#include <iterator>

#include "imgui_app/app/app.h"
#include "imgui_app/app/story_line.h"
#include "imgui_app/widgets/controls.h"

namespace tp::ui {
namespace {

constexpr float kBeside = 800;  // from this width on they stand beside the story

std::string label_of_next(const Ui& ui, const NextThing& next) {
  const std::optional<Text> task = text_named("choice_task_" + next.task);
  return fill(ui.tr(next.label), {task ? ui.tr(*task) : next.task.c_str()});
}

// Puts them in rows from `at` on and returns the height used.
float put_in_rows(const Ui& ui, std::vector<Action>& actions, ImVec2 at, float width) {
  const float gap = ui.px(8), height = control_height(ui);
  float x = at.x, y = at.y;
  for (Action& action : actions) {
    const float own = std::min(button_width(ui, action.label), width);
    if (x + own > at.x + width && x > at.x) x = at.x, y += height + gap;
    action.rect = {ImVec2(x, y), ImVec2(x + own, y + height)};
    x += own + gap;
  }
  return y + height - at.y;
}

}  // namespace

std::vector<Action> App::next_actions(const Ui& ui) const {
  std::vector<Action> actions;
  int number = 0;
  for (const NextThing& next : experiments_.offers(link_.editor().running())) {
    ++number;
    actions.push_back({.name = "next_" + std::to_string(number),
                       .label = label_of_next(ui, next),
                       .command = ui_command::Next{number}});
  }
  return actions;
}

// What there is to press now.
std::vector<Action> App::story_actions(const Ui& ui) const {
  std::vector<Action> actions;
  if (run().now().state == RunState::empty) return actions;
  if (experiments_.asked()) {
    int number = 0;
    for (const Text text : {Text::expect_as_well, Text::expect_trouble, Text::expect_fails}) {
      ++number;
      actions.push_back({.name = "predict_" + std::to_string(number),
                         .label = ui.tr(text),
                         .command = ui_command::Predict{number}});
    }
    return actions;
  }
  if (const std::optional<Remedy>& remedy = diagnosis_.remedy) {
    actions.push_back({.name = "remedy",
                       .label = fill(ui.tr(remedy->label), {remedy->value}),
                       .command = ui_command::Remedy{}});
  }
  const Matter matter = diagnosis_.matter;
  const bool never_solved = std::isnan(run().value_now("heldout_exact"));
  const bool ended = matter == Matter::solved || (matter == Matter::plan_used_up && never_solved) ||
                     experiments_.outcome(run(), diagnosis_);
  if (ended && !run().running()) std::ranges::move(next_actions(ui), std::back_inserter(actions));
  return actions;
}

float App::draw_story_line(Ui& ui, ImVec2 at, float width) {
  const Story story{run(), diagnosis_, experiments_};
  const float gap = ui.px(8), control = control_height(ui);
  const bool slow = settings.pace == Pace::k1;
  float used = 0;
  if (settings.embed) {  // every line counts there
    used = ui.px(4) + draw_story(ui, story, ImVec2(at.x, at.y + ui.px(4)), width);
    if (slow) {
      const ImVec2 low(at.x, at.y + used + ui.px(6));
      flow_.draw(ui, run(), {low, ImVec2(low.x + width, low.y + ui.px(24))});
      used += ui.px(30);
    }
  } else {
    std::vector<Action> actions = story_actions(ui);
    if (!actions.empty()) {
      stop_offering_tour();  // there is something else to do now
    } else if (offers_tour_ && !slow) {
      actions.push_back(
          {.name = "tour_offer", .label = ui.tr(Text::tour_title), .command = ui_command::Tour{1}});
    }
    if (width >= ui.px(kBeside)) {
      used = control;
      float right = at.x + width;
      for (auto action = actions.rbegin(); action != actions.rend(); ++action) {
        const float left = right - button_width(ui, action->label);
        action->rect = {ImVec2(left, at.y), ImVec2(right, at.y + control)};
        right = left - gap;
      }
      const float end = actions.empty() ? right : right - gap;
      const Rect band{at, ImVec2(end, at.y + control)};
      if (slow) {
        flow_.draw(ui, run(), draw_story_end(ui, story, band));
      } else {
        draw_story_band(ui, story, band);
      }
    } else {
      const ImVec2 top(at.x, at.y + ui.px(4));
      const float line = ui.measure(FontRole::kLabel, " ").y;
      const float words = std::max(3 * line, 2 * ui.measure(FontRole::kBody, " ").y) + ui.px(4);
      std::vector<Action> next = next_actions(ui);  // at most so much will be needed
      const float reserved = words + put_in_rows(ui, next, top, width);
      if (actions.empty()) {
        used = draw_story(ui, story, top, width);
        const float strip = ui.px(24);
        if (slow && used <= reserved - strip) {
          const ImVec2 low(top.x, top.y + reserved - strip);
          flow_.draw(ui, run(), {low, ImVec2(low.x + width, low.y + strip)});
        } else if (ui.phone && used < reserved - line) {
          ui.text(ImVec2(top.x, top.y + reserved - line), FontRole::kLabel, ui.palette.muted,
                  play_bar_.short_progress(ui, run()), {.max_width = width});
        }
      } else {
        draw_story_above(ui, story, {top, ImVec2(top.x + width, top.y + words)});
        used = words + put_in_rows(ui, actions, ImVec2(top.x, top.y + words), width);
      }
      used = std::max(used, reserved) + ui.px(8);
    }
    for (Action& action : actions) button(ui, std::move(action), ButtonLook::kFramed);
  }
  return used;
}

}  // namespace tp::ui
