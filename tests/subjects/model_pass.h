#pragma once

#include <memory>
#include <vector>

#include "engine/model/transformer.h"
#include "tests/subjects/models.h"
#include "tests/subjects/random_batch.h"

namespace tp::test {

// A model away from zeros and ones, and a pass over three sequences of different lengths, without
// dropout, of which everything is kept.
template <class T>
struct ModelPass {
  std::unique_ptr<Transformer<T>> model;
  std::unique_ptr<Activations<T>> activations;
  Batch<T> batch;

  explicit ModelPass(const ModelConfig& config, GradientMemory memory = GradientMemory::kept) {
    model = std::move(Transformer<T>::create(config).value());
    model->parameters().initialise(3);
    Rng rng(3, 1000);
    for (T& value : model->parameters().values()) value += static_cast<T>(0.1 * rng.normal());
    const RandomBatch<T> random(config, {3, 4, 1}, {4, 3, 2}, rng);
    const Status packed = pack(config, random.padded(config), batch);
    TP_CHECK(packed.ok(), packed.error().message.c_str());
    activations = std::move(model->make_activations({3, 4, 4}, memory).value());
    forward();
  }

  T forward() {
    model->forward(batch, {}, *activations);
    return model->loss(batch, *activations);
  }
  void backward() {
    model->parameters().zero_gradients();
    model->backward(*activations);
  }
  int sequences() const { return batch.head_layout(model->config()).sequences(); }
  // The first row of a sequence in the logits.
  int first_answer(int sequence) const {
    const ModelConfig& config = model->config();
    return config.head == HeadKind::tokens ? batch.head_layout(config).begin(sequence) : sequence;
  }
};

}  // namespace tp::test
