#include "engine/session/live_run.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "engine/session/shown_answer.h"
#include "engine/session/work_size.h"

namespace tp {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kPerfect = 0.99;
constexpr std::uint64_t kStillSteps[] = {0, 25, 50, 75, 100, 150, 200, 300};
constexpr int kSamples = 6;

MetricPoint point_of(const StepMetrics& metrics) {
  MetricPoint point;
  point.step = metrics.step;
  point.loss = metrics.loss;
  point.token_accuracy = metrics.token_accuracy.value_or(kNone);
  point.learning_rate = metrics.learning_rate;
  point.gradient_norm = metrics.gradient_norm;
  const auto& ratios = metrics.update_ratios;
  point.update_ratio = std::accumulate(ratios.begin(), ratios.end(), 0.0) /
                       static_cast<double>(std::max<std::size_t>(ratios.size(), 1));
  point.clipped = metrics.clipped;
  return point;
}

ExamPoint point_of(const Evaluation& evaluation, std::uint64_t step) {
  ExamPoint point;
  point.step = step;
  point.examples = evaluation.examples;
  point.loss = evaluation.loss;
  point.exact = evaluation.exact.value_or(kNone);
  point.token_accuracy = evaluation.token_accuracy.value_or(kNone);
  point.metric = evaluation.metric;
  point.baseline = evaluation.baseline.value_or(kNone);
  const bool aligned = !evaluation.alignment.empty();
  point.alignment = aligned ? evaluation.best_head_alignment() : kNone;
  point.mean_alignment = aligned ? evaluation.alignment.back().mean.share : kNone;
  return point;
}

}  // namespace

Result<std::unique_ptr<LiveRun>> LiveRun::create(RunConfig config, std::string material,
                                                 std::size_t memory_limit) {
  TaskResult made = make_task(config, material);
  if (!made) return made.error();
  const std::shared_ptr<const Task> task = std::move(made.value());
  auto trainer =
      Trainer::create(task, config.model, config.train, fast_kernels<float>(), memory_limit);
  if (!trainer) return trainer.error();
  auto view = AttentionView::create(task, trainer.value()->model(), memory_limit);
  if (!view) return view.error();
  return std::unique_ptr<LiveRun>(new LiveRun(std::move(config), std::move(material), task,
                                              std::move(trainer.value()), std::move(view.value())));
}

LiveRun::LiveRun(RunConfig config, std::string material, std::shared_ptr<const Task> task,
                 std::unique_ptr<Trainer> trainer, std::unique_ptr<AttentionView> view)
    : config_(std::move(config)),
      material_(std::move(material)),
      task_(std::move(task)),
      trainer_(std::move(trainer)),
      view_(std::move(view)) {
  measure();
  branches_ = {{0, -1, 0, 0}};
  news_.branches = true;
  arrived();
  exam_due_ = true;
}

void LiveRun::measure() {
  const ModelConfig& model = trainer_->model().config();
  bytes_ = model_bytes<float>(model) + trainer_->activations().arena.capacity();
  constexpr int kDrawn = 64;
  Example example;
  double sum = 0;
  for (int i = 0; i < kDrawn; ++i) {
    task_->sample(Split::train, 0, static_cast<std::uint64_t>(i), example);
    Lengths lengths{static_cast<int>(example.source.size()),
                    static_cast<int>(example.target.size()) + (model.has_encoder() ? 1 : -1)};
    if (model.input == InputKind::patches) {
      lengths.source = static_cast<int>(example.patches.size()) / model.patch_size;
    }
    sum += training_operations(model, trainer_->config(), lengths, 1);
  }
  operations_ = sum / kDrawn * trainer_->config().batch * trainer_->config().accumulation;
}

std::string LiveRun::config_json() const { return json_of(const_cast<RunConfig&>(config_)); }

std::uint64_t LiveRun::weights_hash() {
  if (!hash_) hash_ = trainer_->weights_hash();
  return *hash_;
}

// ------------------------------------------------------------------------------------------- work

Result<bool> LiveRun::advance_step() {
  const Result<StepMetrics> metrics = trainer_->step();
  if (!metrics) return metrics.error();
  news_.points.push_back(point_of(metrics.value()));
  hash_.reset();
  view_is_fresh_ = false;
  moment_.step = trainer_->state().steps;
  branches_[moment_.branch].last_step = moment_.step;
  news_.branches = true;
  arrived();
  return true;
}

void LiveRun::arrived() {
  if (std::ranges::find(kStillSteps, moment_.step) != std::end(kStillSteps)) {
    look();
    stills_.push_back(view_->still(trainer_->model()));
    stills_.back().moment = moment_;
    news_.stills = true;
  }
  const auto every = static_cast<std::uint64_t>(trainer_->config().eval_every);
  exam_due_ = moment_.step % every == 0 || finished();
}

void LiveRun::advance_exam() {
  const Evaluation evaluation = trainer_->evaluate();
  exam_due_ = false;
  news_.exams.push_back(point_of(evaluation, moment_.step));
  perfect_exams_ = evaluation.exact.value_or(0) >= kPerfect ? perfect_exams_ + 1 : 0;
  write_samples();
}

void LiveRun::write_samples() {
  samples_.clear();
  if (task_->info().kind != TaskKind::encoder_decoder) return;
  Example example;
  for (int i = 0; i < kSamples; ++i) {
    task_->sample(Split::held_out, kExamSeed, static_cast<std::uint64_t>(i), example);
    const std::vector<int> tokens = write_answer(trainer_->model(), *task_, example);
    samples_.push_back({task_->source_text(example), task_->answer_text(answer_of(example)),
                        task_->answer_text({.tokens = tokens}), tokens == example.target});
  }
  news_.samples = true;
}

// ------------------------------------------------------------------------------ what is looked at

void LiveRun::choose_example(int index) {
  view_->choose(index);
  view_is_fresh_ = false;
}

void LiveRun::look() {
  if (view_is_fresh_) return;
  view_->look(trainer_->model());
  view_is_fresh_ = true;
}

std::vector<AttentionMap> LiveRun::attention() {
  look();
  return view_->maps(trainer_->model());
}

std::vector<PositionTable> LiveRun::positions() const {
  std::vector<PositionTable> tables;
  const ParameterStore<float>& parameters = trainer_->model().parameters();
  for (const auto& [side, name] :
       {std::pair("source", "src_pos.weight"), std::pair("target", "tgt_pos.weight")}) {
    const ParameterEntry* entry = parameters.find(name);
    if (entry == nullptr) continue;
    const auto values = parameters.values().subspan(entry->offset, entry->count);
    tables.push_back({side, entry->shape[0], entry->shape[1], {values.begin(), values.end()}});
  }
  return tables;
}

}  // namespace tp
