#include "engine/layers/attention.h"

#include <algorithm>
#include <limits>

#include "engine/core/maths.h"
#include "engine/layers/attention_prefetch.h"

namespace tp {
namespace {

// The first columns of `from`, as many as `to` has.
template <class T>
void copy_rows(Matrix<T> from, Matrix<T> to) {
  for (int i = 0; i < to.rows; ++i) std::copy_n(from.row(i), to.columns, to.row(i));
}

}  // namespace

template <class T>
Attention<T>::Attention(const Kernels<T>& kernels, const AttentionParameters<T>& parameters,
                        int heads, const AttentionMask& mask, AttentionPositions<T> positions,
                        Dropout<T> dropout)
    : kernels_(&kernels),
      d_model_(parameters.out_proj_weight.value.rows),
      heads_(heads),
      mask_(mask),
      positions_(std::move(positions)),
      dropout_(dropout) {
  TP_CHECK(heads > 0 && d_model_ % heads == 0, "d_model must be a multiple of the heads");
  const auto& weight = parameters.in_proj_weight;
  const auto& bias = parameters.in_proj_bias;
  TP_CHECK(weight.value.rows == 3 * d_model_, "in_proj_weight is [3d, d]");
  const int d = d_model_;
  in_proj_ = Linear<T>(kernels, weight, bias);
  query_proj_ = Linear<T>(kernels, weight.row_range(0, d), bias.column_range(0, d));
  key_value_proj_ = Linear<T>(kernels, weight.row_range(d, 2 * d), bias.column_range(d, 2 * d));
  out_proj_ = Linear<T>(kernels, parameters.out_proj_weight, parameters.out_proj_bias);
}

template <class T>
T Attention<T>::scale() const {
  return T(1) / maths::sqrt(T(d_head()));
}

// ---------------------------------------------------------------------------------------- buffers

template <class T>
void Attention<T>::prepare_self(Arena& arena, const SequenceLayout& layout, const DropoutRun& run,
                                Cache& cache, Keep keep) const {
  const int d = d_model_;
  cache.queries = cache.keys = &layout;
  cache.projected = arena.matrix<T>(layout.tokens(), 3 * d);
  cache.projected_memory = {};
  cache.query = cache.projected.column_range(0, d);
  cache.key = cache.projected.column_range(d, d);
  cache.value = cache.projected.column_range(2 * d, d);
  prepare_attention(arena, run, keep, cache);
  cache.unturned = keeps_unturned(cache) ? arena.matrix<T>(layout.tokens(), 2 * d) : Matrix<T>();
}

template <class T>
void Attention<T>::prepare_cross(Arena& arena, const SequenceLayout& queries,
                                 const SequenceLayout& keys, const DropoutRun& run, Cache& cache,
                                 Keep keep) const {
  const int d = d_model_;
  TP_CHECK(queries.sequences() == keys.sequences(), "one source for each target");
  cache.queries = &queries;
  cache.keys = &keys;
  cache.projected = arena.matrix<T>(queries.tokens(), d);
  cache.projected_memory = arena.matrix<T>(keys.tokens(), 2 * d);
  cache.query = cache.projected;
  cache.key = cache.projected_memory.column_range(0, d);
  cache.value = cache.projected_memory.column_range(d, d);
  prepare_attention(arena, run, keep, cache);
  cache.unturned = {};
}

template <class T>
void Attention<T>::prepare_attention(Arena& arena, const DropoutRun& run, Keep keep,
                                     Cache& cache) const {
  std::size_t scores = 0;
  for (int s = 0; s < cache.queries->sequences(); ++s) {
    scores += static_cast<std::size_t>(heads_) *
              static_cast<std::size_t>(cache.queries->length(s)) *
              static_cast<std::size_t>(cache.keys->length(s));
  }
  cache.ranges = arena.array<KeyRange>(static_cast<std::size_t>(cache.queries->tokens()));
  cache.first_score =
      arena.array<std::size_t>(static_cast<std::size_t>(cache.queries->sequences()));
  cache.keep = keep;
  cache.weights = arena.array<T>(scores);
  const bool everything = keep == Keep::everything;
  cache.scores = everything ? arena.array<T>(scores) : cache.weights;
  cache.raw_scores = everything ? arena.array<T>(scores) : std::span<T>();
  cache.all_keys = everything ? arena.array<KeyRange>(cache.ranges.size()) : std::span<KeyRange>();
  cache.dropped = run.probability > 0 ? arena.array<T>(scores) : cache.weights;
  dropout_.prepare(arena, scores, run, cache.dropout);
  cache.context = arena.matrix<T>(cache.queries->tokens(), d_model_);
}

template <class T>
void Attention<T>::prepare_gradients(Arena& arena, Cache& cache) const {
  const int d = d_model_;
  cache.d_projected = arena.matrix<T>(cache.projected.rows, cache.projected.columns);
  cache.d_query = cache.d_projected.column_range(0, d);
  if (cache.projected_memory.columns == 0) {
    cache.d_projected_memory = {};
    cache.d_key = cache.d_projected.column_range(d, d);
    cache.d_value = cache.d_projected.column_range(2 * d, d);
  } else {
    cache.d_projected_memory = arena.matrix<T>(cache.projected_memory.rows, 2 * d);
    cache.d_key = cache.d_projected_memory.column_range(0, d);
    cache.d_value = cache.d_projected_memory.column_range(d, d);
  }
  cache.d_context = arena.matrix<T>(cache.context.rows, d);
  cache.d_turned =
      keeps_unturned(cache) ? arena.matrix<T>(cache.unturned.rows, 2 * d) : Matrix<T>();
  const std::size_t size = cache.weights.size();
  cache.d_weights =
      arena.array<T>(shares_gradients(cache) ? size / static_cast<std::size_t>(heads_) : size);
  cache.d_scores = cache.keep == Keep::everything ? arena.array<T>(size) : cache.d_weights;
}

template <class T>
bool Attention<T>::shares_gradients(const Cache& cache) {
  return cache.keep == Keep::needed && cache.dropout.mask.empty();
}

template <class T>
Matrix<T> Attention<T>::gradient_of_head(std::span<T> blocks, const Cache& cache, int sequence,
                                         int head) const {
  if (!shares_gradients(cache)) return of_head(blocks, cache, sequence, head);
  return {blocks.data() + cache.first_score[sequence] / static_cast<std::size_t>(heads_),
          cache.queries->length(sequence), cache.keys->length(sequence)};
}

template <class T>
Matrix<T> Attention<T>::of_head(std::span<T> blocks, const Cache& cache, int sequence,
                                int head) const {
  const int queries = cache.queries->length(sequence), keys = cache.keys->length(sequence);
  const std::size_t size = static_cast<std::size_t>(queries) * static_cast<std::size_t>(keys);
  return {blocks.data() + cache.first_score[sequence] + static_cast<std::size_t>(head) * size,
          queries, keys};
}

template <class T>
Matrix<T> Attention<T>::of_head(Matrix<T> side_by_side, const SequenceLayout& layout, int sequence,
                                int head) const {
  return side_by_side.row_range(layout.begin(sequence), layout.length(sequence))
      .column_range(head * d_head(), d_head());
}

// ---------------------------------------------------------------------------------------- forward

template <class T>
void Attention<T>::forward_self(ConstMatrix<T> x, const DropoutRun& run, Matrix<T> y,
                                Cache& cache) const {
  // query, key, value = x [W_q; W_k; W_v]^T + [b_q; b_k; b_v]
  in_proj_.forward(x, cache.projected, cache.in_proj);
  if (positions_.rotary != nullptr) {
    if (keeps_unturned(cache)) copy_rows(cache.projected, cache.unturned);
    positions_.rotary->turn(cache.query, *cache.queries, T(1));
    positions_.rotary->turn(cache.key, *cache.keys, T(1));
  }
  attend(run, cache);
  // y = context W_o^T + b_o
  out_proj_.forward(cache.context, y, cache.out_proj);
}

template <class T>
void Attention<T>::forward_cross(ConstMatrix<T> x, ConstMatrix<T> memory, const DropoutRun& run,
                                 Matrix<T> y, Cache& cache) const {
  query_proj_.forward(x, cache.projected, cache.query_proj);
  key_value_proj_.forward(memory, cache.projected_memory, cache.key_value_proj);
  attend(run, cache);
  out_proj_.forward(cache.context, y, cache.out_proj);
}

template <class T>
void Attention<T>::lay_out_band(Cache& cache) const {
  std::size_t first = 0;
  for (int s = 0; s < cache.queries->sequences(); ++s) {
    const int queries = cache.queries->length(s), keys = cache.keys->length(s);
    cache.first_score[s] = first;
    first += static_cast<std::size_t>(heads_) * static_cast<std::size_t>(queries) *
             static_cast<std::size_t>(keys);
    for (int q = 0; q < queries; ++q) {
      cache.ranges[cache.queries->begin(s) + q] = mask_.range(q, keys);
      if (!cache.all_keys.empty()) cache.all_keys[cache.queries->begin(s) + q] = {0, keys};
    }
  }
}

// Minus infinity where a query must not look: in the holes of the pattern, and outside its range,
// where softmax does not look either, but people do.
template <class T>
void Attention<T>::hide(Matrix<T> scores, KeyRanges ranges, int first_query, Keep keep) const {
  constexpr T kHidden = -std::numeric_limits<T>::infinity();
  for (int q = 0; keep == Keep::everything && q < scores.rows; ++q) {
    T* row = scores.row(q);
    std::fill(row, row + ranges[q].begin, kHidden);
    std::fill(row + ranges[q].end, row + scores.columns, kHidden);
  }
  for (int q = 0; mask_.sparsity == Sparsity::strided && q < scores.rows; ++q) {
    for (int k = ranges[q].begin; k < ranges[q].end; ++k) {
      if (!mask_.sees(first_query + q, k)) scores(q, k) = kHidden;
    }
  }
}

template <class T>
template <class Rows, class... Steps>
void Attention<T>::for_all_heads(const Cache& cache, Rows rows, Steps... steps) const {
  const auto soon = [&](SequenceShare share) {
    rows(share);
    const Matrix<T> first = of_head(cache.dropped, cache, share.sequence, 0);
    share.prefetch_of(Matrix<T>(first.data, heads_ * first.rows, first.columns));
  };
  for_each_head(*cache.queries, cache.ranges, cache.weights.size(), heads_, soon, steps...);
}

// Where dropout stands between two steps, each of them has a loop over the heads of its own.
constexpr auto kLater = [](int, int, KeyRanges) {};
constexpr auto kDone = kLater;

template <class T>
void Attention<T>::attend(const DropoutRun& run, Cache& cache) const {
  lay_out_band(cache);
  const auto rows = [&](SequenceShare share) {
    share.prefetch_of<T>(*cache.queries, {cache.query, cache.context});
    share.prefetch_of<T>(*cache.keys, {cache.key, cache.value});
  };
  const auto weigh = [&](int s, int h, KeyRanges ranges) {
    const Matrix<T> query = of_head(cache.query, *cache.queries, s, h);
    const Matrix<T> key = of_head(cache.key, *cache.keys, s, h);
    if (cache.keep == Keep::everything) {
      // raw_scores = query key^T
      const KeyRanges all = cache.all_keys.subspan(cache.queries->begin(s), ranges.size());
      kernels_->banded_nt(query, key, T(1), all, of_head(cache.raw_scores, cache, s, h));
    }
    // scores = query key^T / sqrt(d_head)
    const Matrix<T> scores = of_head(cache.scores, cache, s, h);
    kernels_->banded_nt(query, key, scale(), ranges, scores);
    if (positions_.alibi != nullptr) positions_.alibi->add(h, 0, ranges, scores);
    hide(scores, ranges, 0, cache.keep);
    // weights = softmax(scores)
    kernels_->softmax(scores, ranges, of_head(cache.weights, cache, s, h));
  };
  const auto mix = [&](int s, int h, KeyRanges ranges) {
    // context = dropout(weights) value
    kernels_->banded_nn(of_head(cache.dropped, cache, s, h),
                        of_head(cache.value, *cache.keys, s, h), T(1), ranges,
                        of_head(cache.context, *cache.queries, s, h));
  };
  if (cache.dropout.mask.empty()) return for_all_heads(cache, rows, weigh, mix);
  for_all_heads(cache, rows, weigh, kLater);
  dropout_.forward(cache.weights, run, cache.dropped, cache.dropout);  // all of them at once
  for_all_heads(cache, rows, kDone, mix);
}

// --------------------------------------------------------------------------------------- backward

template <class T>
void Attention<T>::backward_self(ConstMatrix<T> d_y, Cache& cache, Matrix<T> d_x) const {
  // y = context W_o^T + b_o
  out_proj_.backward(d_y, cache.out_proj, cache.d_context);
  attend_backward(cache);
  if (positions_.rotary != nullptr) {
    if (keeps_unturned(cache)) copy_rows(cache.d_projected, cache.d_turned);
    positions_.rotary->turn(cache.d_query, *cache.queries, T(-1));
    positions_.rotary->turn(cache.d_key, *cache.keys, T(-1));
  }
  // query, key, value = x [W_q; W_k; W_v]^T + [b_q; b_k; b_v]
  in_proj_.backward(cache.d_projected, cache.in_proj, d_x);
}

template <class T>
void Attention<T>::backward_cross(ConstMatrix<T> d_y, Cache& cache, Matrix<T> d_x,
                                  Matrix<T> d_memory) const {
  out_proj_.backward(d_y, cache.out_proj, cache.d_context);
  attend_backward(cache);
  query_proj_.backward(cache.d_projected, cache.query_proj, d_x);
  key_value_proj_.backward(cache.d_projected_memory, cache.key_value_proj, d_memory, Update::add);
}

template <class T>
void Attention<T>::attend_backward(Cache& cache) const {
  const auto rows = [&](SequenceShare share) {
    share.prefetch_of<T>(*cache.queries, {cache.query, cache.d_context, cache.d_query});
    share.prefetch_of<T>(*cache.keys, {cache.key, cache.value, cache.d_key, cache.d_value});
  };
  const auto unmix = [&](int s, int h, KeyRanges ranges) {
    const Matrix<T> d_weights = gradient_of_head(cache.d_weights, cache, s, h);
    const Matrix<T> d_context = of_head(cache.d_context, *cache.queries, s, h);
    // What is hidden has no gradient, and where heads share a place it is not read.
    if (!shares_gradients(cache)) std::ranges::fill(d_weights.flat(), T(0));
    // context[i] = sum_j dropped[i,j] value[j]
    //   d_dropped[i,j] = d_context[i] . value[j]
    //   d_value[j]     = sum_i dropped[i,j] d_context[i]
    kernels_->banded_nt(d_context, of_head(cache.value, *cache.keys, s, h), T(1), ranges,
                        d_weights);
    kernels_->banded_tn(of_head(cache.dropped, cache, s, h), d_context, T(1), ranges,
                        of_head(cache.d_value, *cache.keys, s, h));
  };
  const auto unweigh = [&](int s, int h, KeyRanges ranges) {
    // weights = softmax(scores)
    const Matrix<T> d_scores = gradient_of_head(cache.d_scores, cache, s, h);
    kernels_->softmax_backward(of_head(cache.weights, cache, s, h),
                               gradient_of_head(cache.d_weights, cache, s, h), ranges, d_scores);
    // scores[i,j] = scale query[i] . key[j]
    //   d_query[i] = scale sum_j d_scores[i,j] key[j]
    kernels_->banded_nn(d_scores, of_head(cache.key, *cache.keys, s, h), scale(), ranges,
                        of_head(cache.d_query, *cache.queries, s, h));
  };
  const auto unscore = [&](int s, int h, KeyRanges ranges) {
    //   d_key[j]   = scale sum_i d_scores[i,j] query[i]
    kernels_->banded_tn(gradient_of_head(cache.d_scores, cache, s, h),
                        of_head(cache.query, *cache.queries, s, h), scale(), ranges,
                        of_head(cache.d_key, *cache.keys, s, h));
  };
  if (cache.dropout.mask.empty()) return for_all_heads(cache, rows, unmix, unweigh, unscore);
  for_all_heads(cache, rows, unmix, kLater, kLater);
  // dropped = weights * mask
  dropout_.backward(cache.d_weights, cache.dropout, cache.d_weights);
  for_all_heads(cache, rows, kDone, unweigh, unscore);
}

// ------------------------------------------------------------------------------------------ costs

template <class T>
double Attention<T>::operations_self(int tokens, Cells cells) const {
  return in_proj_.operations(tokens) + 2 * 2 * mask_.count(tokens, tokens, cells) * d_model_ +
         out_proj_.operations(tokens);
}

template <class T>
double Attention<T>::operations_cross(int queries, int keys, Cells cells) const {
  return query_proj_.operations(queries) + key_value_proj_.operations(keys) +
         2 * 2 * mask_.count(queries, keys, cells) * d_model_ + out_proj_.operations(queries);
}

template class Attention<float>;
template class Attention<double>;

}  // namespace tp
