#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/inspect/explain.h"
#include "tests/subjects/models.h"
#include "tests/subjects/random_batch.h"

namespace tp::test {

// A model, and a forward and backward pass of it over sequences long enough for every partial sum.
struct RandomPass {
  std::unique_ptr<Transformer<float>> model;
  std::unique_ptr<Activations<float>> activations;
  Batch<float> batch;
  int sequence = 0;

  explicit RandomPass(const ModelConfig& config, bool alone = true,
                      Arithmetic arithmetic = Arithmetic::exact) {
    model = std::move(Transformer<float>::create(config, fast_kernels<float>(arithmetic)).value());
    model->parameters().initialise(3);
    Rng rng(4);
    for (float& value : model->parameters().values()) {
      value += static_cast<float>(0.1 * rng.normal());
    }
    const std::vector<int> source = alone ? std::vector{19} : std::vector{5, 18};
    const std::vector<int> target = alone ? std::vector{20} : std::vector{7, 17};
    sequence = alone ? 0 : 1;
    const RandomBatch<float> random(config, source, target, rng);
    const Status packed = pack(config, random.padded(config), batch);
    TP_CHECK(packed.ok(), packed.error().message.c_str());
    activations = std::move(model->make_activations({2, 20, 20}, GradientMemory::kept).value());
    model->forward(batch, {}, *activations);
    model->loss(batch, *activations);
    model->backward(*activations);
  }

  ExplainedPass explained() const {
    return {*model, *activations, batch, sequence, model->parameters().gradients()};
  }
  Explanation at(const std::string& path, int row, int column) const {
    const Result<Explanation> result = explain(explained(), {path, row, column});
    TP_CHECK(result.ok(), result.error().message.c_str());
    return result.value();
  }
};

inline ModelConfig larger(ModelConfig config) {
  config.d_model = 24;
  config.d_ff = 40;
  config.heads = 2;
  config.max_source_length = config.max_target_length = 20;
  config.source_vocabulary = config.target_vocabulary = 37;
  if (config.sparsity != Sparsity::full) config.reach = 3;
  return config;
}

inline std::vector<ModelEntry> configurations() {
  std::vector<ModelEntry> list = models();
  for (ModelEntry& entry : list) entry.config = larger(entry.config);
  ModelEntry local = list.back();
  local.name = "decoder_only.local";
  local.config.sparsity = Sparsity::local;
  list.push_back(local);
  return list;
}

}  // namespace tp::test
