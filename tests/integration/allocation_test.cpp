#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "engine/model/transformer.h"
#include "engine/tasks/registry.h"
#include "engine/train/optimiser.h"
#include "tests/integration/copy_task.h"
#include "tests/subjects/small_run.h"

// Every form of operator new of this program counts.

namespace {

std::atomic<long> allocations = 0;

void* counted(std::size_t bytes, std::size_t alignment) {
  ++allocations;
  void* memory =
      alignment <= alignof(std::max_align_t)
          ? std::malloc(bytes == 0 ? 1 : bytes)
          : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (memory == nullptr) std::abort();
  return memory;
}

}  // namespace

void* operator new(std::size_t bytes) { return counted(bytes, 1); }
void* operator new[](std::size_t bytes) { return counted(bytes, 1); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return counted(bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return counted(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return counted(bytes, 1); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return counted(bytes, 1);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace tp::test {
namespace {

TEST(Allocations, AreCounted) {
  const long before = allocations;
  const auto number = std::make_unique<int>(3);
  const Arena arena(100);
  EXPECT_EQ(allocations - before, 2);
  EXPECT_EQ(*number, 3);
}

// From packing the batch to the step of Adam, batches of every size up to the largest, from the
// very first step on.
TEST(Allocations, ATrainingStepMakesNone) {
  using enum Architecture;
  for (auto architecture : {encoder_decoder, decoder_only, encoder_only}) {
    for (const Kernels<float>* kernels : {&reference_kernels<float>(), &fast_kernels<float>()}) {
      ModelConfig config;
      config.architecture = architecture;
      config.d_model = 16;
      config.heads = 4;
      config.d_ff = 300;  // more than one panel deep
      config.dropout = 0.1;
      config.positions = PositionKind::rotary;
      config.source_vocabulary = config.target_vocabulary = 12;
      config.max_source_length = config.max_target_length = 7;
      if (architecture == encoder_only) {
        config.head = HeadKind::classification;
        config.outputs = 3;
      }
      auto model = std::move(Transformer<float>::create(config, *kernels).value());
      const BatchLimits limits{8, 7, 7};
      auto activations = std::move(model->make_activations(limits).value());
      Adam<float> adam(*kernels, {});
      Batch<float> batch;
      batch.reserve(config, limits);
      CopyTask task;
      const std::vector<int> classes = {0, 1, 2, 0, 1, 2, 0, 1};
      for (int step = 0; step < 8; ++step) {
        const int size = step % 3 == 0 ? 8 : step;
        PaddedBatch<float> padded = task.batch(1, static_cast<std::uint64_t>(8 * step), size);
        if (architecture == encoder_only) padded.labels = std::span(classes).first(size);

        const long before = allocations;
        const bool packed = pack(config, padded, batch).ok();
        model->forward(batch, model->training_run(1, static_cast<std::uint64_t>(step)),
                       *activations);
        model->loss(batch, *activations);
        model->parameters().zero_gradients();
        model->backward(*activations);
        clip_gradients(*kernels, model->parameters(), gradient_norm(*kernels, model->parameters()),
                       1);
        adam.step(model->parameters(), 1e-3);
        EXPECT_EQ(allocations - before, 0) << kernels->name << ", step " << step;
        EXPECT_TRUE(packed);
      }
    }
  }
}

// Examples are drawn inside the training loop: an Example that is used again has room.
TEST(Allocations, DrawingExamplesMakesNone) {
  for (const TaskEntry& entry : all_tasks()) {
    if (entry.info.material == Material::required) continue;
    const auto task = std::move(make_task(entry.info.name, *entry.recipe()).value());
    Example example;
    const auto draw_some = [&] {
      for (Split split : {Split::train, Split::held_out}) {
        for (std::uint64_t i = 0; i < 300; ++i) task->sample(split, 1, i, example);
      }
    };
    draw_some();
    const long before = allocations;
    draw_some();
    EXPECT_EQ(allocations - before, 0) << entry.info.name;
  }
}

// The whole of it, from drawing examples to measuring the update.
TEST(Allocations, AStepOfTheTrainerMakesNone) {
  for (const Precision precision : {Precision::fp32, Precision::fp16}) {
    for (const bool recompute : {false, true}) {
      RunConfig run = small_run();
      run.train.precision = precision;
      run.train.recompute_layers = recompute;
      run.train.dropout = 0.1;
      run.train.accumulation = 2;
      run.train.train_size = 20;
      const auto trainer = make_trainer(run);
      for (int step = 0; step < 10; ++step) {
        const long before = allocations;
        const bool done = trainer->step().ok();
        EXPECT_EQ(allocations - before, 0) << "step " << step;
        EXPECT_TRUE(done);
      }
    }
  }
}

}  // namespace
}  // namespace tp::test
