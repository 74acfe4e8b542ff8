#pragma once

#include <string>

#include "engine/model/transformer.h"
#include "engine/textbook/layer.h"

namespace tp::test {

// What dropout left out of one sequence in the engine's pass, for the textbook to leave out, too.
template <class T>
textbook::Tensors<T> masks_of(const Transformer<T>& model, const Activations<T>& activations,
                              const Batch<T>& batch, int s) {
  textbook::Tensors<T> masks;
  const auto rows = [&](const std::string& path, std::span<const T> mask,
                        const SequenceLayout& layout) {
    if (mask.empty()) return;
    const int columns = static_cast<int>(mask.size()) / layout.tokens();
    masks[path] = Eigen::Map<const textbook::Matrix<T>>(mask.data() + layout.begin(s) * columns,
                                                        layout.length(s), columns);
  };
  const auto heads = [&](const std::string& path, const Attention<T>& attention,
                         const typename Attention<T>::Cache& cache) {
    for (int h = 0; h < attention.heads() && !cache.dropout.mask.empty(); ++h) {
      const Matrix<T> mask = attention.of_head(cache.dropout.mask, cache, s, h);
      masks[path + ".head." + std::to_string(h) + ".weights"] =
          Eigen::Map<const textbook::Matrix<T>>(mask.data, mask.rows, mask.columns);
    }
  };
  const auto side = [&](const std::string& input, const std::string& stack, const Side<T>& layers,
                        const typename Side<T>::Cache& cache, const SequenceLayout& layout) {
    rows(input + ".output", cache.input.dropout.mask, layout);
    for (std::size_t i = 0; i < cache.stack.layers.size(); ++i) {
      const std::string path = stack + "." + std::to_string(i);
      const Block<T>& block = layers.stack.layers()[i];
      const typename Block<T>::Cache& of = cache.stack.layers[i];
      heads(path + ".self_attn", block.self_attention(), of.self_attention);
      rows(path + ".self_attn.output", of.around_self.dropout.mask, layout);
      if (block.cross_attention()) {
        heads(path + ".cross_attn", *block.cross_attention(), of.cross_attention);
        rows(path + ".cross_attn.output", of.around_cross.dropout.mask, layout);
      }
      rows(path + ".feed_forward.activated", of.feed_forward.dropout.mask, layout);
      rows(path + ".feed_forward.output", of.around_feed_forward.dropout.mask, layout);
    }
  };
  if (model.source()) {
    side("source", "encoder", *model.source(), activations.source, batch.source_layout);
  }
  if (model.target()) {
    side("target", "decoder", *model.target(), activations.target, batch.target_layout);
  }
  return masks;
}

}  // namespace tp::test
