#include "imgui_app/model/run_view.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/core/json.h"
#include "engine/core/number_text.h"
#include "engine/session/run_settings.h"

namespace tp::ui {
namespace {

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
  if (is_new || !snapshot.points.empty() || !snapshot.exams.empty() || !snapshot.events.empty() ||
      snapshot.branches.size() != newest().branches.size()) {
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

std::string RunView::csv() const {
  std::string text =
      "step,loss,perplexity,token_accuracy,learning_rate,gradient_norm,tokens_per_second,"
      "heldout_loss,heldout_exact,heldout_token_accuracy,heldout_metric,heldout_alignment,clipped,"
      "update_ratio\n";
  const auto put = [&](double value) {
    text += ',';
    if (std::isfinite(value)) text += short_text(value);  // empty where there is none
  };
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const std::vector<MetricPoint> points = line();
  const std::vector<ExamPoint> exams = exam_line();
  // A row for every step of which there is a number: before the first step there is an exam alone,
  // and of a long run some points are gone.
  for (std::size_t p = 0, e = 0; p < points.size() || e < exams.size();) {
    const std::uint64_t step = std::min(p < points.size() ? points[p].step : UINT64_MAX,
                                        e < exams.size() ? exams[e].step : UINT64_MAX);
    const MetricPoint* point = p < points.size() && points[p].step == step ? &points[p++] : nullptr;
    const ExamPoint* exam = e < exams.size() && exams[e].step == step ? &exams[e++] : nullptr;
    text += std::to_string(step);
    put(point ? point->loss : kNone);
    put(point && now_.vocabulary > 0 ? std::exp(point->loss) : kNone);
    put(point ? point->token_accuracy : kNone);
    put(point ? point->learning_rate : kNone);
    put(point ? point->gradient_norm : kNone);
    put(kNone);
    put(exam ? exam->loss : kNone);
    put(exam ? exam->exact : kNone);
    put(exam ? exam->token_accuracy : kNone);
    put(exam ? exam->metric : kNone);
    put(exam ? exam->alignment : kNone);
    put(point ? (point->clipped ? 1 : 0) : kNone);
    put(point ? point->update_ratio : kNone);
    text += '\n';
  }
  return text;
}

}  // namespace tp::ui
