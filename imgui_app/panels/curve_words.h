#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "imgui_app/draw/ui.h"
#include "imgui_app/model/curve_line.h"

// What the curves say in words.

namespace tp::ui {

std::string_view curve_title(const Ui& ui, CurveKind kind, CurveGoal goal);
// With as many digits as make sense for its kind, always the same number of them; "—" for none.
std::string curve_number(CurveKind kind, CurveGoal goal, double value);

std::string mark_sentence(const Ui& ui, const CurveMark& mark);
std::string mark_words(const Ui& ui, const CurveMark& mark);  // two or three of them

// What the loss is without any knowledge: "guessing (ln 29)".
std::string guessing_words(const Ui& ui, std::int32_t vocabulary);

// "Step 120: loss 0.432, held-out accuracy 71.0%, ..."
std::string step_sentence(const Ui& ui, const CurveLine& line, CurveGoal goal, std::uint64_t step,
                          std::span<const CurveKind> kinds);

// What stands at the end of a line behind the one shown: "run 2", or "branch 1" of the same run.
std::string ghost_name(const Ui& ui, std::uint32_t run, std::int32_t branch);

// One line for each run of the same measure, with what differs from the one before, and one for
// each branch of the run shown. Empty where there is one of each.
struct RunLine {
  std::uint32_t run = 0;
  std::string words;
};
std::vector<RunLine> run_lines(const Ui& ui, const RunView& run);

// "history 12 of 96 MB", or nothing.
std::string history_words(const Ui& ui, const Snapshot& now);

}  // namespace tp::ui
