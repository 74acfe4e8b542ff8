#pragma once

#include <string>
#include <vector>

#include "engine/model/layer_builder.h"

// Layers on top of each other, and the norm at their end:
//
//   x_0 = x      x_{i+1} = layer_i(x_i)      output = norm(x_L), or x_L without a final norm
//
// A layer that also reads a memory (a decoder's) gets it passed on.

namespace tp {

// How much of a pass stays in memory.
//   kept        everything, to look at
//   shared      what backward reads, to train: each step is written over what nobody needs any
//               more, and layers write their gradients of activations over each other's
//   recomputed  and their activations too: of each layer only the output stays, and backward runs
//               its forward pass again (gradient checkpointing). The bits are the same.
enum class GradientMemory { shared, kept, recomputed };

template <class T, class LayerType>
class Stack {
 public:
  using Layer = LayerType;
  struct Cache {
    std::vector<typename Layer::Cache> layers;
    typename LayerNorm<T>::Cache norm;
    Matrix<T> normed;       // empty without a final norm
    ConstMatrix<T> output;  // normed, or the last layer's output

    // What forward was given, for backward to run it again.
    bool recomputes = false;
    ConstMatrix<T> input, memory;
    DropoutRun run;

    Matrix<T> d_normed_input;  // of the final norm
  };

  Stack() = default;
  // `name` is "encoder" or "decoder"; `options` are for the layers.
  template <class... Options>
  Stack(LayerBuilder<T>& builder, const std::string& name, int layers, Options... options)
      : d_model_(builder.config.d_model), has_norm_(builder.config.final_norm) {
    for (int i = 0; i < layers; ++i) {
      layers_.emplace_back(builder, name + ".layers." + std::to_string(i), options...);
    }
    if (has_norm_) norm_ = builder.norm(name + ".norm");
  }

  // memory_layout: of the memory, for layers that read one.
  template <class... Layouts>
  void prepare(Arena& arena, const DropoutRun& run, GradientMemory memory, Cache& cache,
               const SequenceLayout& layout, const Layouts&... memory_layout) const {
    cache.layers.resize(layers_.size());
    const Keep keep = memory == GradientMemory::kept ? Keep::everything : Keep::needed;
    const auto prepare_layer = [&](int i) {
      layers_[i].prepare(arena, layout, memory_layout..., run, keep, cache.layers[i]);
    };
    const auto count = static_cast<int>(layers_.size());
    cache.recomputes = memory == GradientMemory::recomputed;
    if (cache.recomputes) {
      arena.overlap(count, prepare_layer);
      for (auto& layer : cache.layers) layer.output = arena.matrix<T>(layout.tokens(), d_model_);
    } else {
      for (int i = 0; i < count; ++i) prepare_layer(i);
    }
    cache.normed = {};
    if (has_norm_) {
      norm_.prepare(arena, layout.tokens(), cache.norm);
      cache.normed = arena.matrix<T>(layout.tokens(), d_model_);
    }
  }

  void prepare_gradients(Arena& arena, GradientMemory memory, Cache& cache) const {
    const int tokens = cache.layers.back().output.rows;
    const auto count = static_cast<int>(layers_.size());
    cache.d_normed_input = has_norm_ ? arena.matrix<T>(tokens, d_model_) : Matrix<T>();
    if (memory == GradientMemory::kept) {
      for (auto& layer : cache.layers) layer.d_input = arena.matrix<T>(tokens, d_model_);
      for (int i = 0; i < count; ++i) layers_[i].prepare_gradients(arena, cache.layers[i]);
      return;
    }
    // A layer reads the gradient that the one above wrote and writes its own: two places in turn.
    const Matrix<T> in_turn[2] = {arena.matrix<T>(tokens, d_model_),
                                  arena.matrix<T>(tokens, d_model_)};
    for (int i = 0; i < count; ++i) cache.layers[i].d_input = in_turn[i % 2];
    arena.overlap(count, [&](int i) { layers_[i].prepare_gradients(arena, cache.layers[i]); });
  }

  // To cache.output.
  template <class... Memory>
  void forward(const DropoutRun& run, Cache& cache, ConstMatrix<T> x, Memory... memory) const {
    begin_forward(run, cache, x, memory...);
    for (std::size_t i = 0; i < layers_.size(); ++i) forward_layer(i, cache);
  }
  // The same a layer at a time, from the first to the last, which the final norm belongs to.
  template <class... Memory>
  void begin_forward(const DropoutRun& run, Cache& cache, ConstMatrix<T> x,
                     Memory... memory) const {
    cache.run = run;
    cache.input = x;
    ((cache.memory = memory), ...);
  }
  void forward_layer(std::size_t i, Cache& cache) const {
    compute_layer(i, cache);
    if (i + 1 < layers_.size()) return;
    cache.output = cache.layers[i].output;
    if (has_norm_) {
      norm_.forward(cache.output, cache.normed, cache.norm);
      cache.output = cache.normed;
    }
  }

  // Returns the gradient of x. Each layer adds its part to d_memory.
  template <class... Memory>
  ConstMatrix<T> backward(Cache& cache, ConstMatrix<T> d_output, Memory... d_memory) const {
    for (std::size_t i = layers_.size(); i-- > 0;) backward_layer(i, cache, d_output, d_memory...);
    return cache.layers.front().d_input;
  }
  // The same a layer at a time, from the last to the first.
  template <class... Memory>
  void backward_layer(std::size_t i, Cache& cache, ConstMatrix<T> d_output,
                      Memory... d_memory) const {
    ConstMatrix<T> d_x = d_output;
    if (i + 1 < layers_.size()) {
      d_x = cache.layers[i + 1].d_input;
      // Only the last layer's activations are still there.
      if (cache.recomputes) compute_layer(i, cache);
    } else if (has_norm_) {
      norm_.backward(d_x, cache.norm, cache.d_normed_input);
      d_x = cache.d_normed_input;
    }
    layers_[i].backward(d_x, cache.layers[i], d_memory...);
  }

  const std::vector<Layer>& layers() const { return layers_; }
  const LayerNorm<T>& norm() const { return norm_; }

 private:
  void compute_layer(std::size_t i, Cache& cache) const {
    const ConstMatrix<T> x = i == 0 ? cache.input : ConstMatrix<T>(cache.layers[i - 1].output);
    if constexpr (Layer::kReadsMemory) {
      layers_[i].forward(x, cache.memory, cache.run, cache.layers[i]);
    } else {
      layers_[i].forward(x, cache.run, cache.layers[i]);
    }
  }

  int d_model_ = 0;
  std::vector<Layer> layers_;
  bool has_norm_ = false;
  LayerNorm<T> norm_;
};

}  // namespace tp
