#pragma once

#include "imgui_app/draw/ui.h"
#include "imgui_app/model/experiments.h"

namespace tp::ui {

// What the story is told from.
struct Story {
  const RunView& run;
  const Diagnosis& diagnosis;
  const Experiments& experiments;
};

// What the task is, with an example, and how far it is or what is the matter: as much space as it
// needs. Returns the height used.
float draw_story(Ui& ui, const Story& story, ImVec2 at, float width);
// The same in a band of one height, beside what is offered: on one line, or on two small ones.
void draw_story_band(Ui& ui, const Story& story, Rect rect);
// In slow motion: how far it is, at the right end of the band. Returns the rest of it, for what
// stands in the place of the task.
Rect draw_story_end(Ui& ui, const Story& story, Rect rect);
// The same above what is offered: what is the matter, or what came of an experiment, comes first.
void draw_story_above(Ui& ui, const Story& story, Rect rect);

}  // namespace tp::ui
