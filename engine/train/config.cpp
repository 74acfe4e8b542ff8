#include "engine/train/config.h"

#include <algorithm>

namespace tp {

int TrainConfig::total_steps() const {
  if (epochs == 0 || train_size == 0) return steps;
  const std::int64_t examples = std::int64_t{epochs} * train_size;
  const std::int64_t per_step = std::int64_t{batch} * accumulation;
  return static_cast<int>(
      std::min<std::int64_t>((examples + per_step - 1) / per_step, 100'000'000));
}

Schedule TrainConfig::schedule_for(int d_model) const {
  return {.kind = schedule,
          .peak = learning_rate > 0 ? learning_rate : paper_peak(d_model, warmup),
          .warmup = warmup,
          .steps = total_steps()};
}

Properties properties_of(TrainConfig& c) {
  return {
      integer("seed", c.seed, 0, 2'000'000'000),
      by_ratio(integer("steps", c.steps, 1, 100'000'000), 50, 20000),
      by_ratio(integer("batch", c.batch, 1, 4096), 1, 256),
      integer("accumulation", c.accumulation, 1, 1024),
      by_ratio(real("learning_rate", c.learning_rate, 0, 1000), 1e-5, 1),
      choice("schedule", c.schedule, {"constant", "inverse-square-root", "cosine"}),
      integer("warmup", c.warmup, 0, 10'000'000),
      real("layer_rate_decay", c.layer_rate_decay, 0.01, 1),
      choice("optimiser", c.optimiser, {"adam", "adamw", "sgd"}),
      real("beta1", c.beta1, 0, 0.9999),
      real("beta2", c.beta2, 0, 0.99999),
      real("epsilon", c.epsilon, 1e-12, 0.1, true),
      real("weight_decay", c.weight_decay, 0, 1),
      real("clip", c.clip, 0, 1000),
      real("dropout", c.dropout, 0, 0.9),
      real("label_smoothing", c.label_smoothing, 0, 0.9),
      choice("arithmetic", c.arithmetic, {"exact", "fused"}),
      choice("precision", c.precision, {"fp32", "bf16", "fp16"}),
      toggle("loss_scaling", c.loss_scaling),
      toggle("recompute_layers", c.recompute_layers),
      integer("train_size", c.train_size, 0, 10'000'000),
      integer("epochs", c.epochs, 0, 1'000'000),
      by_ratio(integer("eval_every", c.eval_every, 1, 10'000'000), 1, 1000),
      by_ratio(integer("eval_size", c.eval_size, 1, 100'000), 10, 1000),
  };
}

ConstProperties properties_of(const TrainConfig& c) { return read_only(c, properties_of); }

Status validate(const TrainConfig& c) {
  for (const ConstProperty& property : properties_of(c)) {
    if (problem_of(property, property.number()) != PropertyProblem::kNone) {
      const std::string name(property.name);
      return Error{
          name + " is " + property.text() + ", outside what is possible: choose another value.",
          "쓸 수 없는 값입니다: " + name + " = " + property.text() + ". 다른 값을 골라 주십시오."};
    }
  }
  if (c.epochs > 0 && c.train_size == 0) {
    return Error{
        "epochs are passes through a finite training set: give train_size too.",
        "에포크는 정해진 학습 데이터를 한 번 도는 것입니다. train_size 값도 정해 주십시오."};
  }
  if (c.learning_rate == 0 && c.schedule != ScheduleKind::inverse_square_root) {
    return Error{
        "a learning_rate of 0 asks for the paper's and needs the schedule inverse-square-root: "
        "choose it, or give a rate.",
        "학습률 0은 논문의 학습률을 뜻하며 inverse-square-root 스케줄에서만 쓸 수 있습니다. "
        "스케줄을 "
        "바꾸거나 학습률을 정해 주십시오."};
  }
  if (c.arithmetic == Arithmetic::fused && !can_fuse()) {
    return Error{
        "fused arithmetic needs a processor, and in a browser relaxed SIMD, that rounds a "
        "multiplication and an addition once: choose exact.",
        "이 기기나 브라우저에는 곱셈과 덧셈을 한 번에 반올림하는 명령이 없습니다. 연산 방식을 "
        "정확으로 "
        "바꿔 주십시오."};
  }
  return Done{};
}

const char* fixed_difference(const TrainConfig& from, const TrainConfig& to) {
  if (from.seed != to.seed) return "seed";
  if (from.batch != to.batch) return "batch";
  if (from.accumulation != to.accumulation) return "accumulation";
  if (from.arithmetic != to.arithmetic) return "arithmetic";
  if (from.precision != to.precision) return "precision";
  if (from.recompute_layers != to.recompute_layers) return "recompute_layers";
  if (from.train_size != to.train_size) return "train_size";
  return nullptr;
}

}  // namespace tp
