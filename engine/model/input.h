#pragma once

#include <span>
#include <vector>

#include "engine/layers/embedding.h"
#include "engine/model/batch.h"
#include "engine/model/layer_builder.h"

// Where a stack begins: tokens or patches become vectors, and positions are added.
//
//   embedded = sqrt(d) E[ids]   or   patches W^T + b
//   output   = dropout(embedded + positions)
//
//   positions[i] = table[position of token i in its sequence], sinusoidal or learned; others act
//   inside attention instead, and `none` adds nothing
//
//   embedded, positions, output [tokens, d]

namespace tp {

template <class T>
class Input {
 public:
  struct Cache {
    typename Embedding<T>::Cache tokens;
    typename Linear<T>::Cache patches;
    typename Embedding<T>::Cache learned_positions;
    typename Dropout<T>::Cache dropout;
    std::span<int> position_ids;  // [tokens]: place of each token in its sequence
    Matrix<T> embedded;
    Matrix<T> positions;  // empty when nothing is added
    Matrix<T> output;

    Matrix<T> d_output, d_embedded;
    Matrix<T> d_patches;  // [tokens, patch_size]
  };

  // `side` is "src" or "tgt"; so many layers of the model stand `above`.
  Input(LayerBuilder<T>& builder, const std::string& side, InputKind kind, int above);

  void prepare(Arena& arena, const SequenceLayout& layout, const DropoutRun& run,
               Cache& cache) const;
  void prepare_gradients(Arena& arena, int tokens, Cache& cache) const;

  void forward_tokens(std::span<const int> ids, const SequenceLayout& layout, const DropoutRun& run,
                      Cache& cache) const;
  void forward_patches(ConstMatrix<T> patches, const SequenceLayout& layout, const DropoutRun& run,
                       Cache& cache) const;
  // From cache.d_output.
  void backward(Cache& cache) const;

  TensorId describe(PassVisitor<T>& visitor, const Cache& cache) const;
  // In the products of a forward pass of one sequence.
  double operations(int tokens) const {
    return kind_ == InputKind::patches ? patches_.operations(tokens) : 0;
  }

  // One token at `position`, for decoding: the same numbers as a row of forward_tokens.
  void embed_one(int id, int position, Matrix<T> output) const;

 private:
  void add_positions(const SequenceLayout& layout, const DropoutRun& run, Cache& cache) const;

  const Kernels<T>* kernels_;
  InputKind kind_;
  PositionKind positions_;
  int d_model_;
  int patch_size_;
  Embedding<T> tokens_;
  Linear<T> patches_;
  Embedding<T> learned_positions_;
  std::vector<T> sinusoidal_;  // [max_length, d]
  Dropout<T> dropout_;
};

}  // namespace tp
