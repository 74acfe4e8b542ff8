#include <chrono>
#include <cstdio>
#include <string>

#include "cli/command.h"
#include "cli/run_settings.h"
#include "engine/train/trainer.h"

namespace tp {
namespace {

constexpr Flag kFlags[] = {
    {"task", "T", "what to train on (reverse)"},
    {"preset", "P", "one preset alone; without it, each of them"},
    {"seconds", "X", "to measure for, at least (2)"},
    {"kernels", "SET", "reference or fast (fast)"},
};

enum class KernelChoice { reference, fast };

// Multiplications and additions of one training step on `batch`: forward once, backward twice.
//
//   products with weights    2 * weights a row passes through
//   scores and context       2 * 2 * d * keys for each query of each attention
double flops_of(const ModelConfig& config, const Batch<float>& batch) {
  const double d = config.d_model, feed_forward = 2.0 * d * config.d_ff;
  const auto attention = [d](const SequenceLayout& queries, const SequenceLayout& keys) {
    double sum = 0;
    for (int s = 0; s < queries.sequences(); ++s) {
      sum += 4 * d * queries.length(s) * keys.length(s);
    }
    return sum;
  };
  const SequenceLayout &source = batch.source_layout, &target = batch.target_layout;
  double forward = 0;
  if (config.has_encoder()) {
    const double weights = 4 * d * d + feed_forward;
    forward += config.encoder_layers * (2 * weights * source.tokens() + attention(source, source));
  }
  if (config.has_decoder()) {
    const double weights = 4 * d * d + feed_forward;
    forward += config.decoder_layers * (2 * weights * target.tokens() + attention(target, target));
  }
  if (config.has_encoder() && config.has_decoder()) {
    // Queries and outputs for each target token, keys and values for each source token.
    const double products = 2 * 2 * d * d * (target.tokens() + source.tokens());
    forward += config.decoder_layers * (products + attention(target, source));
  }
  const bool by_token = config.head == HeadKind::tokens;
  const SequenceLayout& last = batch.head_layout(config);
  forward += 2 * d * config.head_outputs() * (by_token ? last.tokens() : last.sequences());
  return 3 * forward;
}

Status measure(const Preset& preset, RunConfig& run, double least_seconds,
               const Kernels<float>& kernels) {
  const Result<std::shared_ptr<const Task>> task = task_of(run, "");
  if (!task) return task.error();
  auto trainer = Trainer::create(task.value(), run.model, run.train, kernels, kMemoryLimit);
  if (!trainer) return trainer.error();

  using Clock = std::chrono::steady_clock;
  // The first step touches all memory for the first time.
  if (const Result<StepMetrics> warm = trainer.value()->step(); !warm) return warm.error();
  int steps = 0;
  double seconds = 0, flops = 0, tokens = 0;
  for (const Clock::time_point start = Clock::now(); seconds < least_seconds; ++steps) {
    const Result<StepMetrics> step = trainer.value()->step();
    if (!step) return step.error();
    seconds = std::chrono::duration<double>(Clock::now() - start).count();
    flops += flops_of(trainer.value()->model().config(), trainer.value()->batch());
    tokens += step.value().tokens;
  }
  std::printf("%-12s %12zu %12.2f %14.0f %10.2f\n", std::string(preset.name).c_str(),
              trainer.value()->model().parameters().count(), steps / seconds, tokens / seconds,
              flops / seconds / 1e9);
  std::fflush(stdout);
  return Done{};
}

int run(const Arguments& arguments) {
  double seconds = 2;
  KernelChoice kernels = KernelChoice::fast;
  for (const Property& property :
       {real("seconds", seconds, 0.001, 3600), choice("kernels", kernels, {"reference", "fast"})}) {
    if (Status status = arguments.read(property); !status) return wrong_usage(status.error());
  }
  const std::string task = arguments.find("task").value_or("reverse");
  const auto only = arguments.find("preset");
  bool first = true;
  for (const Preset& preset : all_presets()) {
    if (only ? preset.name != *only : !preset.task.empty() && preset.task != task) continue;
    Result<RunConfig> made = default_run(task);
    if (!made) return wrong_usage(made.error());
    if (Status status = apply_preset(preset.name, made.value()); !status) {
      return wrong_usage(status.error());
    }
    if (Status status = apply_arguments(arguments, made.value()); !status) {
      return wrong_usage(status.error());
    }
    if (first) {
      std::printf("%-12s %12s %12s %14s %10s\n", "preset", "parameters", "steps/s", "tokens/s",
                  "GFLOP/s");
    }
    first = false;
    const Status status =
        measure(preset, made.value(), seconds,
                kernels == KernelChoice::fast ? fast_kernels<float>() : reference_kernels<float>());
    if (!status) return failed(status.error());
  }
  if (!first) return kFine;
  Result<RunConfig> run = default_run(task);
  if (!run) return wrong_usage(run.error());
  return wrong_usage(apply_preset(*only, run.value()).error());
}

}  // namespace

const Command kBenchCommand = {"bench",
                               "measures training: steps, tokens and arithmetic a second",
                               "tp bench --preset small --seconds 5",
                               kFlags,
                               Settings::run,
                               run};

}  // namespace tp
