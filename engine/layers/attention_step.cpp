#include <algorithm>

#include "engine/layers/attention.h"

// Attention token by token, for decoding.

namespace tp {

template <class T>
void Attention<T>::prepare_past_self(Arena& arena, int sequences, int longest, Past& past) const {
  past.longest = longest;
  past.key = arena.matrix<T>(sequences * longest, d_model_);
  past.value = arena.matrix<T>(sequences * longest, d_model_);
  past.projected = arena.matrix<T>(sequences, 3 * d_model_);
  past.context = arena.matrix<T>(sequences, d_model_);
  past.scores = arena.matrix<T>(1, longest);
}

template <class T>
void Attention<T>::prepare_past_cross(Arena& arena, int sequences, int memory_rows,
                                      Past& past) const {
  const Matrix<T> key_value = arena.matrix<T>(memory_rows, 2 * d_model_);
  past.key = key_value.column_range(0, d_model_);
  past.value = key_value.column_range(d_model_, d_model_);
  past.projected = arena.matrix<T>(sequences, d_model_);
  past.context = arena.matrix<T>(sequences, d_model_);
  past.scores = arena.matrix<T>(1, memory_rows);
}

template <class T>
void Attention<T>::read_memory(ConstMatrix<T> memory, Past& past) const {
  typename Linear<T>::Cache unused;
  key_value_proj_.forward(memory, {past.key.data, past.key.rows, 2 * d_model_}, unused);
}

template <class T>
void Attention<T>::step_self(ConstMatrix<T> x, int position, Past& past, Matrix<T> y) const {
  const int d = d_model_;
  typename Linear<T>::Cache unused;
  const Matrix<T> projected = past.projected.row_range(0, x.rows);
  in_proj_.forward(x, projected, unused);
  for (int s = 0; s < x.rows; ++s) {
    const Matrix<T> row = projected.row_range(s, 1);
    if (positions_.rotary != nullptr) {
      positions_.rotary->turn_from(row.column_range(0, 2 * d), position, T(1));  // query and key
    }
    const Matrix<T> key = past.of_sequence(past.key, s), value = past.of_sequence(past.value, s);
    std::copy_n(row.data + d, d, key.row(position));
    std::copy_n(row.data + 2 * d, d, value.row(position));
    attend_one(row.column_range(0, d), key.row_range(0, position + 1),
               value.row_range(0, position + 1), position,
               past.scores.column_range(0, position + 1), past.context.row_range(s, 1));
  }
  out_proj_.forward(past.context.row_range(0, x.rows), y, unused);
}

template <class T>
void Attention<T>::step_cross(ConstMatrix<T> x, int position, std::span<const MemoryRows> memory,
                              Past& past, Matrix<T> y) const {
  typename Linear<T>::Cache unused;
  const Matrix<T> query = past.projected.row_range(0, x.rows);
  query_proj_.forward(x, query, unused);
  for (int s = 0; s < x.rows; ++s) {
    const auto [first, count] = memory[s];
    attend_one(query.row_range(s, 1), past.key.row_range(first, count),
               past.value.row_range(first, count), position, past.scores.column_range(0, count),
               past.context.row_range(s, 1));
  }
  out_proj_.forward(past.context.row_range(0, x.rows), y, unused);
}

template <class T>
void Attention<T>::attend_one(ConstMatrix<T> query, ConstMatrix<T> key, ConstMatrix<T> value,
                              int position, Matrix<T> scores, Matrix<T> context) const {
  const KeyRange range[] = {mask_.range(position, key.rows)};
  const KeyRanges ranges(range);
  for (int h = 0; h < heads_; ++h) {
    const int first = h * d_head();
    kernels_->banded_nt(query.column_range(first, d_head()), key.column_range(first, d_head()),
                        scale(), ranges, scores);
    if (positions_.alibi != nullptr) positions_.alibi->add(h, position, ranges, scores);
    hide(scores, ranges, position, Keep::needed);
    kernels_->softmax(scores, ranges, scores);
    kernels_->banded_nn(scores, value.column_range(first, d_head()), T(1), ranges,
                        context.column_range(first, d_head()));
  }
}

template void Attention<float>::prepare_past_self(Arena&, int, int, Past&) const;
template void Attention<float>::prepare_past_cross(Arena&, int, int, Past&) const;
template void Attention<float>::read_memory(ConstMatrix<float>, Past&) const;
template void Attention<float>::step_self(ConstMatrix<float>, int, Past&, Matrix<float>) const;
template void Attention<float>::step_cross(ConstMatrix<float>, int, std::span<const MemoryRows>,
                                           Past&, Matrix<float>) const;
template void Attention<float>::attend_one(ConstMatrix<float>, ConstMatrix<float>,
                                           ConstMatrix<float>, int, Matrix<float>,
                                           Matrix<float>) const;
template void Attention<double>::prepare_past_self(Arena&, int, int, Past&) const;
template void Attention<double>::prepare_past_cross(Arena&, int, int, Past&) const;
template void Attention<double>::read_memory(ConstMatrix<double>, Past&) const;
template void Attention<double>::step_self(ConstMatrix<double>, int, Past&, Matrix<double>) const;
template void Attention<double>::step_cross(ConstMatrix<double>, int, std::span<const MemoryRows>,
                                            Past&, Matrix<double>) const;
template void Attention<double>::attend_one(ConstMatrix<double>, ConstMatrix<double>,
                                            ConstMatrix<double>, int, Matrix<double>,
                                            Matrix<double>) const;

}  // namespace tp
