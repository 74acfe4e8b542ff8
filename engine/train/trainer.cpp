#include "engine/train/trainer.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/hash.h"
#include "engine/core/maths.h"
#include "engine/inspect/bad_number.h"
#include "engine/kernels/parallel.h"

namespace tp {
namespace {

GradientMemory memory_of(const TrainConfig& config) {
  return config.recompute_layers ? GradientMemory::recomputed : GradientMemory::shared;
}

// Rows of the head that have an answer.
int answers(const Head<float>::Cache& head, HeadKind kind) {
  return kind == HeadKind::regression ? head.logits.rows : head.cross_entropy.counted;
}

}  // namespace

Result<std::unique_ptr<Trainer>> Trainer::create(std::shared_ptr<const Task> task,
                                                 const ModelConfig& model_config,
                                                 const TrainConfig& train, KernelSet kernel_set,
                                                 std::size_t memory_limit) {
  if (Status status = validate(train); !status) return status.error();
  ModelConfig config = fit_to_task(model_config, *task);
  config.dropout = train.dropout;
  config.label_smoothing = train.label_smoothing;
  auto model = Transformer<float>::create(config, kernel_set(train.precision, train.arithmetic),
                                          memory_limit);
  if (!model) return model.error();
  model.value()->parameters().initialise(static_cast<std::uint64_t>(train.seed));
  auto activations = model.value()->make_activations(batch_limits(config, train.batch),
                                                     memory_of(train), memory_limit);
  if (!activations) return activations.error();
  return std::unique_ptr<Trainer>(
      new Trainer(std::move(task), std::move(model.value()), std::move(activations.value()), train,
                  kernel_set(Precision::fp32, train.arithmetic), memory_limit));
}

Trainer::Trainer(std::shared_ptr<const Task> task, std::unique_ptr<Transformer<float>> model,
                 std::unique_ptr<Activations<float>> activations, const TrainConfig& config,
                 const Kernels<float>& kernels, std::size_t memory_limit)
    : task_(std::move(task)),
      model_(std::move(model)),
      activations_(std::move(activations)),
      config_(config),
      kernels_(&kernels),
      memory_limit_(memory_limit),
      optimiser_(make_optimiser(config.optimiser, kernels, config.optimiser_options())),
      layers_(parameter_layers(model_->parameters())),
      batches_(*task_, model_->config(), config.batch),
      order_(static_cast<std::uint64_t>(config.seed), config.train_size),
      loss_scale_(config.precision == Precision::fp16 && config.loss_scaling) {
  std::size_t largest = 0;
  for (const ParameterLayer& layer : layers_) {
    for (const ParameterRun& run : layer.runs) largest = std::max(largest, run.count);
  }
  block_squares_.resize((largest + kBlock - 1) / kBlock);
  update_ratios_.resize(layers_.size());
  if (config.precision != Precision::fp32) masters_.resize(model_->parameters().count());
  const TaskSizes& sizes = task_->sizes();
  example_.source.reserve(static_cast<std::size_t>(sizes.source));
  example_.target.reserve(static_cast<std::size_t>(sizes.target));
  example_.links.reserve(static_cast<std::size_t>(sizes.target));
  example_.patches.reserve(static_cast<std::size_t>(sizes.source * sizes.patch_size));
  example_.values.reserve(static_cast<std::size_t>(sizes.outputs));
}

// ------------------------------------------------------------------------------------------- step

Result<StepMetrics> Trainer::step() {
  begin_step();
  for (;;) {
    const Result<bool> done = advance_step();
    if (!done) return done.error();
    if (done.value()) return metrics_;
  }
}

void Trainer::begin_step() {
  TP_CHECK(phase_ == Phase::none, "one step at a time");
  counts_before_ = rounding_counts();
  sums_ = {};
  batch_ = 0;
  model_->parameters().zero_gradients();
  rounded_.emplace(config_.precision, model_->parameters().values(), masters_);
  phase_ = Phase::draw;
}

void Trainer::abandon_step() {
  TP_CHECK(!updating(), "a step whose parameters change already");
  rounded_.reset();
  phase_ = Phase::none;
}

Result<bool> Trainer::advance_step() {
  Status status = Done{};
  switch (phase_) {
    case Phase::none:
      TP_CHECK(false, "no step was begun");
      break;
    case Phase::draw:
      draw_batch(state_.examples + sums_.examples);
      sums_.examples += static_cast<std::uint64_t>(config_.batch);
      stage_ = 0;
      phase_ = Phase::forward;
      break;
    case Phase::forward:
      status = forward_piece();
      break;
    case Phase::backward:
      backward_piece();
      break;
    case Phase::gradient:
      status = gradient_piece();
      break;
    case Phase::update:
      update_piece();
      break;
  }
  if (!status) {
    abandon_step();
    return status.error();
  }
  return phase_ == Phase::none;
}

Status Trainer::forward_piece() {
  const Batch<float>& batch = batches_.packed();
  const DropoutRun run =
      model_->training_run(static_cast<std::uint64_t>(config_.seed),
                           state_.steps * static_cast<std::uint64_t>(config_.accumulation) +
                               static_cast<std::uint64_t>(batch_));
  model_->forward_stage(stage_, batch, run, *activations_);
  if (++stage_ < model_->stages()) return Done{};
  if (!std::isfinite(model_->loss(batch, *activations_))) {
    return not_finite("loss", first_bad_activation(*model_, *activations_, batch));
  }
  add_batch(batch);
  stage_ = 0;
  phase_ = Phase::backward;
  return Done{};
}

void Trainer::backward_piece() {
  // The mean over all answers of the step is the sum over all of them, divided once at the end; of
  // a single batch the mean is at hand.
  const int weight =
      config_.accumulation == 1 ? 1 : answers(activations_->head, model_->config().head);
  model_->backward_stage(stage_, *activations_, static_cast<float>(loss_scale_.scale() * weight));
  if (++stage_ < model_->stages()) return;
  phase_ = ++batch_ < config_.accumulation ? Phase::draw : Phase::gradient;
}

Status Trainer::gradient_piece() {
  rounded_.reset();
  ParameterStore<float>& parameters = model_->parameters();
  const double divisor =
      loss_scale_.scale() * (config_.accumulation == 1 ? 1.0 : std::max(sums_.weight, 1.0));
  if (divisor != 1) {
    kernels_->scale(parameters.gradients(), static_cast<float>(1 / divisor),
                    parameters.gradients());
  }

  metrics_ = {};
  metrics_.step = state_.steps + 1;
  metrics_.loss = sums_.loss / sums_.weight;
  if (model_->config().head != HeadKind::regression) {
    metrics_.perplexity = maths::exp(metrics_.loss);
    metrics_.token_accuracy = static_cast<double>(sums_.right) / sums_.weight;
  }
  metrics_.learning_rate = config_.schedule_for(model_->config().d_model).rate(metrics_.step);
  metrics_.tokens = sums_.tokens;
  metrics_.loss_scale = loss_scale_.scale();

  metrics_.gradient_norm = gradient_norm(*kernels_, parameters);
  metrics_.skipped = !std::isfinite(metrics_.gradient_norm);
  if (!loss_scale_.update(metrics_.skipped)) {
    return not_finite("gradient", first_bad_gradient(*model_));
  }
  phase_ = Phase::update;
  stage_ = 0;
  if (metrics_.skipped) {
    std::ranges::fill(update_ratios_, 0.0);
    stage_ = static_cast<int>(layers_.size());
    return Done{};
  }
  metrics_.clipped = config_.clip > 0 && metrics_.gradient_norm > config_.clip;
  if (metrics_.clipped) {
    clip_gradients(*kernels_, parameters, metrics_.gradient_norm, config_.clip);
  }
  optimiser_->begin_step();
  return Done{};
}

const Batch<float>& Trainer::draw_batch(std::uint64_t first_example) {
  batches_.clear();
  for (int i = 0; i < config_.batch; ++i) {
    task_->sample(Split::train, static_cast<std::uint64_t>(config_.seed),
                  order_[first_example + static_cast<std::uint64_t>(i)], example_);
    batches_.add(example_);
  }
  return batches_.pack();
}

void Trainer::add_batch(const Batch<float>& batch) {
  const ModelConfig& config = model_->config();
  const double weight = answers(activations_->head, config.head);
  sums_.loss += double{activations_->loss()} * weight;
  sums_.weight += weight;
  if (config.has_encoder()) sums_.tokens += batch.source_layout.tokens();
  if (config.has_decoder()) sums_.tokens += batch.target_layout.tokens();
  if (config.head == HeadKind::regression) return;
  const ConstMatrix<float> logits = activations_->logits();
  for (int i = 0; i < logits.rows; ++i) {
    const float* row = logits.row(i);
    sums_.right += std::max_element(row, row + logits.columns) - row == batch.labels[i];
  }
}

// A block at a time, which stays in the cache for all that is done with it. The sums are those of
// the blocks in their order, whichever thread did which.
Trainer::Squares Trainer::update_run(const ParameterRun& run, double rate) {
  const std::size_t blocks = (run.count + kBlock - 1) / kBlock;
  const double decay = run.decays ? config_.weight_decay : 0;
  const int least = kLeastSplit / static_cast<int>(kBlock);
  for_each_part(static_cast<int>(blocks), 1, least, [&](int first, int last) {
    std::array<float, kBlock> memory;
    for (auto b = static_cast<std::size_t>(first); b < static_cast<std::size_t>(last); ++b) {
      const std::size_t begin = b * kBlock, count = std::min(kBlock, run.count - begin);
      const ParameterSlice<float> slice = slice_of(model_->parameters(), run.offset + begin, count);
      const std::span<float> before = std::span(memory).first(count);
      std::ranges::copy(slice.value, before.begin());
      optimiser_->update(slice, rate, decay);
      block_squares_[b] = {kernels_->sum_of_squares(before),
                           kernels_->squared_distance(slice.value, before)};
    }
  });
  Squares sum;
  for (std::size_t b = 0; b < blocks; ++b) {
    sum.values += block_squares_[b].values;
    sum.moves += block_squares_[b].moves;
  }
  return sum;
}

void Trainer::update_piece() {
  const auto l = static_cast<std::size_t>(stage_++);
  if (l < layers_.size()) {
    const ParameterLayer& layer = layers_[l];
    const double rate = metrics_.learning_rate * maths::pow(config_.layer_rate_decay, layer.depth);
    Squares sum;
    for (const ParameterRun& run : layer.runs) {
      const Squares squares = update_run(run, rate);
      sum.values += squares.values;
      sum.moves += squares.moves;
    }
    update_ratios_[l] = sum.values > 0 ? maths::sqrt(sum.moves / sum.values) : 0;
  }
  if (l + 1 < layers_.size()) return;
  metrics_.update_ratios = update_ratios_;
  metrics_.underflows = rounding_counts().underflows - counts_before_.underflows;
  metrics_.overflows = rounding_counts().overflows - counts_before_.overflows;
  ++state_.steps;
  state_.examples += sums_.examples;
  phase_ = Phase::none;
}

void Trainer::adopt_step(const StepMetrics& metrics, const TrainerState& state,
                         std::span<const float> before) {
  TP_CHECK(phase_ == Phase::none, "one step at a time");
  const std::span<const float> now = model_->parameters().values();
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const std::size_t first = layers_[l].offset, count = layers_[l].count;
    const double values = kernels_->sum_of_squares(before.subspan(first, count));
    const double moves =
        kernels_->squared_distance(now.subspan(first, count), before.subspan(first, count));
    update_ratios_[l] = values > 0 ? maths::sqrt(moves / values) : 0;
  }
  metrics_ = metrics;
  metrics_.update_ratios = update_ratios_;
  restore(state);
}

