#include "imgui_app/panels/curve_words.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>

#include "engine/core/number_text.h"
#include "imgui_app/widgets/controls.h"

namespace tp::ui {
namespace {

std::string formatted(const char* format, double value) {
  char digits[40];
  // NOLINTNEXTLINE(clang-diagnostic-format-nonliteral): one of the literals below
  std::snprintf(digits, sizeof digits, format, value);
  return digits;
}

// The label of a setting of the run, where there is one.
std::string setting_label(const Ui& ui, const std::string& name) {
  const std::optional<Text> label = text_named("setting_" + name);
  return label ? ui.tr(*label) : name;
}

// "learning_rate 0.002 → 0.001" with the setting's label for its name.
std::string difference_words(const Ui& ui, const std::string& difference) {
  const std::size_t end = std::min(difference.find(' '), difference.size());
  return setting_label(ui, difference.substr(0, end)) + difference.substr(end);
}

// Without the capital of a heading.
std::string within_sentence(std::string words) {
  if (!words.empty() && words[0] >= 'A' && words[0] <= 'Z') words[0] += 'a' - 'A';
  return words;
}

}  // namespace

std::string_view curve_title(const Ui& ui, CurveKind kind, CurveGoal goal) {
  return title_of(info_of(kind, goal), ui.language);
}

std::string curve_number(CurveKind kind, CurveGoal goal, double value) {
  if (!std::isfinite(value)) return "—";
  if (is_share(kind, goal)) return percent_text(value);
  const double size = std::abs(value);
  if (size >= 1e5) return formatted("%.1e", value);
  if (kind == CurveKind::kLearningRate || kind == CurveKind::kUpdateRatio) {
    return size != 0 && size < 1e-4 ? formatted("%.1e", value) : formatted("%.5f", value);
  }
  return formatted(size < 10 ? "%.3f" : size < 100 ? "%.2f" : "%.1f", value);
}

std::string mark_sentence(const Ui& ui, const CurveMark& mark) {
  const std::string step = readable_number(static_cast<double>(mark.step));
  if (mark.event == nullptr) return fill(ui.tr(Text::event_on_target), {step});
  const CurveEvent& event = *mark.event;
  switch (event.kind) {
    case EventKind::setting_changed:
      return fill(ui.tr(Text::event_setting),
                  {step, setting_label(ui, event.name), event.before, event.after});
    case EventKind::rewound:
      return fill(ui.tr(Text::event_rewound), {step});
    case EventKind::loaded:
      return fill(ui.tr(Text::event_loaded), {step});
    case EventKind::stopped:
      return fill(ui.tr(event.name == "solved"     ? Text::event_solved
                        : event.name == "finished" ? Text::event_finished
                        : event.name == "failed"   ? Text::event_failed
                                                   : Text::event_stopped),
                  {step});
  }
  return {};
}

std::string mark_words(const Ui& ui, const CurveMark& mark) {
  if (mark.event == nullptr) return ui.tr(Text::mark_on_target);
  const CurveEvent& event = *mark.event;
  switch (event.kind) {
    case EventKind::setting_changed:
      return setting_label(ui, event.name) + " " + event.after;
    case EventKind::rewound:
      return ui.tr(Text::mark_rewound);
    case EventKind::loaded:
      return ui.tr(Text::mark_loaded);
    case EventKind::stopped:
      return ui.tr(event.name == "solved"     ? Text::curve_solved
                   : event.name == "finished" ? Text::mark_finished
                                              : Text::mark_stopped);
  }
  return {};
}

std::string guessing_words(const Ui& ui, std::int32_t vocabulary) {
  return fill(ui.tr(Text::curve_guessing), {std::to_string(vocabulary)});
}

std::string step_sentence(const Ui& ui, const CurveLine& line, CurveGoal goal, std::uint64_t step,
                          std::span<const CurveKind> kinds) {
  std::string values;
  for (const CurveKind kind : kinds) {
    for (const CurveOf of : {CurveOf::kTrain, CurveOf::kHeldout}) {
      const auto point = value_at(line, kind, goal, of, step);
      if (!point || !std::isfinite(point->y)) continue;
      const SeriesInfo& info = *series_info(series_of(kind, goal, of));
      values +=
          (values.empty() ? "" : ", ") +
          fill(ui.tr(Text::curve_value), {within_sentence(std::string(title_of(info, ui.language))),
                                          curve_number(kind, goal, point->y)});
    }
  }
  return fill(ui.tr(Text::curve_step_values),
              {readable_number(static_cast<double>(step)), values.empty() ? "—" : values});
}

std::string ghost_name(const Ui& ui, std::uint32_t run, std::int32_t branch) {
  return branch < 0 ? fill(ui.tr(Text::curve_run), {std::to_string(run)})
                    : fill(ui.tr(Text::curve_branch), {std::to_string(branch + 1)});
}

std::vector<RunLine> run_lines(const Ui& ui, const RunView& run) {
  std::vector<RunLine> lines;
  const std::vector<RunCurves>& runs = run.runs();
  if (runs.empty()) return lines;
  const RunCurves& newest = runs.back();
  const auto alike = [&](const RunCurves& one) { return one.measure == newest.measure; };
  for (const RunCurves& one : runs) {
    if (!alike(one)) continue;
    std::string words;
    for (const std::string& difference : one.differences) {
      words += (words.empty() ? "" : ", ") + difference_words(ui, difference);
    }
    if (words.empty()) words = ui.tr(lines.empty() ? Text::run_first : Text::run_same);
    lines.push_back({one.run, fill(ui.tr(&one == &newest ? Text::run_shown : Text::run_earlier),
                                   {std::to_string(one.run), words})});
  }
  if (lines.size() < 2) lines.clear();
  if (newest.branches.size() < 2) return lines;
  std::vector<RunLine> all;  // the runs come last: the list is read from its end
  for (const BranchCurves& one : newest.branches) {
    all.push_back(
        {newest.run, fill(ui.tr(one.branch.id == run.now().moment.branch ? Text::branch_shown
                                                                         : Text::branch_other),
                          {std::to_string(one.branch.id + 1),
                           readable_number(static_cast<double>(one.branch.first_step))})});
  }
  std::ranges::move(lines, std::back_inserter(all));
  return all;
}

std::string history_words(const Ui& ui, const Snapshot& now) {
  if (now.history_limit == 0) return {};
  return fill(ui.tr(Text::curves_history), {std::to_string(megabytes(now.history_bytes)),
                                            std::to_string(megabytes(now.history_limit))});
}

}  // namespace tp::ui
