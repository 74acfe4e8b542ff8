#pragma once

#include "engine/layers/cross_entropy.h"
#include "engine/layers/pooling.h"
#include "engine/layers/squared_error.h"
#include "engine/model/batch.h"
#include "engine/model/layer_builder.h"

// Where a model ends: the last stack's output becomes logits or numbers, and those a loss.
//
//   tokens           logits = x W^T + b               [tokens, vocabulary]   cross-entropy
//   classification   logits = pool(x) W^T + b         [sequences, classes]   cross-entropy
//   regression       logits = pool(x) W^T + b         [sequences, outputs]   mean squared error

namespace tp {

template <class T>
class Head {
 public:
  struct Cache {
    typename Pooling<T>::Cache pooling;
    typename Linear<T>::Cache generator;
    typename CrossEntropy<T>::Cache cross_entropy;
    typename SquaredError<T>::Cache squared_error;
    Matrix<T> pooled;  // [sequences, d]; empty where every token answers
    Matrix<T> logits;
    T loss = 0;

    Matrix<T> d_logits, d_pooled, d_input;
  };

  explicit Head(LayerBuilder<T>& builder);

  void prepare(Arena& arena, const SequenceLayout& layout, Cache& cache) const;
  void prepare_gradients(Arena& arena, const SequenceLayout& layout, Cache& cache) const;
  void forward(ConstMatrix<T> x, const SequenceLayout& layout, Cache& cache) const;
  // To cache.loss. The batch holds the answers.
  void measure(const Batch<T>& batch, Cache& cache) const;
  // From loss_scale * loss (`measure` first) to cache.d_input.
  void backward(Cache& cache, T loss_scale) const;

  TensorId describe(PassVisitor<T>& visitor, const Cache& cache, TensorId x,
                    const SequenceLayout& layout) const;
  // In the products of a forward pass of one sequence.
  double operations(int tokens) const {
    return generator_.operations(kind_ == HeadKind::tokens ? tokens : 1);
  }
  // The logits of single tokens, for decoding.
  void score(ConstMatrix<T> x, Matrix<T> logits) const {
    typename Linear<T>::Cache unused;
    generator_.forward(x, logits, unused);
  }

  void set_label_smoothing(double smoothing) {
    cross_entropy_.set_smoothing(static_cast<T>(smoothing));
  }

 private:
  HeadKind kind_;
  int d_model_;
  Pooling<T> pooling_;
  Linear<T> generator_;
  CrossEntropy<T> cross_entropy_;
  SquaredError<T> squared_error_;
};

}  // namespace tp
