#pragma once

#include <string>

#include "engine/model/stack.h"

// A block that reads its own past and an encoder's output, and a stack of them:
//
//   attended = residual1(x, causal self_attention)
//   crossed  = residual2(attended, cross_attention to memory)
//   output   = residual3(crossed, feed_forward)
//
//   x, attended, crossed, output [target tokens, d]   memory [source tokens, d]

namespace tp {

template <class T>
class DecoderLayer {
 public:
  static constexpr bool kReadsMemory = true;

  struct Cache {
    typename Attention<T>::Cache self_attention, cross_attention;
    typename FeedForward<T>::Cache feed_forward;
    typename Residual<T>::Cache residual1, residual2, residual3;
    Matrix<T> attended, crossed, output;

    Matrix<T> d_crossed, d_attended, d_input;
  };

  DecoderLayer(LayerBuilder<T>& builder, const std::string& name);

  void prepare(Arena& arena, const SequenceLayout& layout, const SequenceLayout& memory_layout,
               const DropoutRun& run, Keep keep, Cache& cache) const;
  void prepare_gradients(Arena& arena, Cache& cache) const;
  void forward(ConstMatrix<T> x, ConstMatrix<T> memory, const DropoutRun& run, Cache& cache) const;
  // d_output to cache.d_input; adds to d_memory.
  void backward(ConstMatrix<T> d_output, Cache& cache, Matrix<T> d_memory) const;

  const Attention<T>& self_attention() const { return self_attention_; }
  const Attention<T>& cross_attention() const { return cross_attention_; }
  const FeedForward<T>& feed_forward() const { return feed_forward_; }
  const Residual<T>& residual1() const { return residual1_; }
  const Residual<T>& residual2() const { return residual2_; }
  const Residual<T>& residual3() const { return residual3_; }

 private:
  int d_model_;
  Attention<T> self_attention_, cross_attention_;
  FeedForward<T> feed_forward_;
  Residual<T> residual1_, residual2_, residual3_;
};

template <class T>
using Decoder = Stack<T, DecoderLayer<T>>;

}  // namespace tp
