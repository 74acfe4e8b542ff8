#include "engine/model/stack.h"

#include <algorithm>

namespace tp {

template <class T>
Stack<T>::Stack(LayerBuilder<T>& builder, const std::string& name, int layers, int above,
                BlockKind kind)
    : name_(name), d_model_(builder.config.d_model) {
  for (int i = 0; i < layers; ++i) {
    builder.enter(name + ".layers." + std::to_string(i), above + layers - i);
    layers_.emplace_back(builder, kind);
  }
  // It goes with what reads it.
  builder.enter(name + ".norm", above);
  if (builder.config.final_norm) norm_ = builder.norm("");
}

// ---------------------------------------------------------------------------------------- buffers

template <class T>
void Stack<T>::prepare(Arena& arena, const DropoutRun& run, GradientMemory memory, Cache& cache,
                       const SequenceLayout& layout, const SequenceLayout* memory_layout) const {
  cache.layers.resize(layers_.size());
  const Keep keep = memory == GradientMemory::kept ? Keep::everything : Keep::needed;
  const auto prepare_layer = [&](int i) {
    layers_[i].prepare(arena, layout, memory_layout, run, keep, cache.layers[i]);
  };
  cache.recomputes = memory == GradientMemory::recomputed;
  if (cache.recomputes) {
    arena.overlap(depth(), prepare_layer);
    for (auto& layer : cache.layers) layer.output = arena.matrix<T>(layout.tokens(), d_model_);
  } else {
    for (int i = 0; i < depth(); ++i) prepare_layer(i);
  }
  cache.normed = {};
  if (norm_) {
    norm_->prepare(arena, layout.tokens(), cache.norm);
    cache.normed = arena.matrix<T>(layout.tokens(), d_model_);
  }
}

template <class T>
void Stack<T>::prepare_gradients(Arena& arena, GradientMemory memory, Cache& cache) const {
  const int tokens = cache.layers.back().output.rows;
  cache.d_normed_input = norm_ ? arena.matrix<T>(tokens, d_model_) : Matrix<T>();
  if (memory == GradientMemory::kept) {
    for (auto& layer : cache.layers) layer.d_input = arena.matrix<T>(tokens, d_model_);
    for (int i = 0; i < depth(); ++i) layers_[i].prepare_gradients(arena, cache.layers[i]);
    return;
  }
  // A layer reads the gradient that the one above wrote and writes its own: two places in turn.
  const Matrix<T> in_turn[2] = {arena.matrix<T>(tokens, d_model_),
                                arena.matrix<T>(tokens, d_model_)};
  for (int i = 0; i < depth(); ++i) cache.layers[i].d_input = in_turn[i % 2];
  arena.overlap(depth(), [&](int i) { layers_[i].prepare_gradients(arena, cache.layers[i]); });
}

// ------------------------------------------------------------------------------------- the passes

template <class T>
void Stack<T>::begin_forward(const DropoutRun& run, Cache& cache, ConstMatrix<T> x,
                             ConstMatrix<T> memory) const {
  cache.run = run;
  cache.input = x;
  cache.memory = memory;
}

template <class T>
void Stack<T>::forward_layer(int i, Cache& cache) const {
  compute_layer(i, cache);
  if (i + 1 < depth()) return;
  cache.output = cache.layers[i].output;
  if (norm_) {
    norm_->forward(cache.output, cache.normed, cache.norm);
    cache.output = cache.normed;
  }
}

template <class T>
void Stack<T>::compute_layer(int i, Cache& cache) const {
  const ConstMatrix<T> x = i == 0 ? cache.input : ConstMatrix<T>(cache.layers[i - 1].output);
  layers_[i].forward(x, cache.memory, cache.run, cache.layers[i]);
}

template <class T>
void Stack<T>::backward_layer(int i, Cache& cache, ConstMatrix<T> d_output,
                              Matrix<T> d_memory) const {
  ConstMatrix<T> d_x = d_output;
  if (i + 1 < depth()) {
    d_x = cache.layers[i + 1].d_input;
    // Only the last layer's activations are still there.
    if (cache.recomputes) compute_layer(i, cache);
  } else if (norm_) {
    norm_->backward(d_x, cache.norm, cache.d_normed_input);
    d_x = cache.d_normed_input;
  }
  layers_[i].backward(d_x, cache.layers[i], d_memory);
}

// ----------------------------------------------------------------------------------------- a look

template <class T>
TensorId Stack<T>::describe(PassVisitor<T>& visitor, const Cache& cache, TensorId x,
                            TensorId memory, ConstMatrix<T> d_output) const {
  using Scope = typename PassVisitor<T>::Scope;
  for (int i = 0; i < depth(); ++i) {
    const Scope scope(visitor, name_, i);
    const bool last = i + 1 == depth();
    if (cache.recomputes && !last) {
      x = layers_[i].describe_output(visitor, cache.layers[i], x);
      continue;
    }
    const ConstMatrix<T> d_layer = !last   ? cache.layers[i + 1].d_input
                                   : norm_ ? ConstMatrix<T>(cache.d_normed_input)
                                           : d_output;
    x = layers_[i].describe(visitor, cache.layers[i], x, memory, d_layer);
  }
  if (!norm_) return x;
  const Scope scope(visitor, name_), inner(visitor, "norm");
  return norm_->describe(visitor, cache.norm, x, cache.normed, d_output);
}

template <class T>
double Stack<T>::operations(int tokens, int memory_tokens, Cells cells) const {
  double sum = 0;
  for (const Block<T>& layer : layers_) sum += layer.operations(tokens, memory_tokens, cells);
  return sum;
}

// --------------------------------------------------------------------------------- token by token

template <class T>
void Stack<T>::prepare_past(Arena& arena, int sequences, int longest, int memory_rows,
                            Past& past) const {
  past.layers.resize(layers_.size());
  for (int i = 0; i < depth(); ++i) {
    layers_[i].prepare_past(arena, sequences, longest, memory_rows, past.layers[i]);
  }
  past.spare = arena.matrix<T>(sequences * longest, d_model_);
  for (Matrix<T>& output : past.outputs) output = arena.matrix<T>(sequences, d_model_);
  past.normed = arena.matrix<T>(sequences, d_model_);
  if (norm_) norm_->prepare(arena, sequences, past.norm);
  past.length = 0;
  const std::size_t mark = arena.used();
  typename Block<T>::Cache step;
  layers_.front().prepare_step(arena, sequences, step);
  arena.rewind(mark);
}

template <class T>
void Stack<T>::read_memory(ConstMatrix<T> memory, Past& past) const {
  for (int i = 0; i < depth(); ++i) layers_[i].read_memory(memory, past.layers[i]);
}

template <class T>
ConstMatrix<T> Stack<T>::step(Arena& scratch, ConstMatrix<T> x, Past& past) const {
  for (int i = 0; i < depth(); ++i) {
    const Matrix<T> output = past.outputs[i % 2].row_range(0, x.rows);
    layers_[i].step(scratch, x, past.length, past.memory, past.layers[i], output);
    x = output;
  }
  ++past.length;
  if (!norm_) return x;
  const Matrix<T> normed = past.normed.row_range(0, x.rows);
  norm_->forward(x, normed, past.norm);
  return normed;
}

template <class T>
void Stack<T>::reorder(std::span<const int> origins, Past& past) const {
  const auto memory = past.memory;
  past.memory.clear();
  for (const int origin : origins) past.memory.push_back(memory[origin]);
  for (typename Block<T>::Past& layer : past.layers) {
    auto& kept = layer.self_attention;
    for (Matrix<T>* one : {&kept.key, &kept.value}) {
      for (std::size_t s = 0; s < origins.size(); ++s) {
        const std::span<T> from =
            kept.of_sequence(*one, origins[s]).row_range(0, past.length).flat();
        std::copy(from.begin(), from.end(), kept.of_sequence(past.spare, static_cast<int>(s)).data);
      }
      std::swap(*one, past.spare);
    }
  }
}

template class Stack<float>;
template class Stack<double>;

}  // namespace tp