Error Trainer::not_finite(const char* what, const std::string& tensor) const {
  const std::string step = std::to_string(state_.steps + 1);
  return {"the " + std::string(what) + " of step " + step +
              " is not a finite number, which began in " +
              (tensor.empty() ? "a tensor that is gone" : "'" + tensor + "'") +
              ": go back to the last checkpoint and lower learning_rate, or clip.",
          "값이 유한한 수가 아니어서 멈췄습니다. 스텝: " + step +
              (tensor.empty() ? std::string() : ", 처음 생긴 텐서: " + tensor) +
              ". 되감은 뒤 학습률을 낮추거나 기울기 클리핑을 켜 주십시오."};
}

// ------------------------------------------------------------------------------- everything else

RoundedWeights Trainer::working_weights() {
  // Within a step they are rounded already.
  const Precision precision = rounded_ ? Precision::fp32 : config_.precision;
  return RoundedWeights(precision, model_->parameters().values(), masters_);
}

Evaluation Trainer::evaluate() {
  const RoundedWeights rounded = working_weights();
  const std::unique_ptr<Exam> exam = begin_exam();
  while (!exam->advance()) {
  }
  return exam->result();
}

std::unique_ptr<Exam> Trainer::begin_exam() {
  return std::make_unique<Exam>(*model_, *task_, kExamSeed, config_.eval_size, config_.batch,
                                batches_, *activations_);
}

