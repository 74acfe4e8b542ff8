#include <algorithm>
#include <limits>

#include "engine/core/maths.h"
#include "engine/kernels/fast_set.h"
#include "engine/kernels/parallel.h"

// What works along a row: softmax, layer norm, the losses. Rows are walked in blocks of sixteen
// with a fixed inner loop over the block, which every compiler turns into vector code.

namespace tp::TP_VECTORS {
namespace {

constexpr int kPartials = 16;

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
  T partial[kPartials] = {};
  const int whole = count - count % kPartials;
  for (int block = 0; block < whole; block += kPartials) {
    for (int lane = 0; lane < kPartials; ++lane) partial[lane] += term(block + lane);
  }
  for (int j = whole; j < count; ++j) partial[j - whole] += term(j);
  for (int i = 0; i < 8; ++i) partial[i] += partial[i + 8];
  for (int i = 0; i < 4; ++i) partial[i] += partial[i + 4];
  for (int i = 0; i < 2; ++i) partial[i] += partial[i + 2];
  return partial[0] + partial[1];
}

// The largest of a set is the same in whatever order it is looked for.
template <class T>
inline T row_maximum(const T* x, int count) {
  T partial[kPartials];
  std::fill(partial, partial + kPartials, -std::numeric_limits<T>::infinity());
  const int whole = count - count % kPartials;
  for (int block = 0; block < whole; block += kPartials) {
    for (int lane = 0; lane < kPartials; ++lane) {
      partial[lane] = partial[lane] < x[block + lane] ? x[block + lane] : partial[lane];
    }
  }
  for (int j = whole; j < count; ++j) partial[0] = std::max(partial[0], x[j]);
  return *std::max_element(partial, partial + kPartials);
}

// e[j] = exp(x[j] - largest); returns their sum.
template <class T>
inline T exponentials(const T* x, T largest, int count, T* e) {
  for (int j = 0; j < count; ++j) e[j] = maths::exp(x[j] - largest);
  return row_sum<T>(count, [e](int j) { return e[j]; });
}

template <class T>
void softmax(ConstMatrix<T> scores, KeyRanges ranges, Matrix<T> weights) {
  for (int i = 0; i < scores.rows; ++i) {
    const int begin = ranges[i].begin, count = ranges[i].end - begin;
    const T* s = scores.row(i) + begin;
    T* w = weights.row(i) + begin;
    std::fill(weights.row(i), w, T(0));
    std::fill(w + count, weights.row(i) + weights.columns, T(0));
    const T inverse = T(1) / exponentials(s, row_maximum(s, count), count, w);
    for (int j = 0; j < count; ++j) w[j] *= inverse;
  }
}

template <class T>
void softmax_backward(ConstMatrix<T> weights, ConstMatrix<T> d_weights, KeyRanges ranges,
                      Matrix<T> d_scores) {
  for (int i = 0; i < weights.rows; ++i) {
    const int begin = ranges[i].begin, count = ranges[i].end - begin;
    const T* w = weights.row(i) + begin;
    const T* d_w = d_weights.row(i) + begin;
    T* d_s = d_scores.row(i) + begin;
    const T mean = row_sum<T>(count, [w, d_w](int j) { return w[j] * d_w[j]; });
    for (int j = 0; j < count; ++j) d_s[j] = w[j] * (d_w[j] - mean);
    std::fill(d_scores.row(i), d_s, T(0));
    std::fill(d_s + count, d_scores.row(i) + d_scores.columns, T(0));
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
  if (threads() == 1) {  // in one pass
    for (int i = 0; i < x.rows; ++i) {
      add_row(i, 0, d);
      differentiate_row(i);
    }
  } else {
    for_each_part(d, 16, kLeastSplit / std::max(x.rows, 1), [&](int first, int last) {
      for (int i = 0; i < x.rows; ++i) add_row(i, first, last);
    });
    for_each_row(x.rows, d, differentiate_row);
  }
}

template <class T>
void cross_entropy(ConstMatrix<T> logits, std::span<const int> labels, T smoothing,
                   Matrix<T> probabilities, std::span<T> losses) {
  const int classes = logits.columns;
  for_each_row(logits.rows, classes, [&](int i) {
    const T* z = logits.row(i);
    T* p = probabilities.row(i);
    const T largest = row_maximum(z, classes);
    const T sum = exponentials(z, largest, classes, p);
    const T inverse = T(1) / sum;
    for (int v = 0; v < classes; ++v) p[v] *= inverse;
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

}  // namespace

template <class T>
void add_fast_rows(Kernels<T>& table) {
  table.softmax = softmax<T>;
  table.softmax_backward = softmax_backward<T>;
  table.layer_norm = layer_norm<T>;
  table.layer_norm_backward = layer_norm_backward<T>;
  table.cross_entropy = cross_entropy<T>;
  table.cross_entropy_backward = cross_entropy_backward<T>;
  table.squared_error = squared_error<T>;
  table.squared_error_backward = squared_error_backward<T>;
  table.sum = sum<T>;
  table.sum_of_squares = sum_of_squares<T>;
}

template void add_fast_rows(Kernels<float>&);
template void add_fast_rows(Kernels<double>&);

}  // namespace tp::TP_VECTORS
