#include "imgui_app/run_view.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

namespace tp {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostPoints = 20'000;  // of one branch; beyond, every second one goes

template <class Point>
void append(std::vector<Point>& line, std::vector<Point> more) {
  for (Point& point : more) line.push_back(std::move(point));
  if (line.size() < kMostPoints) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < line.size(); i += 2) line[kept++] = std::move(line[i]);
  line.resize(kept);
}

// Where the newer snapshot says nothing, what was known stays.
template <class T>
void keep_if_empty(T& now, T& before) {
  if (now.empty()) now = std::move(before);
}
template <class T>
void keep_if_empty(std::optional<T>& now, std::optional<T>& before) {
  if (!now) now = std::move(before);
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
  list_differences(Json::parse(before, nullptr, false), Json::parse(after, nullptr, false), list);
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
    end = found->branch.first_step;
    id = found->branch.parent;
  }
  return line;
}

// The last one at or before a step.
template <class Point>
const Point* last_before(const std::vector<Point>& points, std::uint64_t step) {
  const auto after = std::ranges::upper_bound(points, step, {}, &Point::step);
  return after == points.begin() ? nullptr : &*(after - 1);
}

}  // namespace

void RunView::take(Snapshot snapshot) {
  const bool is_new = runs_.empty() || snapshot.run != now_.run;
  if (is_new) {
    RunCurves run{.run = snapshot.run, .task = snapshot.task, .config = snapshot.config};
    if (!runs_.empty()) run.differences = differences(runs_.back().config, run.config);
    std::erase_if(runs_, [](const RunCurves& old) {  // a run of which nothing was seen
      return std::ranges::all_of(old.branches, [](const auto& b) { return b.points.empty(); });
    });
    runs_.push_back(std::move(run));
    if (runs_.size() > kMostRuns) runs_.erase(runs_.begin());
    solved_at_ = 0;
    now_.stills.clear();
    now_.example.reset();
    now_.attention.clear();
    now_.positions.clear();
    now_.samples.clear();
    now_.tried.reset();
  } else {
    keep_if_empty(snapshot.config, now_.config);
    keep_if_empty(snapshot.task, now_.task);
    keep_if_empty(snapshot.known_words, now_.known_words);
    if (snapshot.vocabulary == 0) snapshot.vocabulary = now_.vocabulary;
    if (snapshot.parameters == 0) snapshot.parameters = now_.parameters;
    if (snapshot.bytes == 0) snapshot.bytes = now_.bytes;
    if (snapshot.flops == 0) snapshot.flops = now_.flops;
  }
  if (!snapshot.config.empty()) newest().config = snapshot.config;
  if (!snapshot.attention.empty() || !snapshot.stills.empty() || snapshot.example) ++maps_version_;
  keep_if_empty(snapshot.example, now_.example);
  keep_if_empty(snapshot.attention, now_.attention);
  keep_if_empty(snapshot.stills, now_.stills);
  keep_if_empty(snapshot.positions, now_.positions);
  keep_if_empty(snapshot.samples, now_.samples);
  keep_if_empty(snapshot.tried, now_.tried);
  keep_if_empty(snapshot.estimate, now_.estimate);

  BranchCurves& curves = curves_of(snapshot.moment.branch);
  append(curves.points, std::move(snapshot.points));
  append(curves.exams, std::move(snapshot.exams));
  append(curves.events, std::move(snapshot.events));
  for (const Branch& branch : snapshot.branches) curves_of(branch.id).branch = branch;
  now_ = std::move(snapshot);
  now_.points.clear(), now_.exams.clear(), now_.events.clear();
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
  if (runs_.size() > 1) runs_.erase(runs_.begin(), runs_.end() - 1);
}

std::vector<MetricPoint> RunView::line() const {
  if (runs_.empty()) return {};
  return line_of(runs_.back().branches, now_.moment.branch, &BranchCurves::points);
}
std::vector<ExamPoint> RunView::exam_line() const {
  if (runs_.empty()) return {};
  return line_of(runs_.back().branches, now_.moment.branch, &BranchCurves::exams);
}

const MetricPoint* RunView::point_now() const {
  for (const BranchCurves* b = branch(now_.moment.branch); b; b = branch(b->branch.parent)) {
    if (const MetricPoint* point = last_before(b->points, now_.moment.step)) return point;
  }
  return nullptr;
}
const ExamPoint* RunView::exam_now() const {
  for (const BranchCurves* b = branch(now_.moment.branch); b; b = branch(b->branch.parent)) {
    if (const ExamPoint* exam = last_before(b->exams, now_.moment.step)) return exam;
  }
  return nullptr;
}

Phase RunView::phase() const {
  const MetricPoint* point = point_now();
  const ExamPoint* exam = exam_now();
  if (now_.state == RunState::solved || (exam && exam->exact >= kSolved)) return Phase::solved;
  if (exam && exam->exact >= 0.1) return Phase::getting_right;
  if (exam && exam->mean_alignment > 0.3) return Phase::finding;
  const double guess = now_.vocabulary > 1 ? std::log(now_.vocabulary) : 0;
  if (!point || point->loss > 0.9 * guess) return Phase::guessing;
  return Phase::noticing;
}

std::string RunView::csv() const {
  std::string text =
      "step,loss,perplexity,token_accuracy,learning_rate,gradient_norm,tokens_per_second,"
      "heldout_loss,heldout_exact,alignment,update_ratio\n";
  const auto put = [&](double value) {
    char digits[40];
    text += ',';
    if (!std::isfinite(value)) return;  // empty where there is none
    text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  };
  const std::vector<ExamPoint> exams = exam_line();
  std::size_t exam = 0;
  for (const MetricPoint& point : line()) {
    while (exam < exams.size() && exams[exam].step < point.step) ++exam;
    const bool examined = exam < exams.size() && exams[exam].step == point.step;
    const double none = std::nan("");
    text += std::to_string(point.step);
    put(point.loss);
    put(now_.vocabulary > 0 ? std::exp(point.loss) : none);
    put(point.token_accuracy);
    put(point.learning_rate);
    put(point.gradient_norm);
    put(none);
    put(examined ? exams[exam].loss : none);
    put(examined ? exams[exam].exact : none);
    put(examined ? exams[exam].alignment : none);
    put(point.update_ratio);
    text += '\n';
  }
  return text;
}

}  // namespace tp
