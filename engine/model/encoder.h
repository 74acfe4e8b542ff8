#pragma once

#include <string>

#include "engine/model/stack.h"

// A block with self-attention, and a stack of them:
//
//   middle = residual1(x, self_attention)
//   output = residual2(middle, feed_forward)        (see residual.h for pre- and post-norm)
//
//   x, middle, output [tokens, d]
//
// With a causal pattern the same stack is the whole of a decoder-only model: what makes a block a
// decoder's is its mask and, if there is an encoder, cross-attention (see decoder.h).

namespace tp {

template <class T>
class EncoderLayer {
 public:
  static constexpr bool kReadsMemory = false;

  struct Cache {
    typename Attention<T>::Cache self_attention;
    typename FeedForward<T>::Cache feed_forward;
    typename Residual<T>::Cache residual1, residual2;
    Matrix<T> middle, output;

    Matrix<T> d_middle, d_input;
  };

  EncoderLayer(LayerBuilder<T>& builder, const std::string& name, bool causal);

  void prepare(Arena& arena, const SequenceLayout& layout, const DropoutRun& run, Keep keep,
               Cache& cache) const;
  void prepare_gradients(Arena& arena, Cache& cache) const;
  void forward(ConstMatrix<T> x, const DropoutRun& run, Cache& cache) const;
  // d_output to cache.d_input.
  void backward(ConstMatrix<T> d_output, Cache& cache) const;

  const Attention<T>& self_attention() const { return self_attention_; }
  const FeedForward<T>& feed_forward() const { return feed_forward_; }
  const Residual<T>& residual1() const { return residual1_; }
  const Residual<T>& residual2() const { return residual2_; }

 private:
  int d_model_;
  Attention<T> self_attention_;
  FeedForward<T> feed_forward_;
  Residual<T> residual1_, residual2_;
};

template <class T>
using Encoder = Stack<T, EncoderLayer<T>>;

}  // namespace tp
