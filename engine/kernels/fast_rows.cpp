#include <algorithm>
#include <limits>

#include "engine/core/maths.h"
#include "engine/kernels/fast_set.h"
#include "engine/kernels/parallel.h"
#include "engine/kernels/row_block.h"

// What works along a row: softmax, norms, the losses.

namespace tp::TP_VECTORS {
namespace {

// Calls of_row(i) for the rows of a matrix that has `columns` columns.
template <class OfRow>
inline void for_each_row(int rows, int columns, OfRow of_row) {
  for_each_part(rows, 1, kLeastSplit / std::max(columns, 1), [&of_row](int first, int last) {
    for (int i = first; i < last; ++i) of_row(i);
  });
}

// The sum of term(0) ... term(count - 1) by the rule of kernels.h.
template <class T, class Term>
inline T row_sum(int count, Term term) {
  auto partial = Block<T>::all(0);
  const int whole = count - count % kPartials;
  for (int first = 0; first < whole; first += kPartials) {
    partial =
        join(partial, Block<T>::of(kPartials, [&](int lane) { return term(first + lane); }), kSum);
  }
  if (whole < count) {
    partial = join(partial,
                   Block<T>::of(count - whole, [&](int lane) { return term(whole + lane); }), kSum);
  }
  return partial.fold(kSum);
}

// What row i of scores sees. All rows of a matrix are one thread's.
template <class T>
inline Stretch seen_of(ConstMatrix<T> scores, KeyRanges ranges, int i) {
  const auto [begin, end] = ranges[i];
  const int row = scores.columns - begin;
  const bool dense = scores.stride == scores.columns;
  return {end - begin, row, dense ? (scores.rows - 1 - i) * scores.columns + row : row};
}

template <class T>
constexpr T kNothing = -std::numeric_limits<T>::infinity();

// Which is the same in whatever order it is looked for.
template <class T>
TP_INLINE T largest_of(Stretch row, const T* x) {
  auto lanes = Block<T>::all(kNothing<T>);
  for (int first = 0; first < row.count; first += kPartials) {
    lanes = join(lanes, row.read(x, first, kNothing<T>), kLarger);
  }
  return lanes.fold(kLarger);
}

// e[j] = exp(x[j] - largest); returns the partial sums.
template <class T>
TP_INLINE Block<T> exponentials(Stretch row, const T* x, T largest, T* e) {
  auto partial = Block<T>::all(0);
  for (int first = 0; first < row.count; first += kPartials) {
    alignas(64) T numbers[kPartials];
    row.read(x, first, kNothing<T>).write(numbers);
    for (T& number : numbers) number = maths::exp(number - largest);
    const auto block = Block<T>::read(numbers);
    partial = join(partial, block, kSum);
    row.write(block, first, e);
  }
  return partial;
}

// x[j] *= factor.
template <class T>
inline void scale_row(Stretch row, T factor, T* x) {
  for (int first = 0; first < row.count; first += kPartials) {
    row.write(join(row.read(x, first, T(0)), Block<T>::all(factor), kProduct), first, x);
  }
}

// A few rows at a time, in passes: within each the rows do not wait for one another, while the
// steps of one row do.
template <class T>
void softmax(ConstMatrix<T> scores, KeyRanges ranges, Matrix<T> weights) {
  constexpr int kTogether = 32;
  T number_of_row[kTogether];  // its largest score, then what its weights are multiplied by
  Block<T> partial_of_row[kTogether];
  const auto stretch = [&](int i) { return seen_of(scores, ranges, i); };
  for (int begin = 0; begin < scores.rows; begin += kTogether) {
    const int end = std::min(begin + kTogether, scores.rows);
    for (int i = begin; i < end; ++i) {
      number_of_row[i - begin] = largest_of(stretch(i), scores.row(i) + ranges[i].begin);
    }
    for (int i = begin; i < end; ++i) {
      T* w = weights.row(i) + ranges[i].begin;
      partial_of_row[i - begin] =
          exponentials(stretch(i), scores.row(i) + ranges[i].begin, number_of_row[i - begin], w);
    }
    for (int i = begin; i < end; ++i) {
      number_of_row[i - begin] = T(1) / partial_of_row[i - begin].fold(kSum);
    }
    for (int i = begin; i < end; ++i) {
      const Stretch row = stretch(i);
      T* w = weights.row(i) + ranges[i].begin;
      scale_row(row, number_of_row[i - begin], w);
      std::fill(weights.row(i), w, T(0));
      std::fill(w + row.end(), w + row.row, T(0));
    }
  }
}

template <class T>
void softmax_backward(ConstMatrix<T> weights, ConstMatrix<T> d_weights, KeyRanges ranges,
                      Matrix<T> d_scores) {
  for (int i = 0; i < weights.rows; ++i) {
    const Stretch row = seen_of(weights, ranges, i);
    const int begin = ranges[i].begin;
    const T *w = weights.row(i) + begin, *d_w = d_weights.row(i) + begin;
    T* d_s = d_scores.row(i) + begin;
    auto partial = Block<T>::all(0);
    for (int first = 0; first < row.count; first += kPartials) {
      const auto product = join(row.read(w, first, T(0)), row.read(d_w, first, T(0)), kProduct);
      partial = join(partial, product, kSum);
    }
    const auto mean = Block<T>::all(partial.fold(kSum));
    for (int first = 0; first < row.count; first += kPartials) {
      const auto off_mean = join(row.read(d_w, first, T(0)), mean, kDifference);
      row.write(join(row.read(w, first, T(0)), off_mean, kProduct), first, d_s);
    }
    std::fill(d_scores.row(i), d_s, T(0));
    std::fill(d_s + row.end(), d_s + row.row, T(0));
  }
}

template <class T>
void layer_norm(ConstMatrix<T> x, std::span<const T> gamma, std::span<const T> beta, T eps,
                std::span<T> mean, std::span<T> inverse_std, Matrix<T> y) {
  const int d = x.columns;
  const T* g = gamma.data();
  const T* b = beta.data();
  for_each_row(x.rows, d, [&](int i) {
    const T* row = x.row(i);
    T* out = y.row(i);
    const T m = row_sum<T>(d, [row](int j) { return row[j]; }) / T(d);
    const T variance =
        row_sum<T>(d, [row, m](int j) { return (row[j] - m) * (row[j] - m); }) / T(d);
    const T r = T(1) / maths::sqrt(variance + eps);
    if (b != nullptr) {
      for (int j = 0; j < d; ++j) out[j] = g[j] * ((row[j] - m) * r) + b[j];
    } else {
      for (int j = 0; j < d; ++j) out[j] = g[j] * ((row[j] - m) * r) + T(0);
    }
    mean[i] = m;
    inverse_std[i] = r;
  });
}

// add_row(i, first, last) adds to some columns of sums over rows, differentiate_row(i) is by
// itself.
template <class AddRow, class DifferentiateRow>
inline void for_each_norm_row(int rows, int columns, AddRow add_row,
                              DifferentiateRow differentiate_row) {
  if (threads() == 1) {  // in one pass
    for (int i = 0; i < rows; ++i) {
      add_row(i, 0, columns);
      differentiate_row(i);
    }
  } else {
    for_each_part(columns, 16, kLeastSplit / std::max(rows, 1), [&](int first, int last) {
      for (int i = 0; i < rows; ++i) add_row(i, first, last);
    });
    for_each_row(rows, columns, differentiate_row);
  }
}

template <class T>
void layer_norm_backward(ConstMatrix<T> d_y, ConstMatrix<T> x, std::span<const T> gamma,
                         std::span<const T> mean, std::span<const T> inverse_std, Matrix<T> d_x,
                         std::span<T> d_gamma, std::span<T> d_beta) {
  const int d = x.columns;
  const T* scale = gamma.data();
  // What row i adds to some columns of the sums, and its own gradient.
  const auto add_row = [&](int i, int first, int last) {
    const T *row = x.row(i), *d_row = d_y.row(i);
    const T m = mean[i], r = inverse_std[i];
    for (int j = first; j < last; ++j) d_gamma[j] += d_row[j] * ((row[j] - m) * r);
    if (d_beta.empty()) return;
    for (int j = first; j < last; ++j) d_beta[j] += d_row[j];
  };
  const auto differentiate_row = [&](int i) {
    const T *row = x.row(i), *d_row = d_y.row(i);
    const T m = mean[i], r = inverse_std[i];
    const auto normal = [row, m, r](int j) { return (row[j] - m) * r; };
    const auto scaled = [d_row, scale](int j) { return d_row[j] * scale[j]; };
    const T mean_g = row_sum<T>(d, scaled) / T(d);
    const T mean_gn = row_sum<T>(d, [&](int j) { return scaled(j) * normal(j); }) / T(d);
    T* out = d_x.row(i);
    for (int j = 0; j < d; ++j) out[j] = r * ((scaled(j) - mean_g) - normal(j) * mean_gn);
  };
  for_each_norm_row(x.rows, d, add_row, differentiate_row);
}

template <class T>
void rms_norm(ConstMatrix<T> x, std::span<const T> gamma, T eps, std::span<T> inverse_rms,
              Matrix<T> y) {
  const int d = x.columns;
  const T* g = gamma.data();
  for_each_row(x.rows, d, [&](int i) {
    const T* row = x.row(i);
    T* out = y.row(i);
    const T squares = row_sum<T>(d, [row](int j) { return row[j] * row[j]; }) / T(d);
    const T r = T(1) / maths::sqrt(squares + eps);
    for (int j = 0; j < d; ++j) out[j] = g[j] * (row[j] * r);
    inverse_rms[i] = r;
  });
}

template <class T>
void rms_norm_backward(ConstMatrix<T> d_y, ConstMatrix<T> x, std::span<const T> gamma,
                       std::span<const T> inverse_rms, Matrix<T> d_x, std::span<T> d_gamma) {
  const int d = x.columns;
  const T* scale = gamma.data();
  const auto add_row = [&](int i, int first, int last) {
    const T *row = x.row(i), *d_row = d_y.row(i);
    const T r = inverse_rms[i];
    for (int j = first; j < last; ++j) d_gamma[j] += d_row[j] * (row[j] * r);
  };
  const auto differentiate_row = [&](int i) {
    const T *row = x.row(i), *d_row = d_y.row(i);
    const T r = inverse_rms[i];
    const auto normal = [row, r](int j) { return row[j] * r; };
    const auto scaled = [d_row, scale](int j) { return d_row[j] * scale[j]; };
    const T mean_gn = row_sum<T>(d, [&](int j) { return scaled(j) * normal(j); }) / T(d);
    T* out = d_x.row(i);
    for (int j = 0; j < d; ++j) out[j] = r * (scaled(j) - normal(j) * mean_gn);
  };
  for_each_norm_row(x.rows, d, add_row, differentiate_row);
}

template <class T>
void cross_entropy(ConstMatrix<T> logits, std::span<const int> labels, T smoothing,
                   Matrix<T> probabilities, std::span<T> losses) {
  const int classes = logits.columns;
  for_each_row(logits.rows, classes, [&](int i) {
    const T* z = logits.row(i);
    T* p = probabilities.row(i);
    const Stretch row = {classes, classes, classes};  // the next row may be another thread's
    const T largest = largest_of(row, z);
    const T sum = exponentials(row, z, largest, p).fold(kSum);
    scale_row(row, T(1) / sum, p);
    losses[i] = 0;
    if (labels[i] == kIgnoredLabel) return;
    const T log_sum = maths::log(sum);
    const T at_label = log_sum - (z[labels[i]] - largest);
    const T everywhere =
        row_sum<T>(classes, [z, log_sum, largest](int v) { return log_sum - (z[v] - largest); });
    losses[i] = (T(1) - smoothing) * at_label + smoothing / T(classes) * everywhere;
  });
}

template <class T>
void cross_entropy_backward(ConstMatrix<T> probabilities, std::span<const int> labels, T smoothing,
                            T scale, Matrix<T> d_logits) {
  const int classes = probabilities.columns;
  const T elsewhere = T(0) + smoothing / T(classes);
  const T at_label = (T(1) - smoothing) + smoothing / T(classes);
  for (int i = 0; i < probabilities.rows; ++i) {
    const T* p = probabilities.row(i);
    T* d = d_logits.row(i);
    if (labels[i] == kIgnoredLabel) {
      std::fill(d, d + classes, T(0));
      continue;
    }
    for (int v = 0; v < classes; ++v) d[v] = scale * (p[v] - elsewhere);
    d[labels[i]] = scale * (p[labels[i]] - at_label);
  }
}

template <class T>
T squared_error(std::span<const T> x, std::span<const T> target) {
  const T *a = x.data(), *b = target.data();
  const int count = static_cast<int>(x.size());
  return row_sum<T>(count, [a, b](int j) { return (a[j] - b[j]) * (a[j] - b[j]); }) / T(count);
}

template <class T>
void squared_error_backward(std::span<const T> x, std::span<const T> target, T scale,
                            std::span<T> d_x) {
  const T factor = scale * T(2) / T(x.size());
  const T *a = x.data(), *b = target.data();
  T* d = d_x.data();
  const std::size_t count = x.size();
  for (std::size_t j = 0; j < count; ++j) d[j] = factor * (a[j] - b[j]);
}

template <class T>
T sum(std::span<const T> x) {
  const T* data = x.data();
  return row_sum<T>(static_cast<int>(x.size()), [data](int j) { return data[j]; });
}

template <class T>
double sum_of_squares(std::span<const T> x) {
  const T* data = x.data();
  return row_sum<double>(static_cast<int>(x.size()),
                         [data](int j) { return double{data[j]} * double{data[j]}; });
}

template <class T>
double squared_distance(std::span<const T> a, std::span<const T> b) {
  return row_sum<double>(static_cast<int>(a.size()), [x = a.data(), y = b.data()](int j) {
    const T difference = x[j] - y[j];
    return double{difference} * double{difference};
  });
}

}  // namespace

template <class T>
void add_fast_rows(Kernels<T>& table) {
  table.softmax = softmax<T>;
  table.softmax_backward = softmax_backward<T>;
  table.layer_norm = layer_norm<T>;
  table.layer_norm_backward = layer_norm_backward<T>;
  table.rms_norm = rms_norm<T>;
  table.rms_norm_backward = rms_norm_backward<T>;
  table.cross_entropy = cross_entropy<T>;
  table.cross_entropy_backward = cross_entropy_backward<T>;
  table.squared_error = squared_error<T>;
  table.squared_error_backward = squared_error_backward<T>;
  table.sum = sum<T>;
  table.sum_of_squares = sum_of_squares<T>;
  table.squared_distance = squared_distance<T>;
}

template void add_fast_rows(Kernels<float>&);
template void add_fast_rows(Kernels<double>&);

}  // namespace tp::TP_VECTORS
