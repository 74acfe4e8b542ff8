#include "cli/textbook_step.h"

#include <cmath>
#include <string>
#include <vector>

#include "cli/textbook_bridge.h"
#include "engine/textbook/optimiser.h"

namespace tp::cli {
namespace {

namespace book = textbook;
using Examples = std::vector<book::Example<float>>;

std::uint64_t examples_of_a_step(const TrainConfig& config) {
  return static_cast<std::uint64_t>(config.batch) * static_cast<std::uint64_t>(config.accumulation);
}

// Those that the trainer would draw next. Accumulated batches are one large one.
Examples draw(const Trainer& trainer) {
  const TrainConfig& config = trainer.config();
  const ModelConfig& model = trainer.model().config();
  const auto seed = static_cast<std::uint64_t>(config.seed);
  ExampleOrder order(seed, config.train_size);
  BatchMaker batches(trainer.task(), model, config.batch * config.accumulation);
  batches.clear();
  Example example;
  for (std::uint64_t i = 0; i < examples_of_a_step(config); ++i) {
    trainer.task().sample(Split::train, seed, order[trainer.state().examples + i], example);
    batches.add(example);
  }
  const Batch<float>& batch = batches.pack();
  Examples examples;
  for (int s = 0; s < batch.head_layout(model).sequences(); ++s) {
    examples.push_back(textbook_example(model, batch, s));
  }
  return examples;
}

double rate_of(const TrainConfig& c, int d_model, std::uint64_t step) {
  const auto now = static_cast<double>(step);
  if (c.learning_rate == 0) return book::paper_rate(d_model, now, std::max(c.warmup, 1));
  return book::rate(static_cast<book::ScheduleKind>(c.schedule), c.learning_rate, now, c.warmup,
                    c.total_steps());
}

// Rows whose largest logit is the label's.
long count_right(const book::Matrix<float>& logits, const std::vector<int>& labels) {
  long right = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    book::Index answer = 0;
    logits.row(static_cast<book::Index>(i)).maxCoeff(&answer);
    right += answer == labels[i];
  }
  return right;
}

// Loss, accuracy and tokens; and the gradients.
StepMetrics pass_all(const ModelConfig& model, const book::Tensors<float>& parameters,
                     const Examples& examples, book::Tensors<float>& gradients) {
  const book::Settings settings = textbook_settings(model);
  StepMetrics metrics;
  float answers = 0;
  long right = 0;
  for (const auto& example : examples) answers += book::count_answers(example);
  for (const auto& example : examples) {
    book::Pass<float> pass(settings, parameters, gradients);
    pass.answers = answers;
    metrics.loss += double{book::train_sequence(pass, example)};
    right += count_right(pass.tensors.at("head.logits"), example.labels);
    metrics.tokens += static_cast<int>(example.source.size() + example.target.size()) +
                      static_cast<int>(example.patches.rows());
  }
  if (model.head != HeadKind::regression) {
    metrics.perplexity = std::exp(metrics.loss);
    metrics.token_accuracy = static_cast<double>(right) / double{answers};
  }
  return metrics;
}

}  // namespace

Status textbook_can_train(const TrainConfig& config) {
  if (config.dropout > 0) {
    return Error{
        "the textbook drops nothing by itself: set --dropout 0, or train with the engine."};
  }
  if (config.precision != Precision::fp32) {
    return Error{"the textbook computes in fp32: leave --precision out, or train with the engine."};
  }
  return Done{};
}

Result<StepMetrics> textbook_step(Trainer& trainer) {
  const TrainConfig& config = trainer.config();
  const ModelConfig& model = trainer.model().config();
  ParameterStore<float>& store = trainer.model().parameters();
  TrainerState state = trainer.state();

  auto parameters = textbook_tensors<float>(store, store.values());
  auto first_moments = textbook_tensors<float>(store, store.first_moments());
  auto second_moments = textbook_tensors<float>(store, store.second_moments());
  book::Tensors<float> gradients;
  StepMetrics metrics = pass_all(model, parameters, draw(trainer), gradients);
  metrics.step = ++state.steps;
  metrics.learning_rate = rate_of(config, model.d_model, metrics.step);
  metrics.gradient_norm = book::gradient_norm(gradients);
  if (!std::isfinite(metrics.loss) || !std::isfinite(metrics.gradient_norm)) {
    return Error{"the loss of step " + std::to_string(metrics.step) +
                 " or its gradient is not a finite number in the textbook: lower learning_rate, or "
                 "clip."};
  }
  metrics.clipped = config.clip > 0 && metrics.gradient_norm > config.clip;
  if (metrics.clipped) book::clip(gradients, config.clip);
  const book::Optimiser optimiser{static_cast<book::OptimiserKind>(config.optimiser), config.beta1,
                                  config.beta2, config.epsilon, config.weight_decay};
  book::update(textbook_settings(model), optimiser, metrics.learning_rate, config.layer_rate_decay,
               static_cast<int>(++state.optimiser_steps), gradients, first_moments, second_moments,
               parameters);

  const std::vector<float> before(store.values().begin(), store.values().end());
  store_tensors<float>(parameters, store, store.values());
  store_tensors<float>(gradients, store, store.gradients());
  store_tensors<float>(first_moments, store, store.first_moments());
  store_tensors<float>(second_moments, store, store.second_moments());
  state.examples += examples_of_a_step(config);
  trainer.adopt_step(metrics, state, before);
  return trainer.metrics();
}

}  // namespace tp::cli