Status Trainer::reconfigure(const TrainConfig& config) {
  if (Status status = validate(config); !status) return status;
  if (const char* fixed = fixed_difference(config_, config)) {
    return Error{std::string(fixed) + " cannot change while a run goes on: start a new one.",
                 "학습 중에는 바꿀 수 없는 설정입니다: " + std::string(fixed) +
                     ". 처음부터 다시 시작해 주십시오."};
  }
  const double previous_dropout = config_.dropout;
  model_->set_regularisation(config.dropout, config.label_smoothing);
  if (config.dropout > 0 && previous_dropout == 0) {
    auto larger = model_->make_activations(activations_->limits, memory_of(config), memory_limit_);
    if (!larger) {
      model_->set_regularisation(config_.dropout, config_.label_smoothing);
      return larger.error();
    }
    activations_ = std::move(larger.value());
  }
  if (config.optimiser == config_.optimiser) {
    optimiser_->set_options(config.optimiser_options());
  } else {
    // Moments of one rule mean nothing to another.
    optimiser_ = make_optimiser(config.optimiser, *kernels_, config.optimiser_options());
    std::ranges::fill(model_->parameters().first_moments(), 0.0f);
    std::ranges::fill(model_->parameters().second_moments(), 0.0f);
  }
  config_ = config;
  return Done{};
}

TrainerState Trainer::state() const {
  TrainerState state = state_;
  state.optimiser_steps = optimiser_->steps();
  state.loss_scale = loss_scale_.state();
  return state;
}

void Trainer::restore(const TrainerState& state) {
  state_ = state;
  optimiser_->set_steps(state.optimiser_steps);
  loss_scale_.restore(state.loss_scale);
}

std::span<const float> Trainer::values() const {
  const bool rounded = rounded_.has_value() && config_.precision != Precision::fp32;
  return rounded ? std::span<const float>(masters_) : model_->parameters().values();
}

std::uint64_t Trainer::weights_hash() const { return Hash().add(values()).value(); }

}  // namespace tp
