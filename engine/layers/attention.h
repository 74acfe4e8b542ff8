#pragma once

#include <memory>
#include <span>

#include "engine/core/arena.h"
#include "engine/layers/alibi.h"
#include "engine/layers/attention_mask.h"
#include "engine/layers/describe.h"
#include "engine/layers/dropout.h"
#include "engine/layers/keep.h"
#include "engine/layers/linear.h"
#include "engine/layers/rotary.h"
#include "engine/layers/sequence_layout.h"

// Multi-head attention (Vaswani et al., section 3.2). For queries from x and keys from m (m = x in
// self-attention, m = the encoder's output in cross-attention), and for each head h:
//
//   query = x W_q^T + b_q       key = m W_k^T + b_k       value = m W_v^T + b_v
//   scores_h  = query_h key_h^T / sqrt(d_head)      minus infinity where a query must not look;
//                                                   with a bias by distance where there is one
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

// Positions that act inside attention; one of them, or none.
template <class T>
struct AttentionPositions {
  std::shared_ptr<const Rotary<T>> rotary;
  std::shared_ptr<const Alibi<T>> alibi;
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
    Matrix<T> unturned;           // [n, 2d]: query and key before it, where everything is kept
    std::span<KeyRange> ranges;   // [n]: the keys that each query may see
    std::span<KeyRange> all_keys;        // [n]: every key, where everything is kept
    std::span<std::size_t> first_score;  // [sequences]: where the matrices of a sequence begin
    std::span<T> raw_scores;             // query key^T, where everything is kept
    std::span<T> scores, weights;        // in one place where only the weights are needed
    std::span<T> dropped;  // dropout(weights); the same place as weights when nothing is dropped
    Matrix<T> context;     // [n, d]

    Matrix<T> d_projected, d_projected_memory, d_query, d_key, d_value, d_context;
    Matrix<T> d_turned;  // [n, 2d]: of query and key after the rotation, where everything is kept
    std::span<T> d_weights, d_scores;  // in one place likewise
  };

  Attention() = default;
  Attention(const Kernels<T>& kernels, const AttentionParameters<T>& parameters, int heads,
            const AttentionMask& mask, AttentionPositions<T> positions, Dropout<T> dropout);

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

  // Of the queries' x and the memory m (the same in self-attention), into `output`.
  TensorId describe(PassVisitor<T>& visitor, const Cache& cache, TensorId x, TensorId m,
                    const SublayerOutput<T>& output) const;

  // In the products of a forward pass of one sequence.
  double operations_self(int tokens, Cells cells) const;
  double operations_cross(int queries, int keys, Cells cells) const;

  // Decoding token by token. Keys and values of earlier tokens (or of the memory) stay; the same
  // kernels work on the same numbers, row by row, and so give the same bits as forward.
  struct MemoryRows {  // of one sequence
    int first, count;
  };
  struct Past {
    int longest = 0;               // self: rows of each sequence
    Matrix<T> key, value;          // self: [sequences * longest, d]; cross: [n_m, d], for all
    Matrix<T> projected, context;  // of one step, [sequences, 3d] and [sequences, d]
    Matrix<T> scores;              // [1, keys]

    Matrix<T> of_sequence(Matrix<T> kept, int sequence) const {
      return kept.row_range(sequence * longest, longest);
    }
  };
  void prepare_past_self(Arena& arena, int sequences, int longest, Past& past) const;
  void prepare_past_cross(Arena& arena, int sequences, int memory_rows, Past& past) const;
  void read_memory(ConstMatrix<T> memory, Past& past) const;
  // x, y [sequences, d]: the tokens that stand at `position`.
  void step_self(ConstMatrix<T> x, int position, Past& past, Matrix<T> y) const;
  // Sequence s looks at the rows memory[s].
  void step_cross(ConstMatrix<T> x, int position, std::span<const MemoryRows> memory, Past& past,
                  Matrix<T> y) const;
  // The query at `position` looks at key, value [keys, d]; `scores` has room for [1, keys].
  void attend_one(ConstMatrix<T> query, ConstMatrix<T> key, ConstMatrix<T> value, int position,
                  Matrix<T> scores, Matrix<T> context) const;

 private:
  void prepare_attention(Arena& arena, const DropoutRun& run, Keep keep, Cache& cache) const;
  // Whether the heads of a sequence write the gradients of their scores over each other's.
  static bool shares_gradients(const Cache& cache);
  Matrix<T> gradient_of_head(std::span<T> blocks, const Cache& cache, int sequence, int head) const;
  // Whether query and key are kept as they are before the rotation, too.
  bool keeps_unturned(const Cache& cache) const {
    return positions_.rotary != nullptr && cache.keep == Keep::everything;
  }
  // for_each_head of attention_prefetch.h, which prefetches the weights and `rows`.
  template <class Rows, class... Steps>
  void for_all_heads(const Cache& cache, Rows rows, Steps... steps) const;
  void attend(const DropoutRun& run, Cache& cache) const;
  void attend_backward(Cache& cache) const;
  void lay_out_band(Cache& cache) const;
  void hide(Matrix<T> scores, KeyRanges ranges, int first_query, Keep keep) const;
  T scale() const;

  const Kernels<T>* kernels_ = nullptr;
  int d_model_ = 0;
  int heads_ = 1;
  AttentionMask mask_;
  AttentionPositions<T> positions_;
  Linear<T> in_proj_;         // [3d, d]: query, key and value at once
  Linear<T> query_proj_;      // its first d rows
  Linear<T> key_value_proj_;  // its other 2d rows
  Linear<T> out_proj_;
  Dropout<T> dropout_;
};

}  // namespace tp
