#include "imgui_app/model/run_view.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

#include "engine/core/json.h"
#include "engine/core/number_text.h"
#include "engine/session/run_settings.h"
#include "engine/train/series_list.h"

namespace tp::ui {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// The series that points have a member for.
template <class Point>
struct Field {
  std::string_view name;
  double (*value)(const Point& point, const Snapshot& now);
};
constexpr Field<MetricPoint> kStepFields[] = {
    {"loss", [](const MetricPoint& p, const Snapshot&) { return p.loss; }},
    {"perplexity",
     [](const MetricPoint& p, const Snapshot& now) {
       return now.vocabulary > 0 ? std::exp(p.loss) : kNone;
     }},
    {"token_accuracy", [](const MetricPoint& p, const Snapshot&) { return p.token_accuracy; }},
    {"learning_rate", [](const MetricPoint& p, const Snapshot&) { return p.learning_rate; }},
    {"gradient_norm", [](const MetricPoint& p, const Snapshot&) { return p.gradient_norm; }},
    {"clipped", [](const MetricPoint& p, const Snapshot&) { return p.clipped ? 1.0 : 0.0; }},
    {"update_ratio", [](const MetricPoint& p, const Snapshot&) { return p.update_ratio; }},
};
constexpr Field<ExamPoint> kExamFields[] = {
    {"heldout_loss", [](const ExamPoint& e, const Snapshot&) { return e.loss; }},
    {"heldout_exact", [](const ExamPoint& e, const Snapshot&) { return e.exact; }},
    {"heldout_token_accuracy",
     [](const ExamPoint& e, const Snapshot&) { return e.token_accuracy; }},
    {"heldout_metric", [](const ExamPoint& e, const Snapshot&) { return e.metric; }},
    {"heldout_alignment", [](const ExamPoint& e, const Snapshot&) { return e.alignment; }},
    {"heldout_baseline", [](const ExamPoint& e, const Snapshot&) { return e.baseline; }},
    {"heldout_mean_alignment",
     [](const ExamPoint& e, const Snapshot&) { return e.mean_alignment; }},
};
template <class Point, std::size_t kCount>
const Field<Point>* find_field(const Field<Point> (&fields)[kCount], std::string_view name) {
  const auto found = std::ranges::find(fields, name, &Field<Point>::name);
  return found == std::end(fields) ? nullptr : found;
}

const Series* find_series(const std::vector<Series>& list, std::string_view name) {
  const auto found = std::ranges::find(list, name, &Series::name);
  return found == list.end() ? nullptr : &*found;
}

// Points of a moment that was gone back to are there already.
void append(std::vector<Series>& known, const std::vector<Series>& more) {
  for (const Series& news : more) {
    for (std::size_t i = 0; i < std::min(news.steps.size(), news.values.size()); ++i) {
      const Series* own = find_series(known, news.name);
      if (own && !own->steps.empty() && own->steps.back() >= news.steps[i]) continue;
      add_to_series(known, news.name, news.steps[i], news.values[i]);
    }
  }
  for (Series& own : known) {
    if (own.steps.size() <= kMostPoints) continue;
    std::size_t kept = 0;
    for (std::size_t i = (own.steps.size() - 1) % 2; i < own.steps.size(); i += 2, ++kept) {
      own.steps[kept] = own.steps[i];
      own.values[kept] = own.values[i];
    }
    own.steps.resize(kept);
    own.values.resize(kept);
  }
}

// Of one branch. Beyond, every second one goes, but never the newest.
template <class Point>
void append(std::vector<Point>& line, std::vector<Point> more) {
  for (Point& point : more) line.push_back(std::move(point));
  while (line.size() > kMostPoints) {
    std::size_t kept = 0;
    for (std::size_t i = (line.size() - 1) % 2; i < line.size(); i += 2) {
      if (kept != i) line[kept] = std::move(line[i]);
      ++kept;
    }
    line.resize(kept);
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

// The points of a branch and of those it grew from, each up to where the next one began.
template <class Point>
std::vector<Point> line_of(const std::vector<BranchCurves>& branches, std::int32_t id,
                           std::vector<Point> BranchCurves::*member) {
  std::vector<Point> line;
  std::uint64_t end = UINT64_MAX;
  while (id >= 0) {
    const auto found =
        std::ranges::find_if(branches, [&](const auto& b) { return b.branch.id == id; });
    if (found == branches.end()) break;
    const std::vector<Point>& points = (*found).*member;
    const auto last =
        std::ranges::find_if(points, [&](const Point& point) { return point.step > end; });
    line.insert(line.begin(), points.begin(), last);
    end = std::min(end, found->branch.first_step);
    // A parent is always older; anything else would go round in circles.
    id = found->branch.parent < id ? found->branch.parent : -1;
  }
  return line;
}

// The last one at or before a step.
template <class Point>
const Point* last_before(const std::vector<Point>& points, std::uint64_t step) {
  const auto after = std::ranges::upper_bound(points, step, {}, &Point::step);
  return after == points.begin() ? nullptr : &*(after - 1);
}

// The share of examples that are right by chance: one in as many as there are classes. Nobody
// guesses a whole sequence.
double chance(const Snapshot& now) {
  return answers_with_a_class(now.task) && now.vocabulary > 0 ? 1.0 / now.vocabulary : 0;
}
// And so much more is no chance.
constexpr double kMoreThanChance = 0.1;

}  // namespace

void RunView::take(Snapshot snapshot) {
  const bool is_new = runs_.empty() || snapshot.run != now_.run;
  if (is_new) {
    RunCurves run{.run = snapshot.run, .task = snapshot.task, .config = snapshot.config};
    std::erase_if(runs_, [](const RunCurves& old) {  // a run of which nothing was seen
      return std::ranges::all_of(old.branches, [](const auto& b) { return b.points.empty(); });
    });
    if (!runs_.empty()) run.differences = differences(runs_.back().config, run.config);
    runs_.push_back(std::move(run));
    if (runs_.size() > kMostRuns) runs_.erase(runs_.begin());
    solved_at_ = 0;
  }
  if (!snapshot.config.empty()) newest().config = snapshot.config;
  const bool new_maps =
      is_new || !snapshot.tensors.empty() || !snapshot.stills.empty() || snapshot.example;
  if (is_new || !snapshot.points.empty() || !snapshot.exams.empty() || !snapshot.series.empty() ||
      !snapshot.events.empty() || snapshot.branches.size() != newest().branches.size()) {
    ++curves_version_;
  }
  merge(now_, std::move(snapshot));
  if (new_maps) {
    attention_ = attention_layers(now_);
    ++maps_version_;
  }
  BranchCurves& curves = curves_of(now_.moment.branch);
  append(curves.points, std::exchange(now_.points, {}));
  append(curves.exams, std::exchange(now_.exams, {}));
  append(curves.series, std::exchange(now_.series, {}));
  append(curves.events, std::exchange(now_.events, {}));
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

std::vector<MetricPoint> RunView::line() const {
  if (runs_.empty()) return {};
  return line_of(runs_.back().branches, now_.moment.branch, &BranchCurves::points);
}
std::vector<ExamPoint> RunView::exam_line() const {
  if (runs_.empty()) return {};
  return line_of(runs_.back().branches, now_.moment.branch, &BranchCurves::exams);
}

// The newest at the moment shown, of its branch or of those it grew from.
template <class Point>
const Point* RunView::newest_at_moment(std::vector<Point> BranchCurves::*member) const {
  std::uint64_t step = now_.moment.step;
  for (const BranchCurves* b = branch(now_.moment.branch); b != nullptr;) {
    if (const Point* point = last_before(b->*member, step)) return point;
    step = std::min(step, b->branch.first_step);
    b = b->branch.parent < b->branch.id ? branch(b->branch.parent) : nullptr;
  }
  return nullptr;
}
const MetricPoint* RunView::point_now() const { return newest_at_moment(&BranchCurves::points); }
const ExamPoint* RunView::exam_now() const { return newest_at_moment(&BranchCurves::exams); }

Phase RunView::phase() const {
  const MetricPoint* point = point_now();
  const ExamPoint* exam = exam_now();
  if (now_.state == RunState::solved || (exam && exam->exact >= kSolved)) return Phase::solved;
  if (exam && exam->exact >= chance(now_) + kMoreThanChance) return Phase::getting_right;
  if (exam && exam->mean_alignment > 0.3) return Phase::finding;
  if (!point) return Phase::guessing;
  // Without a vocabulary, guessing is what takes no learning.
  if (now_.vocabulary < 2) {
    const bool better = exam && exam->metric < exam->baseline;
    return better ? Phase::noticing : Phase::guessing;
  }
  return point->loss > 0.9 * std::log(now_.vocabulary) ? Phase::guessing : Phase::noticing;
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
  std::vector<std::string> named;  // those that are no MetricPoint's or ExamPoint's
  bool points = false, exams = false;
  for_each_ancestor([&](const BranchCurves& curves, std::uint64_t) {
    points |= !curves.points.empty();
    exams |= !curves.exams.empty();
    for (const Series& line : curves.series) {
      if (std::ranges::find(named, line.name) == named.end()) named.push_back(line.name);
    }
  });
  std::vector<std::string> names;
  for (const SeriesInfo& info : all_series()) {
    const bool has = find_field(kStepFields, info.name) ? points : exams;
    if (find_field(kStepFields, info.name) || find_field(kExamFields, info.name)) {
      if (has) names.emplace_back(info.name);
      continue;
    }
    for (const std::string& name : named) {
      if (series_info(name) == &info) names.push_back(name);
    }
  }
  return names;
}

std::vector<SeriesPoint> RunView::line(std::string_view name) const {
  std::vector<std::vector<SeriesPoint>> parts;  // the newest branch first
  for_each_ancestor([&](const BranchCurves& curves, std::uint64_t end) {
    std::vector<SeriesPoint>& part = parts.emplace_back();
    const auto add = [&](std::uint64_t step, double value) {
      if (step <= end && !std::isnan(value)) part.push_back({step, value});
    };
    if (const auto* field = find_field(kStepFields, name)) {
      for (const MetricPoint& point : curves.points) add(point.step, field->value(point, now_));
    } else if (const auto* exam_field = find_field(kExamFields, name)) {
      for (const ExamPoint& exam : curves.exams) add(exam.step, exam_field->value(exam, now_));
    } else if (const Series* own = find_series(curves.series, name)) {
      for (std::size_t i = 0; i < own->steps.size(); ++i) add(own->steps[i], own->values[i]);
    }
  });
  std::vector<SeriesPoint> points;
  for (std::size_t i = parts.size(); i-- > 0;) {
    points.insert(points.end(), parts[i].begin(), parts[i].end());
  }
  return points;
}

double RunView::value_now(std::string_view name) const {
  if (const auto* field = find_field(kStepFields, name)) {
    const MetricPoint* point = point_now();
    return point ? field->value(*point, now_) : kNone;
  }
  if (const auto* field = find_field(kExamFields, name)) {
    const ExamPoint* exam = exam_now();
    return exam ? field->value(*exam, now_) : kNone;
  }
  double value = kNone;
  for_each_ancestor([&](const BranchCurves& curves, std::uint64_t end) {
    const Series* own = std::isnan(value) ? find_series(curves.series, name) : nullptr;
    if (own == nullptr) return;
    const auto after =
        std::ranges::upper_bound(own->steps, std::min(end, now_.moment.step)) - own->steps.begin();
    if (after > 0) value = own->values[static_cast<std::size_t>(after) - 1];
  });
  return value;
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
