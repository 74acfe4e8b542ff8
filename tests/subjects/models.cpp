#include "tests/subjects/models.h"

#include "engine/model/transformer.h"
#include "tests/subjects/composed.h"
#include "tests/subjects/random_batch.h"

// Whole models, small enough that every parameter can be moved to both sides.

namespace tp::test {
namespace {

template <class T>
class ModelSubject : public Subject<T> {
 public:
  ModelSubject(const ModelConfig& config, const Kernels<T>& kernels, std::uint64_t seed)
      : run_{config.dropout, seed, 1} {
    auto model = Transformer<T>::create(config, kernels);
    TP_CHECK(model.ok(), model.error().message.c_str());
    model_ = std::move(model.value());
    model_->parameters().initialise(seed);
    // Away from zeros and ones, so that biases and norms take part.
    Rng rng(seed, 1000);
    for (T& value : model_->parameters().values()) value += static_cast<T>(0.1 * rng.normal());

    const RandomBatch<T> random(config, {3, 2}, {2, 3}, rng);
    const Status packed = pack(config, random.padded(config), batch_);
    TP_CHECK(packed.ok(), packed.error().message.c_str());
    auto activations = model_->make_activations({2, 3, 3});
    TP_CHECK(activations.ok(), activations.error().message.c_str());
    activations_ = std::move(activations.value());
    forward();  // so that the gradients have a place
  }

  T forward() override {
    model_->forward(batch_, run_, *activations_);
    return model_->loss(batch_, *activations_);
  }
  void backward() override {
    model_->parameters().zero_gradients();
    model_->backward(*activations_);
  }
  std::vector<Variable<T>> variables() override {
    std::vector<Variable<T>> list;
    ParameterStore<T>& store = model_->parameters();
    for (const ParameterEntry& entry : store.entries()) {
      list.push_back({entry.name, store.values().subspan(entry.offset, entry.count),
                      store.gradients().subspan(entry.offset, entry.count)});
    }
    if (!batch_.source_patches.empty()) {
      list.push_back(
          {"patches", batch_.source_patches, activations_->source.input.d_patches.flat()});
    }
    return list;
  }
  std::span<const T> output() override { return activations_->logits().flat(); }

 private:
  DropoutRun run_;
  std::unique_ptr<Transformer<T>> model_;
  Batch<T> batch_;
  std::unique_ptr<Activations<T>> activations_;
};

ModelConfig small(Architecture architecture) {
  ModelConfig config;
  config.architecture = architecture;
  config.d_model = 8;
  config.heads = 2;
  config.d_ff = 10;
  config.encoder_layers = config.decoder_layers = 1;
  config.source_vocabulary = 6;
  config.target_vocabulary = 7;
  config.max_source_length = config.max_target_length = 4;
  return config;
}

std::vector<ModelEntry> make_models() {
  std::vector<ModelEntry> list;
  const auto add = [&](const char* name, Architecture architecture, auto change) {
    ModelConfig config = small(architecture);
    change(config);
    list.push_back({name, config});
  };
  using enum Architecture;
  add("model.encoder_decoder.pre.relu", encoder_decoder,
      [](ModelConfig& c) { c.encoder_layers = c.decoder_layers = 2; });
  add("model.encoder_decoder.post.gelu", encoder_decoder, [](ModelConfig& c) {
    c.encoder_layers = c.decoder_layers = 2;
    c.norm = NormPlacement::post;
    c.activation = Activation::gelu;
    c.positions = PositionKind::learned;
    c.label_smoothing = 0.1;
  });
  add("model.encoder_decoder.tied.dropout", encoder_decoder, [](ModelConfig& c) {
    c.tying = Tying::all;
    c.source_vocabulary = c.target_vocabulary;
    c.dropout = 0.2;
  });
  add("model.encoder_decoder.post.no_biases", encoder_decoder, [](ModelConfig& c) {
    c.norm = NormPlacement::post;
    c.biases = c.final_norm = c.scale_embedding = false;
  });
  add("model.encoder_decoder.patches.rotary", encoder_decoder, [](ModelConfig& c) {
    c.input = InputKind::patches;
    c.patch_size = 5;
    c.positions = PositionKind::rotary;
    c.activation = Activation::gelu;
  });
  add("model.encoder_decoder.rms.alibi", encoder_decoder, [](ModelConfig& c) {
    c.norm_kind = NormKind::rms;
    c.positions = PositionKind::alibi;
    c.activation = Activation::gelu;
  });
  add("model.decoder_only.post.rms.alibi", decoder_only, [](ModelConfig& c) {
    c.norm = NormPlacement::post;
    c.norm_kind = NormKind::rms;
    c.positions = PositionKind::alibi;
    c.activation = Activation::gelu;
    c.decoder_layers = 2;
  });
  add("model.encoder_only.classification", encoder_only, [](ModelConfig& c) {
    c.head = HeadKind::classification;
    c.outputs = 3;
    c.encoder_layers = 2;
    c.activation = Activation::gelu;
  });
  add("model.encoder_only.first_token.post", encoder_only, [](ModelConfig& c) {
    c.head = HeadKind::classification;
    c.pooling = PoolingKind::first;
    c.outputs = 3;
    c.norm = NormPlacement::post;
    c.positions = PositionKind::learned;
  });
  add("model.encoder_only.regression.patches", encoder_only, [](ModelConfig& c) {
    c.head = HeadKind::regression;
    c.outputs = 2;
    c.input = InputKind::patches;
    c.patch_size = 6;
    c.sparsity = Sparsity::local;
    c.reach = 1;
  });
  add("model.encoder_only.masked_tokens", encoder_only, [](ModelConfig& c) {
    c.tying = Tying::output;
    c.positions = PositionKind::none;
  });
  add("model.decoder_only.rotary", decoder_only, [](ModelConfig& c) {
    c.decoder_layers = 2;
    c.positions = PositionKind::rotary;
    c.activation = Activation::gelu;
  });
  add("model.decoder_only.post.strided", decoder_only, [](ModelConfig& c) {
    c.norm = NormPlacement::post;
    c.sparsity = Sparsity::strided;
    c.reach = 1;
    c.tying = Tying::output;
    c.dropout = 0.1;
  });
  return list;
}

}  // namespace

const std::vector<ModelEntry>& models() {
  static const std::vector<ModelEntry> list = make_models();
  return list;
}

void add_models(std::vector<SubjectEntry>& table) {
  for (const ModelEntry& model : models()) {
    const ModelConfig config = model.config;
    table.push_back(entry(model.name, [config]<class T>(const Kernels<T>& k, std::uint64_t s) {
      return std::unique_ptr<Subject<T>>(std::make_unique<ModelSubject<T>>(config, k, s));
    }));
  }
}

const std::vector<SubjectEntry>& subjects() {
  static const std::vector<SubjectEntry> table = [] {
    std::vector<SubjectEntry> entries;
    add_operations(entries);
    add_layers(entries);
    add_models(entries);
    return entries;
  }();
  return table;
}

}  // namespace tp::test
