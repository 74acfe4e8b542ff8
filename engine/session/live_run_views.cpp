#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "engine/core/small_sort.h"
#include "engine/session/live_run.h"
#include "engine/session/shown_answer.h"

// What is looked at of a run: watched tensors, and the stills of early steps.

namespace tp {

bool LiveRun::look_due() const {
  return std::ranges::any_of(views_,
                             [](const auto& view) { return view->needs_look() && !view->fresh(); });
}

void LiveRun::advance_look() {
  if (stills_to_retake_ > 0) return retake_still();
  const RoundedWeights working = trainer_->working_weights();
  for (const auto& view : views_) {
    const bool wanted = view->needs_look() || (still_due_ && view == views_.front());
    if (!wanted || view->fresh()) continue;
    if (!view->advance_look(*trainer_, look_is_short_)) return;
    break;
  }
  if (still_due_ && views_.front()->fresh()) take_still();
}

void LiveRun::begin_explaining() {
  difference_.reset();
  views_.front()->begin_explaining();
}

std::optional<Explained> LiveRun::advance_explaining(const Explain& wanted) {
  if (difference_ != nullptr) {
    if (!difference_->advance()) return std::nullopt;
    explained_.explanation.finite_difference = difference_->value();
    difference_.reset();
    return explained_;
  }
  const RoundedWeights working = trainer_->working_weights();
  ExampleView& view = *views_.front();
  // A snapshot in between may have brought the look to its end.
  if (!view.fresh() && !view.advance_look(*trainer_, look_is_short_)) return std::nullopt;
  explained_ = {.moment = moment_, .example = example().index};
  Result<Explanation> made =
      view.explained(trainer_->model(), {wanted.path, wanted.row, wanted.column});
  if (!made) {
    explained_.problem = sentence_of(made.error());
    return explained_;
  }
  explained_.explanation = std::move(made.value());
  if (!wanted.check || !explained_.explanation.gradient) return explained_;
  auto difference = view.difference(trainer_->model(), explained_.explanation, memory_limit_);
  if (!difference) {
    explained_.problem = sentence_of(difference.error());
    return explained_;
  }
  difference_ = std::move(difference.value());
  return std::nullopt;
}

void LiveRun::choose_example(int index) {
  views_.front()->choose(index);
  stills_to_retake_ = stills_.size();
}

void LiveRun::show_typed(Example example) {
  views_.front()->show_typed(std::move(example));
  stills_to_retake_ = stills_.size();
}

Status LiveRun::watch(const std::vector<WatchedPath>& paths) {
  std::vector<int> examples;
  for (const WatchedPath& path : paths) {
    if (path.example >= 0 && std::ranges::find(examples, path.example) == examples.end()) {
      examples.push_back(path.example);
    }
  }
  std::vector<std::unique_ptr<ExampleView>> others;
  for (const int example : examples) {
    auto view = ExampleView::create(task_, trainer_->model(), memory_limit_);
    if (!view) return view.error();
    view.value()->choose(example);
    others.push_back(std::move(view.value()));
  }
  views_.resize(1);
  std::ranges::move(others, std::back_inserter(views_));
  const ParameterStore<float>& store = trainer_->model().parameters();
  for (std::size_t i = 0; i < views_.size(); ++i) {
    views_[i]->watch(paths, i == 0 ? -1 : examples[i - 1], store);
  }
  paths_ = paths;
  return Done{};
}

std::vector<WatchedTensor> LiveRun::tensors() const {
  std::vector<WatchedTensor> all;
  for (const auto& view : views_) {
    std::ranges::move(view->tensors(*trainer_), std::back_inserter(all));
  }
  return all;
}

void LiveRun::tell_tensors(const std::vector<WatchedTensor>& tensors) {
  if (example().index == kTypedExample) return;  // no two of these can be compared
  for (const WatchedTensor& tensor : tensors) {
    if (tensor.example >= 0) continue;
    tensor_values(tensor.path, tensor.reading, tensor.statistics, news_.series);
  }
  news_.series.end_row(moment_.step);
}

void LiveRun::take_still() {
  still_due_ = false;
  Still still = views_.front()->still();
  still.moment = moment_;
  stills_.push_back(std::move(still));
  news_.stills = true;
}

// An early map of another example, from the state that was kept: a stage of the pass, with the
// weights of then rounded as those of now would be. There is no step under way.
void LiveRun::retake_still() {
  const Moment moment = stills_.front().moment;
  const std::span<float> values = trainer_->model().parameters().values();
  const bool is_now = moment == moment_;
  const std::span<const float> then = is_now ? values : history_.values(moment);
  bool done = then.empty();
  if (!done) {
    values_now_.assign(values.begin(), values.end());
    if (!is_now) std::ranges::copy(then, values.begin());
    {
      const RoundedWeights working = trainer_->working_weights();
      done = views_.front()->advance_look(*trainer_, look_is_short_);
    }
    std::ranges::copy(values_now_, values.begin());
    if (!done) return;
    stills_.push_back(views_.front()->still());
    stills_.back().moment = moment;
  }
  stills_.erase(stills_.begin());
  --stills_to_retake_;
  views_.front()->begin_look();
  news_.stills = true;
}

std::vector<Still> LiveRun::stills() const {
  std::vector<Still> shown;
  for (const Still& still : std::span(stills_).subspan(stills_to_retake_)) {
    if (on_line(still.moment, moment_.branch)) shown.push_back(still);
  }
  small_sort(shown, [](const Still& still) { return still.moment.step; });
  return shown;
}

}  // namespace tp
