#pragma once

#include <optional>

#include "engine/model/layer_builder.h"

// A block of a stack:
//
//   attended = residual1(x, self_attention)
//   crossed  = residual2(attended, cross_attention to memory)     in blocks that read a memory
//   output   = residual3(crossed, feed_forward)                   residual2 of attended in others
//
//   x, attended, crossed, output [tokens, d]   memory [tokens of the other side, d]
//
// What makes a block a decoder's is its causal mask and, if there is an encoder, cross-attention.
// See residual.h for pre- and post-norm.

namespace tp {

struct BlockKind {
  bool causal = false;
  bool reads_memory = false;
};

template <class T>
class Block {
 public:
  struct Cache {
    typename Attention<T>::Cache self_attention, cross_attention;
    typename FeedForward<T>::Cache feed_forward;
    typename Residual<T>::Cache around_self, around_cross, around_feed_forward;
    Matrix<T> attended, crossed, output;

    Matrix<T> d_crossed, d_attended, d_input;
  };

  // Its parameters belong to the layer that the builder has entered.
  Block(LayerBuilder<T>& builder, BlockKind kind);

  // memory_layout: of blocks that read a memory.
  void prepare(Arena& arena, const SequenceLayout& layout, const SequenceLayout* memory_layout,
               const DropoutRun& run, Keep keep, Cache& cache) const;
  void prepare_gradients(Arena& arena, Cache& cache) const;
  void forward(ConstMatrix<T> x, ConstMatrix<T> memory, const DropoutRun& run, Cache& cache) const;
  // d_output to cache.d_input; adds to d_memory.
  void backward(ConstMatrix<T> d_output, Cache& cache, Matrix<T> d_memory) const;

  TensorId describe(PassVisitor<T>& visitor, const Cache& cache, TensorId x, TensorId memory,
                    ConstMatrix<T> d_output) const;
  // Of a block whose insides were written over.
  TensorId describe_output(PassVisitor<T>& visitor, const Cache& cache, TensorId x) const;
  // In the products of a forward pass of one sequence.
  double operations(int tokens, int memory_tokens, Cells cells) const;

  // Decoding token by token: what is kept of earlier tokens and of the memory.
  struct Past {
    typename Attention<T>::Past self_attention, cross_attention;
  };
  void prepare_past(Arena& arena, int sequences, int longest, int memory_rows, Past& past) const;
  void read_memory(ConstMatrix<T> memory, Past& past) const;
  // x, y [sequences, d]: the tokens that stand at `position`. `scratch` has room for
  // prepare_step.
  void prepare_step(Arena& scratch, int sequences, Cache& cache) const;
  using MemoryRows = typename Attention<T>::MemoryRows;
  void step(Arena& scratch, ConstMatrix<T> x, int position, std::span<const MemoryRows> memory,
            Past& past, Matrix<T> y) const;

  const Attention<T>& self_attention() const { return self_attention_; }
  const std::optional<Attention<T>>& cross_attention() const { return cross_attention_; }

 private:
  // Which residual of the block that around the feed-forward net is.
  int last() const { return cross_attention_ ? 3 : 2; }
  // What the feed-forward net reads.
  Matrix<T> middle(const Cache& cache) const {
    return cross_attention_ ? cache.crossed : cache.attended;
  }
  Matrix<T> d_middle(const Cache& cache) const {
    return cross_attention_ ? cache.d_crossed : cache.d_attended;
  }

  int d_model_;
  Attention<T> self_attention_;
  std::optional<Attention<T>> cross_attention_;
  FeedForward<T> feed_forward_;
  Residual<T> around_self_;
  std::optional<Residual<T>> around_cross_;
  Residual<T> around_feed_forward_;
};

}  // namespace tp
