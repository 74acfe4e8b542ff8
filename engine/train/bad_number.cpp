#include "engine/train/bad_number.h"

#include <algorithm>
#include <cmath>

namespace tp {
namespace {

// Remembers the first tensor that fails.
class Search {
 public:
  void look(const std::string& path, std::span<const float> values) {
    if (found.empty() && !all_finite(values)) found = path;
  }
  void look(const std::string& path, ConstMatrix<float> values) {
    for (int i = 0; i < values.rows && found.empty(); ++i) {
      look(path, std::span(values.row(i), static_cast<std::size_t>(values.columns)));
    }
  }
  std::string found;
};

class ForwardSearch {
 public:
  ForwardSearch(const Transformer<float>& model, const Activations<float>& activations)
      : model_(model), a_(activations) {}

  std::string run() {
    for (const ParameterEntry& entry : model_.parameters().entries()) {
      search_.look(entry.name, model_.parameters().values().subspan(entry.offset, entry.count));
    }
    if (model_.source()) {
      input("source", a_.source);
      encoder("encoder", a_.encoder);
    }
    if (model_.target()) {
      input("target", a_.target);
      if (model_.source()) {
        decoder();
      } else {
        encoder("decoder", a_.decoder_alone);
      }
    }
    search_.look("head.pooled", a_.head.pooled);
    search_.look("head.logits", a_.head.logits);
    search_.look("head.losses", a_.head.cross_entropy.losses);
    return search_.found;
  }

 private:
  void input(const std::string& path, const Input<float>::Cache& cache) {
    search_.look(path + ".embedded", cache.embedded);
    search_.look(path + ".output", cache.output);
  }

  void attention(const std::string& path, const Attention<float>::Cache& cache) {
    search_.look(path + ".query", cache.query);
    search_.look(path + ".key", cache.key);
    search_.look(path + ".value", cache.value);
    // Scores are minus infinity where a query must not look; the weights tell.
    search_.look(path + ".weights", cache.weights);
    search_.look(path + ".context", cache.context);
  }

  void feed_forward(const std::string& path, const FeedForward<float>::Cache& cache) {
    search_.look(path + ".feed_forward.hidden", cache.hidden);
    search_.look(path + ".feed_forward.activated", cache.activated);
  }

  // Of layers that are recomputed only the last one's insides and everyone's outputs are there.
  template <class StackCache>
  static bool has_insides(const StackCache& stack, std::size_t i) {
    return !stack.recomputes || i + 1 == stack.layers.size();
  }

  void encoder(const std::string& name, const Encoder<float>::Cache& stack) {
    for (std::size_t i = 0; i < stack.layers.size(); ++i) {
      const std::string path = name + "." + std::to_string(i);
      const auto& layer = stack.layers[i];
      if (has_insides(stack, i)) {
        attention(path + ".self_attn", layer.self_attention);
        search_.look(path + ".residual1", layer.middle);
        feed_forward(path, layer.feed_forward);
      }
      search_.look(path + ".residual2", layer.output);
    }
    search_.look(name + ".norm.output", stack.normed);
  }

  void decoder() {
    const Decoder<float>::Cache& stack = a_.decoder;
    for (std::size_t i = 0; i < stack.layers.size(); ++i) {
      const std::string path = "decoder." + std::to_string(i);
      const auto& layer = stack.layers[i];
      if (has_insides(stack, i)) {
        attention(path + ".self_attn", layer.self_attention);
        search_.look(path + ".residual1", layer.attended);
        attention(path + ".cross_attn", layer.cross_attention);
        search_.look(path + ".residual2", layer.crossed);
        feed_forward(path, layer.feed_forward);
      }
      search_.look(path + ".residual3", layer.output);
    }
    search_.look("decoder.norm.output", stack.normed);
  }

  const Transformer<float>& model_;
  const Activations<float>& a_;
  Search search_;
};

}  // namespace

bool all_finite(std::span<const float> values) {
  return std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
}

std::string first_bad_activation(const Transformer<float>& model,
                                 const Activations<float>& activations) {
  return ForwardSearch(model, activations).run();
}

std::string first_bad_gradient(const Transformer<float>& model) {
  const auto& entries = model.parameters().entries();
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    const auto gradient = model.parameters().gradients().subspan(entry->offset, entry->count);
    if (!all_finite(gradient)) return "gradient of " + entry->name;
  }
  return {};
}

}  // namespace tp
