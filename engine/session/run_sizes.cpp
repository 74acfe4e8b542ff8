#include "engine/session/run_sizes.h"

#include <string>

#include "engine/core/number_text.h"
#include "engine/model/transformer.h"
#include "engine/session/work_size.h"
#include "engine/train/batch_maker.h"

namespace tp {
namespace {

double mean_operations(const ModelConfig& model, const TrainConfig& train, const Task& task) {
  constexpr int kDrawn = 64;
  const auto shape = Transformer<float>::without_numbers(model);
  Example example;
  double sum = 0;
  for (int i = 0; i < kDrawn; ++i) {
    task.sample(Split::train, 0, static_cast<std::uint64_t>(i), example);
    const int written = static_cast<int>(example.target.size()) + (model.has_encoder() ? 1 : -1);
    const int read = static_cast<int>(example.source.size());
    const int patches = model.input == InputKind::patches
                            ? static_cast<int>(example.patches.size()) / model.patch_size
                            : read;
    sum += training_operations(*shape, train, {patches, written}, 1);
  }
  return sum / kDrawn * train.batch * train.accumulation;
}

}  // namespace

Result<RunSizes> size_up(const RunConfig& config, const Task& task, std::size_t memory_limit) {
  const TrainConfig& train = config.train;
  if (Status status = validate(train); !status) return status.error();
  ModelConfig model = fit_to_task(config.model, task);
  model.dropout = train.dropout;
  model.label_smoothing = train.label_smoothing;
  const BatchLimits limits = batch_limits(model, train.batch);
  if (Status status = validate(model, limits); !status) return status.error();

  RunSizes sizes;
  sizes.parameters = count_parameters(model);
  sizes.bytes = model_bytes<float>(model);
  const auto too_large = [&] {
    return Error{"the run would take " + megabytes_text(sizes.bytes) + ", more than the " +
                     megabytes_text(memory_limit) +
                     " there are: lower d_model, d_ff, the layers, the batch or the longest "
                     "sequence.",
                 "필요한 메모리: " + megabytes_text(sizes.bytes) +
                     ", 쓸 수 있는 메모리: " + megabytes_text(memory_limit) +
                     ". d_model, d_ff, 레이어 수, 배치, 최대 길이 중 하나를 줄여 주십시오."};
  };
  if (sizes.bytes > memory_limit) return too_large();
  if (Status status = check_work(model, train); !status) return status.error();
  const GradientMemory memory =
      train.recompute_layers ? GradientMemory::recomputed : GradientMemory::shared;
  sizes.bytes += activation_bytes<float>(model, limits, memory);
  if (sizes.bytes > memory_limit) return too_large();
  sizes.operations = mean_operations(model, train, task);
  return sizes;
}

}  // namespace tp
