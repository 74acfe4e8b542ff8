#pragma once

#include <initializer_list>
#include <span>

#include "engine/core/arena.h"
#include "engine/layers/attention_mask.h"
#include "engine/layers/dropout.h"
#include "engine/layers/keep.h"
#include "engine/layers/linear.h"
#include "engine/layers/rotary.h"
#include "engine/layers/sequence_layout.h"

// Multi-head attention (Vaswani et al., section 3.2). For queries from x and keys from m (m = x in
// self-attention, m = the encoder's output in cross-attention), and for each head h:
//
//   query = x W_q^T + b_q       key = m W_k^T + b_k       value = m W_v^T + b_v
//   scores_h  = query_h key_h^T / sqrt(d_head)      minus infinity where a query must not look
//   weights_h = softmax(scores_h)                   each row sums to 1
//   context_h = dropout(weights_h) value_h
//   y = [context_1 ... context_H] W_o^T + b_o
//
//   x [n, d]   m [n_m, d]   in_proj_weight [3d, d] = W_q over W_k over W_v   W_o [d, d]   y [n, d]
//   query, context [n, d] and key, value [n_m, d]: the heads side by side, d_head = d / H columns
//   each scores, weights: one matrix [queries, keys] for each sequence and head, one after another
//
// Rows are packed (see SequenceLayout): a query meets the keys of its own sequence only.

namespace tp {

template <class T>
struct AttentionParameters {
  Parameter<T> in_proj_weight, in_proj_bias, out_proj_weight, out_proj_bias;
};

template <class T>
class Attention {
 public:
  struct Cache {
    const SequenceLayout* queries = nullptr;
    const SequenceLayout* keys = nullptr;

    typename Linear<T>::Cache in_proj, query_proj, key_value_proj, out_proj;
    typename Dropout<T>::Cache dropout;
    Keep keep = Keep::everything;
    Matrix<T> projected;          // self: [n, 3d] holding query, key and value; cross: query [n, d]
    Matrix<T> projected_memory;   // cross: [n_m, 2d] holding key and value
    Matrix<T> query, key, value;  // views of these; after the rotation, where positions are rotary
    std::span<KeyRange> ranges;   // [n]: the keys that each query may see
    std::span<std::size_t> first_score;  // [sequences]: where the matrices of a sequence begin
    std::span<T> scores, weights;        // in one place where only the weights are needed
    std::span<T> dropped;  // dropout(weights); the same place as weights when nothing is dropped
    Matrix<T> context;     // [n, d]

    Matrix<T> d_projected, d_projected_memory, d_query, d_key, d_value, d_context;
    std::span<T> d_weights, d_scores;  // in one place likewise
  };

  Attention() = default;
  Attention(const Kernels<T>& kernels, const AttentionParameters<T>& parameters, int heads,
            const AttentionMask& mask, const Rotary<T>* rotary, Dropout<T> dropout);

  // Lays out the buffers. The layouts must stay where they are until backward is done.
  void prepare_self(Arena& arena, const SequenceLayout& layout, const DropoutRun& run, Cache& cache,
                    Keep keep = Keep::everything) const;
  void prepare_cross(Arena& arena, const SequenceLayout& queries, const SequenceLayout& keys,
                     const DropoutRun& run, Cache& cache, Keep keep = Keep::everything) const;
  void prepare_gradients(Arena& arena, Cache& cache) const;

  void forward_self(ConstMatrix<T> x, const DropoutRun& run, Matrix<T> y, Cache& cache) const;
  void backward_self(ConstMatrix<T> d_y, Cache& cache, Matrix<T> d_x) const;

  void forward_cross(ConstMatrix<T> x, ConstMatrix<T> memory, const DropoutRun& run, Matrix<T> y,
                     Cache& cache) const;
  // Adds to d_memory: every layer of a decoder reads the same memory.
  void backward_cross(ConstMatrix<T> d_y, Cache& cache, Matrix<T> d_x, Matrix<T> d_memory) const;

  int heads() const { return heads_; }
  int d_model() const { return d_model_; }
  int d_head() const { return d_model_ / heads_; }

  // The matrix [queries, keys] of one sequence and head inside scores, weights or their gradients.
  Matrix<T> of_head(std::span<T> blocks, const Cache& cache, int sequence, int head) const;
  // Columns of one head, rows of one sequence, of query, key, value, context or their gradients.
  Matrix<T> of_head(Matrix<T> side_by_side, const SequenceLayout& layout, int sequence,
                    int head) const;

  // The pieces of the forward pass for decoding token by token, with keys and values kept from
  // earlier tokens. They use the same kernels on the same numbers, row by row, and so give the same
  // bits as forward.
  void project_self(ConstMatrix<T> x, Matrix<T> projected) const;         // [n, 3d]
  void project_query(ConstMatrix<T> x, Matrix<T> query) const;            // [n, d]
  void project_memory(ConstMatrix<T> memory, Matrix<T> key_value) const;  // [n_m, 2d]
  void rotate_at(Matrix<T> query_or_key, int position) const;             // no-op without rotary
  // The query at `position` looks at key, value [keys, d]; `scores` has room for [1, keys].
  void attend_one(ConstMatrix<T> query, ConstMatrix<T> key, ConstMatrix<T> value, int position,
                  Matrix<T> scores, Matrix<T> context) const;
  void project_out(ConstMatrix<T> context, Matrix<T> y) const;

 private:
  void prepare_attention(Arena& arena, const DropoutRun& run, Keep keep, Cache& cache) const;
  // Whether the heads of a sequence write the gradients of their scores over each other's.
  static bool shares_gradients(const Cache& cache);
  Matrix<T> gradient_of_head(std::span<T> blocks, const Cache& cache, int sequence, int head) const;
  template <int kAsks, class Soon, class OfHead>
  void for_each_head(const Cache& cache, Soon soon, OfHead of_head) const;
  // The number-th of so many equal shares of a sequence.
  struct Share {
    int sequence, number, shares;
    Matrix<T> of(Matrix<T> rows) const;
  };
  void prefetch_share(Share share, const SequenceLayout& layout,
                      std::initializer_list<Matrix<T>> side_by_side) const;
  void prefetch_weights(Share share, const Cache& cache) const;
  void attend(const DropoutRun& run, Cache& cache) const;
  void attend_backward(Cache& cache) const;
  void lay_out_band(Cache& cache) const;
  void hide(Matrix<T> scores, KeyRanges ranges, int first_query, Keep keep) const;
  T scale() const;

  const Kernels<T>* kernels_ = nullptr;
  int d_model_ = 0;
  int heads_ = 1;
  AttentionMask mask_;
  const Rotary<T>* rotary_ = nullptr;
  Linear<T> in_proj_;         // [3d, d]: query, key and value at once
  Linear<T> query_proj_;      // its first d rows
  Linear<T> key_value_proj_;  // its other 2d rows
  Linear<T> out_proj_;
  Dropout<T> dropout_;
};

}  // namespace tp
