#include "engine/session/live_run.h"

#include <algorithm>
#include <limits>

#include "engine/io/property_json.h"
#include "engine/session/shown_answer.h"
#include "engine/session/work_size.h"

namespace tp {
namespace {

constexpr double kPerfect = 0.99;
constexpr std::uint64_t kStillSteps[] = {0, 25, 50, 75, 100, 150, 200, 300};
constexpr int kSamples = 6;
// A whole look of fewer operations than this is done at once.
constexpr double kShortLook = 5e7;

bool is_still_step(std::uint64_t step) {
  return std::ranges::find(kStillSteps, step) != std::end(kStillSteps);
}

}  // namespace

Result<std::unique_ptr<LiveRun>> LiveRun::create(RunConfig config, std::string material,
                                                 const std::shared_ptr<const Task>& task,
                                                 const RunSizes& sizes, const RunLimits& limits,
                                                 const std::function<Status(Trainer&)>& prepare) {
  auto trainer = Trainer::create(task, config.model, config.train, fast_kernels_for, limits.memory);
  if (!trainer) return trainer.error();
  if (Status status = prepare(*trainer.value()); !status) return status.error();
  auto view = ExampleView::create(task, trainer.value()->model(), limits.memory);
  if (!view) return view.error();
  return std::unique_ptr<LiveRun>(new LiveRun(std::move(config), std::move(material), task, sizes,
                                              std::move(trainer.value()), std::move(view.value()),
                                              limits));
}

LiveRun::LiveRun(RunConfig config, std::string material, std::shared_ptr<const Task> task,
                 const RunSizes& sizes, std::unique_ptr<Trainer> trainer,
                 std::unique_ptr<ExampleView> view, const RunLimits& limits)
    : config_(std::move(config)),
      material_(std::move(material)),
      task_(std::move(task)),
      sizes_(sizes),
      trainer_(std::move(trainer)),
      memory_limit_(limits.memory),
      answerer_(trainer_->model(), task_),
      history_(limits.history) {
  views_.push_back(std::move(view));
  const ModelConfig& model = trainer_->model().config();
  const Lengths longest{model.max_source_length, model.max_target_length};
  look_is_short_ = trainer_->model().operations(longest) < kShortLook;
  // A run that was loaded begins where it was saved.
  moment_ = {0, trainer_->state().steps};
  branches_ = {{0, -1, moment_.step, moment_.step}};
  arrived();
  exam_due_ = true;
}

std::string LiveRun::config_json() const { return json_of(config_); }

std::uint64_t LiveRun::weights_hash() {
  if (!hash_) hash_ = trainer_->weights_hash();
  return *hash_;
}

// ------------------------------------------------------------------------------------------- work

Result<bool> LiveRun::advance_step() {
  if (!trainer_->step_begun()) {
    grow();
    trainer_->begin_step();
  }
  const Result<bool> done = trainer_->advance_step();
  if (!done || !done.value()) return done;
  weights_changed();
  moment_.step = trainer_->state().steps;
  branches_[moment_.branch].last_step = moment_.step;
  arrived();
  return true;
}

void LiveRun::tell_step(double seconds) {
  step_values(*trainer_, seconds, news_.series);
  news_.series.end_row(moment_.step);
}

bool LiveRun::settle() {
  exam_.reset();
  if (!trainer_->step_begun()) return false;
  if (!trainer_->updating()) {
    trainer_->abandon_step();
    return false;
  }
  while (!advance_step().value()) {
  }
  return true;
}

void LiveRun::weights_changed() {
  hash_.reset();
  for (const auto& view : views_) view->weights_changed();
}

void LiveRun::arrived() {
  still_due_ = is_still_step(moment_.step);
  const auto every = static_cast<std::uint64_t>(trainer_->config().eval_every);
  exam_due_ = moment_.step % every == 0 || finished();
  const History::Reason reason = moment_.step == branches_.front().first_step
                                     ? History::Reason::beginning
                                 : still_due_ ? History::Reason::still
                                              : History::Reason::ordinary;
  history_.keep(moment_, reason, *trainer_);
}

bool LiveRun::advance_exam() {
  const RoundedWeights working = trainer_->working_weights();
  if (!exam_) exam_ = trainer_->begin_exam();
  if (!exam_->advance()) return false;
  const Evaluation evaluation = exam_->result();
  exam_.reset();
  exam_due_ = false;
  exam_values(evaluation, trainer_->model().config(), news_.series);
  news_.series.end_row(moment_.step);
  perfect_exams_ = evaluation.exact.value_or(0) >= kPerfect ? perfect_exams_ + 1 : 0;
  samples_due_ = true;
  sample_begun_ = false;
  next_samples_.clear();
  return true;
}

// ---------------------------------------------------------------------------------------- samples

void LiveRun::begin_sample() {
  Example example;
  task_->sample(Split::held_out, kExamSeed, next_samples_.size(), example);
  AnswerOptions options;
  sample_rest_.clear();
  if (task_->info().kind == TaskKind::decoder_only) {
    // The model is given the first half, and goes on.
    const auto half = static_cast<std::ptrdiff_t>(example.target.size() / 2);
    sample_rest_.assign(example.target.begin() + half, example.target.end());
    example.target.resize(static_cast<std::size_t>(half));
    options.most_tokens = static_cast<int>(sample_rest_.size());
  }
  const Status status = answerer_.begin(std::move(example), options);
  TP_CHECK(status.ok(), "an example that does not fit its model");
  sample_begun_ = true;
}

void LiveRun::advance_samples() {
  const RoundedWeights working = trainer_->working_weights();
  if (!sample_begun_) begin_sample();
  if (!answerer_.advance()) return;
  sample_begun_ = false;
  const Example& example = answerer_.example();
  const Answer produced = answerer_.answer().answer();
  Answer expected = answer_of(example);
  if (!sample_rest_.empty()) expected = {.tokens = sample_rest_};
  Sample sample;
  sample.source = sample_rest_.empty() ? task_->source_text(example)
                                       : task_->answer_text({.tokens = example.target});
  sample.expected = answer_text(*task_, example, expected);
  sample.produced = answer_text(*task_, example, produced);
  sample.drawn = depiction_of(*task_, example, produced);
  if (const auto guess = task_->baseline(example)) {
    sample.right = task_->score(expected, produced) < *guess;
  } else {
    sample.right =
        std::ranges::equal(expected.tokens, produced.tokens) && expected.label == produced.label;
  }
  sample.judged = sample_rest_.empty();
  sample.moment = moment_;
  next_samples_.push_back(std::move(sample));
  if (std::ssize(next_samples_) < kSamples) return;
  samples_ = std::exchange(next_samples_, {});
  samples_due_ = false;
  news_.samples = true;
}

// ---------------------------------------------------------------------------------------- changes

Status LiveRun::retune(const std::string& json) {
  TrainConfig wanted = trainer_->config();
  if (Status status = set_from_json(json, properties_of(wanted)); !status) return status;
  const TrainConfig before = trainer_->config();
  if (Status status = trainer_->reconfigure(wanted); !status) return status;
  config_.train = wanted;
  for (const auto& view : views_) view->find_again();
  const ConstProperties old_values = properties_of(before);
  const ConstProperties new_values = properties_of(trainer_->config());
  for (std::size_t i = 0; i < new_values.size(); ++i) {
    const std::string from = old_values[i].text(), to = new_values[i].text();
    if (from == to) continue;
    (is_head() ? news_.events : held_events_)
        .push_back(
            {moment_.step, EventKind::setting_changed, std::string(new_values[i].name), from, to});
  }
  return Done{};
}

void LiveRun::add_event(EventKind kind, std::string name) {
  news_.events.push_back({moment_.step, kind, std::move(name), {}, {}});
}

bool LiveRun::on_line(Moment moment, int branch) const {
  for (std::uint64_t last = std::numeric_limits<std::uint64_t>::max(); branch >= 0;) {
    const Branch& at = branches_[branch];
    if (moment.branch == branch) return moment.step <= last;
    last = at.first_step;
    branch = at.parent;
  }
  return false;
}

Status LiveRun::rewind(Moment wanted) {
  if (wanted.branch < 0 || wanted.branch >= std::ssize(branches_)) {
    return Error{"there is no branch " + std::to_string(wanted.branch) + ": choose one of " +
                     std::to_string(branches_.size()) + ".",
                 "없는 갈래입니다. 다른 갈래를 골라 주십시오."};
  }
  const auto distance = [&](Moment moment) {
    return moment.step > wanted.step ? moment.step - wanted.step : wanted.step - moment.step;
  };
  std::vector<Moment> choices = history_.moments();
  choices.push_back(moment_);
  std::optional<Moment> nearest;
  for (const Moment& moment : choices) {
    if (!on_line(moment, wanted.branch)) continue;
    if (!nearest || distance(moment) < distance(*nearest)) nearest = moment;
  }
  if (!nearest) {
    return Error{
        "no moment of that branch is kept: the model is too large for the memory of the "
        "past.",
        "그 갈래에는 되돌아갈 수 있는 시점이 없습니다. 모델이 되감기 메모리보다 큽니다."};
  }
  if (*nearest == moment_) return Done{};
  history_.protect(*nearest);
  if (is_head() && !history_.keep(moment_, History::Reason::head, *trainer_)) {
    return Error{
        "there is no memory to keep the newest moment in: choose a smaller model to go "
        "back.",
        "가장 새로운 시점을 보관할 메모리가 없습니다. 더 작은 모델에서 되감아 주십시오."};
  }
  history_.restore(*nearest, *trainer_);
  moment_ = *nearest;
  weights_changed();
  exam_due_ = still_due_ = false;
  perfect_exams_ = 0;
  samples_due_ = true;
  sample_begun_ = false;
  next_samples_.clear();
  news_.stills = true;
  return Done{};
}

void LiveRun::grow() {
  if (!is_head()) {
    const Branch grown{static_cast<int>(branches_.size()), moment_.branch, moment_.step,
                       moment_.step};
    branches_.push_back(grown);
    moment_.branch = grown.id;
    add_event(EventKind::rewound);
    news_.stills = true;
  }
  for (CurveEvent& event : held_events_) {
    event.step = moment_.step;
    news_.events.push_back(std::move(event));
  }
  held_events_.clear();
}

}  // namespace tp
