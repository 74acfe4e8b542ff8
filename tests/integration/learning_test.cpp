#include <gtest/gtest.h>

#include <cmath>

#include "engine/model/decode.h"
#include "engine/model/transformer.h"
#include "engine/train/optimiser.h"
#include "tests/integration/copy_task.h"

namespace tp::test {
namespace {

// A model that computes the right gradients learns: the loss falls, and what it then writes for
// sequences it has never seen is right.
TEST(Learning, AnEncoderDecoderLearnsToReverse) {
  ModelConfig config;
  config.d_model = 32;
  config.heads = 4;
  config.d_ff = 64;
  config.encoder_layers = config.decoder_layers = 1;
  config.source_vocabulary = config.target_vocabulary = 12;
  config.max_source_length = config.max_target_length = 7;
  auto made = Transformer<float>::create(config);
  ASSERT_TRUE(made.ok());
  Transformer<float>& model = *made.value();
  model.parameters().initialise(1);
  const int batch_size = 32, steps = 600;
  auto buffers = model.make_activations({batch_size, 7, 7});
  ASSERT_TRUE(buffers.ok());
  Adam<float> adam(model.kernels(), {});
  CopyTask task;
  task.reverse = true;
  Batch<float> batch;
  double first = 0, last = 0;
  for (int step = 0; step < steps; ++step) {
    ASSERT_TRUE(pack(config,
                     task.batch(1, static_cast<std::uint64_t>(step * batch_size), batch_size),
                     batch)
                    .ok());
    model.forward(batch, {}, *buffers.value());
    last = model.loss(batch, *buffers.value());
    if (step == 0) first = last;
    model.parameters().zero_gradients();
    model.backward(*buffers.value());
    clip_gradients(model.kernels(), model.parameters(),
                   gradient_norm(model.kernels(), model.parameters()), 1);
    const double warm_up = std::min(1.0, (step + 1) / 50.0), cool_down = 1 - double(step) / steps;
    adam.step(model.parameters(), 5e-3 * warm_up * cool_down);
  }
  EXPECT_GT(first, 2);  // guessing is ln 12 = 2.48
  EXPECT_LT(last, 0.1);

  int exact = 0;
  const int tests = 100;
  for (int i = 0; i < tests; ++i) {
    const std::vector<int> source = task.example(2, static_cast<std::uint64_t>(i));
    auto scorer = cached_scorer<float>(model, {source, {}}, 1);
    ASSERT_TRUE(scorer.ok());
    const std::vector<int> prompt = {CopyTask::kBegin};
    const auto decoded = decode_greedy(*scorer.value(), prompt, {CopyTask::kEnd, 7});
    exact += decoded.value().tokens == task.answer(source);
  }
  EXPECT_GE(exact, 95);
}

}  // namespace
}  // namespace tp::test
