#include "imgui_app/model/run_view.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

#include "engine/core/json.h"
#include "engine/core/number_text.h"
#include "engine/core/small_sort.h"
#include "engine/session/run_settings.h"
#include "engine/train/series_list.h"

namespace tp::ui {
namespace {

// Beyond, every second one goes, but never the newest.
template <class Point>
void thin(std::vector<Point>& line) {
  while (line.size() > kMostPoints) {
    std::size_t kept = 0;
    for (std::size_t i = (line.size() - 1) % 2; i < line.size(); i += 2, ++kept) {
      if (kept != i) line[kept] = std::move(line[i]);
    }
    line.resize(kept);
  }
}

void append(BranchCurves& curves, const std::vector<std::string>& names, const SeriesRows& rows) {
  const std::size_t columns = rows.series.size();
  if (rows.values.size() != rows.steps.size() * columns) return;
  for (std::size_t c = 0; c < columns; ++c) {
    if (rows.series[c] >= names.size()) continue;
    std::vector<SeriesPoint>& line = curves.series[names[rows.series[c]]];
    for (std::size_t r = 0; r < rows.steps.size(); ++r) {
      // Points of a moment that was gone back to are there already.
      if (!line.empty() && line.back().step >= rows.steps[r]) continue;
      line.push_back({rows.steps[r], rows.values[r * columns + c]});
    }
    thin(line);
  }
}

std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

void list_differences(const Json& before, const Json& after, std::vector<std::string>& list) {
  if (!before.is_object() || !after.is_object()) return;
  for (const auto& [name, value] : after.items()) {
    const auto old = before.find(name);
    if (old == before.end()) continue;
    if (value.is_object()) {
      list_differences(*old, value, list);
    } else if (*old != value) {
      list.push_back(name + " " + text_of(*old) + " → " + text_of(value));
    }
  }
}

std::vector<std::string> differences(const std::string& before, const std::string& after) {
  std::vector<std::string> list;
  list_differences(parse_json(before), parse_json(after), list);
  return list;
}

// The task, and what else decides what its numbers count: a loss is per token or per predicted day.
void add_measure(const Json& config, std::string& measure) {
  if (!config.is_object()) return;
  for (const auto& [name, value] : config.items()) {
    if (value.is_object()) {
      add_measure(value, measure);
    } else if (name == "tokens" || name == "vocabulary" || name == "vocabulary_size" ||
               name == "horizon") {
      measure += " " + name + " " + text_of(value);
    }
  }
}

std::string measure_of(const std::string& task, const std::string& config) {
  std::string measure = task;
  add_measure(parse_json(config), measure);
  return measure;
}

// The share of examples that are right by chance: one in as many as there are classes. A
// whole sequence is never guessed.
double chance(const Snapshot& now) {
  return answers_with_a_class(now.task) && now.vocabulary > 0 ? 1.0 / now.vocabulary : 0;
}
// And so much more is no chance.
constexpr double kMoreThanChance = 0.1;

}  // namespace

const std::vector<SeriesPoint>& BranchCurves::line(std::string_view name) const {
  static const std::vector<SeriesPoint> none;
  const auto found = series.find(name);
  return found == series.end() ? none : found->second;
}

void RunView::take(Snapshot snapshot) {
  const bool is_new = runs_.empty() || snapshot.run != now_.run;
  if (is_new) {
    RunCurves run{.run = snapshot.run, .task = snapshot.task, .config = snapshot.config};
    std::erase_if(runs_, [](const RunCurves& old) {  // a run of which nothing was seen
      return std::ranges::all_of(old.branches,
                                 [](const auto& b) { return b.line("loss").empty(); });
    });
    run.measure = measure_of(run.task, run.config);
    const auto before = std::find_if(runs_.rbegin(), runs_.rend(), [&](const RunCurves& old) {
      return old.measure == run.measure;
    });
    if (before != runs_.rend()) run.differences = differences(before->config, run.config);
    runs_.push_back(std::move(run));
    if (runs_.size() > kMostRuns) runs_.erase(runs_.begin());
    solved_at_ = 0;
  }
  if (!snapshot.config.empty()) {
    newest().config = snapshot.config;
    newest().measure = measure_of(newest().task, newest().config);
  }
  const bool new_maps =
      is_new || !snapshot.tensors.empty() || !snapshot.stills.empty() || snapshot.example;
  if (is_new || !snapshot.series.empty() || !snapshot.events.empty() ||
      snapshot.branches.size() != newest().branches.size()) {
    ++curves_version_;
  }
  merge(now_, std::move(snapshot));
  if (new_maps) {
    attention_ = attention_layers(now_);
    ++maps_version_;
  }
  BranchCurves& curves = curves_of(now_.moment.branch);
  for (const SeriesRows& rows : std::exchange(now_.series, {})) {
    append(curves, now_.series_names, rows);
  }
  std::ranges::move(std::exchange(now_.events, {}), std::back_inserter(curves.events));
  thin(curves.events);
  for (const Branch& branch : now_.branches) curves_of(branch.id).branch = branch;
  flops_per_second_ = std::max(flops_per_second_, now_.flops * now_.steps_per_second);
  if (now_.state == RunState::solved && solved_at_ == 0) solved_at_ = now_.moment.step;
}

BranchCurves& RunView::curves_of(std::int32_t id) {
  for (BranchCurves& curves : newest().branches) {
    if (curves.branch.id == id) return curves;
  }
  newest().branches.push_back({.branch = {.id = id}});
  return newest().branches.back();
}

const BranchCurves* RunView::branch(std::int32_t id) const {
  if (runs_.empty()) return nullptr;
  for (const BranchCurves& curves : runs_.back().branches) {
    if (curves.branch.id == id) return &curves;
  }
  return nullptr;
}

void RunView::forget_ghosts() {
  if (runs_.size() < 2) return;
  runs_.erase(runs_.begin(), runs_.end() - 1);
  ++curves_version_;
}

Phase RunView::phase() const {
  const double exact = value_now("heldout_exact");
  if (now_.state == RunState::solved || exact >= kSolved) return Phase::solved;
  if (exact >= chance(now_) + kMoreThanChance) return Phase::getting_right;
  if (value_now("heldout_mean_alignment") > 0.3) return Phase::finding;
  const std::optional<SeriesPoint> loss = point_now("loss");
  if (!loss) return Phase::guessing;
  // Without a vocabulary, guessing is what takes no learning.
  if (now_.vocabulary < 2) {
    const bool better = value_now("heldout_metric") < value_now("heldout_baseline");
    return better ? Phase::noticing : Phase::guessing;
  }
  return loss->value > 0.9 * std::log(now_.vocabulary) ? Phase::guessing : Phase::noticing;
}

// ------------------------------------------------------------------------------------------ series

template <class Visit>
void RunView::for_each_ancestor(Visit visit) const {
  std::uint64_t end = std::numeric_limits<std::uint64_t>::max();
  for (const BranchCurves* b = branch(now_.moment.branch); b != nullptr;) {
    visit(*b, end);
    end = std::min(end, b->branch.first_step);
    b = b->branch.parent < b->branch.id ? branch(b->branch.parent) : nullptr;
  }
}

std::vector<std::string> RunView::series() const {
  std::vector<std::pair<const SeriesInfo*, std::string>> known;
  for (const std::string& name : now_.series_names) {
    bool there = false;
    for_each_ancestor([&](const BranchCurves& curves, std::uint64_t end) {
      const std::vector<SeriesPoint>& own = curves.line(name);
      there |= !own.empty() && own.front().step <= end;
    });
    const SeriesInfo* info = there ? series_info(name) : nullptr;
    if (info != nullptr) known.emplace_back(info, name);
  }
  small_sort(known, [](const auto& one) { return one.first; });
  std::vector<std::string> names;
  for (auto& [info, name] : known) names.push_back(std::move(name));
  return names;
}

std::vector<SeriesPoint> RunView::line(std::string_view name) const {
  std::vector<SeriesPoint> points;
  for_each_ancestor([&](const BranchCurves& curves, std::uint64_t end) {
    const std::vector<SeriesPoint>& own = curves.line(name);
    points.insert(points.begin(), own.begin(),
                  std::ranges::upper_bound(own, end, {}, &SeriesPoint::step));
  });
  std::erase_if(points, [](const SeriesPoint& point) { return std::isnan(point.value); });
  return points;
}

std::optional<SeriesPoint> RunView::point_now(std::string_view name) const {
  std::optional<SeriesPoint> newest;
  for_each_ancestor([&](const BranchCurves& curves, std::uint64_t end) {
    if (newest) return;
    const std::vector<SeriesPoint>& own = curves.line(name);
    const auto after =
        std::ranges::upper_bound(own, std::min(end, now_.moment.step), {}, &SeriesPoint::step);
    if (after != own.begin()) newest = *(after - 1);
  });
  return newest;
}

double RunView::value_now(std::string_view name) const {
  const std::optional<SeriesPoint> point = point_now(name);
  return point ? point->value : std::numeric_limits<double>::quiet_NaN();
}

std::string RunView::csv() const {
  const std::vector<std::string> measured = series();
  std::string text = "step";
  std::vector<std::vector<SeriesPoint>> columns;
  const auto add_column = [&](const std::string& name) {
    text += "," + name;
    columns.push_back(line(name));
  };
  for (const SeriesInfo& info : all_series()) {
    if (!info.name.ends_with('.')) {
      add_column(std::string(info.name));
      continue;
    }
    for (const std::string& name : measured) {
      if (series_info(name) == &info) add_column(name);
    }
  }
  text += '\n';
  // A row for every step of which there is a number: before the first step there is an exam alone,
  // and of a long run some points are gone.
  std::set<std::uint64_t> steps;
  for (const auto& column : columns) {
    for (const SeriesPoint& point : column) steps.insert(point.step);
  }
  std::vector<std::size_t> next(columns.size(), 0);
  for (const std::uint64_t step : steps) {
    text += std::to_string(step);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      text += ',';
      std::size_t& i = next[c];
      if (i >= columns[c].size() || columns[c][i].step != step) continue;
      const double value = columns[c][i++].value;
      if (std::isfinite(value)) text += short_text(value);  // empty where there is none
    }
    text += '\n';
  }
  return text;
}

}  // namespace tp::ui
