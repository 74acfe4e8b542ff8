#include <algorithm>
#include <limits>

#include "engine/core/maths.h"
#include "engine/kernels/reference_set.h"

// What works along a row: softmax, norms, the losses. Textbook loops.

namespace tp {
namespace {

// The sum of term(0) ... term(count - 1) by the rule of kernels.h.
template <class T, class Term>
T row_sum(int count, Term term) {
  T partial[16] = {};
  for (int j = 0; j < count; ++j) partial[j % 16] += term(j);
  for (int width = 8; width >= 1; width /= 2) {
    for (int i = 0; i < width; ++i) partial[i] += partial[i + width];
  }
  return partial[0];
}

template <class T>
T row_maximum(const T* x, int count) {
  T largest = -std::numeric_limits<T>::infinity();
  for (int j = 0; j < count; ++j) largest = std::max(largest, x[j]);
  return largest;
}

template <class T>
void softmax(ConstMatrix<T> scores, KeyRanges ranges, Matrix<T> weights) {
  for (int i = 0; i < scores.rows; ++i) {
    const int begin = ranges[i].begin, count = ranges[i].end - begin;
    const T* s = scores.row(i) + begin;
    T* w = weights.row(i) + begin;
    std::fill(weights.row(i), w, T(0));
    std::fill(w + count, weights.row(i) + weights.columns, T(0));
    const T largest = row_maximum(s, count);
    for (int j = 0; j < count; ++j) w[j] = maths::exp(s[j] - largest);
    const T inverse = T(1) / row_sum<T>(count, [&](int j) { return w[j]; });
    for (int j = 0; j < count; ++j) w[j] *= inverse;
  }
}

// w_j = e_j / sum_k e_k   gives   dw_j/ds_k = w_j ([j = k] - w_k).
template <class T>
void softmax_backward(ConstMatrix<T> weights, ConstMatrix<T> d_weights, KeyRanges ranges,
                      Matrix<T> d_scores) {
  for (int i = 0; i < weights.rows; ++i) {
    const int begin = ranges[i].begin, count = ranges[i].end - begin;
    const T* w = weights.row(i) + begin;
    const T* d_w = d_weights.row(i) + begin;
    T* d_s = d_scores.row(i) + begin;
    std::fill(d_scores.row(i), d_s, T(0));
    std::fill(d_s + count, d_scores.row(i) + d_scores.columns, T(0));
    const T mean = row_sum<T>(count, [&](int j) { return w[j] * d_w[j]; });
    for (int j = 0; j < count; ++j) d_s[j] = w[j] * (d_w[j] - mean);
  }
}

template <class T>
void layer_norm(ConstMatrix<T> x, std::span<const T> gamma, std::span<const T> beta, T eps,
                std::span<T> mean, std::span<T> inverse_std, Matrix<T> y) {
  const int d = x.columns;
  for (int i = 0; i < x.rows; ++i) {
    const T* row = x.row(i);
    const T m = row_sum<T>(d, [&](int j) { return row[j]; }) / T(d);
    const T variance = row_sum<T>(d, [&](int j) { return (row[j] - m) * (row[j] - m); }) / T(d);
    const T r = T(1) / maths::sqrt(variance + eps);
    for (int j = 0; j < d; ++j) {
      y(i, j) = gamma[j] * ((row[j] - m) * r) + (beta.empty() ? T(0) : beta[j]);
    }
    mean[i] = m;
    inverse_std[i] = r;
  }
}

// Derived in docs/LAYER.md. With n = (x - mean) * inverse_std and g = d_y * gamma:
//   d_x = inverse_std * (g - mean(g) - n * mean(g * n))    d_gamma += d_y * n    d_beta += d_y
template <class T>
void layer_norm_backward(ConstMatrix<T> d_y, ConstMatrix<T> x, std::span<const T> gamma,
                         std::span<const T> mean, std::span<const T> inverse_std, Matrix<T> d_x,
                         std::span<T> d_gamma, std::span<T> d_beta) {
  const int d = x.columns;
  for (int i = 0; i < x.rows; ++i) {
    const auto n = [&](int j) { return (x(i, j) - mean[i]) * inverse_std[i]; };
    const auto g = [&](int j) { return d_y(i, j) * gamma[j]; };
    const T mean_g = row_sum<T>(d, g) / T(d);
    const T mean_gn = row_sum<T>(d, [&](int j) { return g(j) * n(j); }) / T(d);
    for (int j = 0; j < d; ++j) {
      d_gamma[j] += d_y(i, j) * n(j);
      if (!d_beta.empty()) d_beta[j] += d_y(i, j);
      d_x(i, j) = inverse_std[i] * ((g(j) - mean_g) - n(j) * mean_gn);
    }
  }
}

template <class T>
void rms_norm(ConstMatrix<T> x, std::span<const T> gamma, T eps, std::span<T> inverse_rms,
              Matrix<T> y) {
  const int d = x.columns;
  for (int i = 0; i < x.rows; ++i) {
    const T squares = row_sum<T>(d, [&](int j) { return x(i, j) * x(i, j); }) / T(d);
    const T r = T(1) / maths::sqrt(squares + eps);
    for (int j = 0; j < d; ++j) y(i, j) = gamma[j] * (x(i, j) * r);
    inverse_rms[i] = r;
  }
}

// With n = x * inverse_rms and g = d_y * gamma, as for layer norm without the mean:
//   d_x = inverse_rms * (g - n * mean(g * n))    d_gamma += d_y * n
template <class T>
void rms_norm_backward(ConstMatrix<T> d_y, ConstMatrix<T> x, std::span<const T> gamma,
                       std::span<const T> inverse_rms, Matrix<T> d_x, std::span<T> d_gamma) {
  const int d = x.columns;
  for (int i = 0; i < x.rows; ++i) {
    const auto n = [&](int j) { return x(i, j) * inverse_rms[i]; };
    const auto g = [&](int j) { return d_y(i, j) * gamma[j]; };
    const T mean_gn = row_sum<T>(d, [&](int j) { return g(j) * n(j); }) / T(d);
    for (int j = 0; j < d; ++j) {
      d_gamma[j] += d_y(i, j) * n(j);
      d_x(i, j) = inverse_rms[i] * (g(j) - n(j) * mean_gn);
    }
  }
}

template <class T>
void cross_entropy(ConstMatrix<T> logits, std::span<const int> labels, T smoothing,
                   Matrix<T> probabilities, std::span<T> losses) {
  const int classes = logits.columns;
  for (int i = 0; i < logits.rows; ++i) {
    const T* z = logits.row(i);
    T* p = probabilities.row(i);
    const T largest = row_maximum(z, classes);
    for (int v = 0; v < classes; ++v) p[v] = maths::exp(z[v] - largest);
    const T sum = row_sum<T>(classes, [&](int v) { return p[v]; });
    for (int v = 0; v < classes; ++v) p[v] *= T(1) / sum;
    losses[i] = 0;
    if (labels[i] == kIgnoredLabel) continue;
    // -log p[v] = log(sum) - (z[v] - largest)
    const T log_sum = maths::log(sum);
    const T at_label = log_sum - (z[labels[i]] - largest);
    const T everywhere = row_sum<T>(classes, [&](int v) { return log_sum - (z[v] - largest); });
    losses[i] = (T(1) - smoothing) * at_label + smoothing / T(classes) * everywhere;
  }
}

template <class T>
void cross_entropy_backward(ConstMatrix<T> probabilities, std::span<const int> labels, T smoothing,
                            T scale, Matrix<T> d_logits) {
  const int classes = probabilities.columns;
  for (int i = 0; i < probabilities.rows; ++i) {
    for (int v = 0; v < classes; ++v) {
      const T target = (v == labels[i] ? T(1) - smoothing : T(0)) + smoothing / T(classes);
      d_logits(i, v) = labels[i] == kIgnoredLabel ? T(0) : scale * (probabilities(i, v) - target);
    }
  }
}

template <class T>
T squared_error(std::span<const T> x, std::span<const T> target) {
  const int count = static_cast<int>(x.size());
  const auto square = [&](int j) { return (x[j] - target[j]) * (x[j] - target[j]); };
  return row_sum<T>(count, square) / T(count);
}

template <class T>
void squared_error_backward(std::span<const T> x, std::span<const T> target, T scale,
                            std::span<T> d_x) {
  const T factor = scale * T(2) / T(x.size());
  for (std::size_t j = 0; j < x.size(); ++j) d_x[j] = factor * (x[j] - target[j]);
}

template <class T>
T sum(std::span<const T> x) {
  return row_sum<T>(static_cast<int>(x.size()), [&](int j) { return x[j]; });
}

template <class T>
double sum_of_squares(std::span<const T> x) {
  return row_sum<double>(static_cast<int>(x.size()),
                         [&](int j) { return double{x[j]} * double{x[j]}; });
}

template <class T>
double squared_distance(std::span<const T> a, std::span<const T> b) {
  return row_sum<double>(static_cast<int>(a.size()), [&](int j) {
    const T difference = a[j] - b[j];
    return double{difference} * double{difference};
  });
}

}  // namespace

template <class T>
void add_reference_rows(Kernels<T>& table) {
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

template void add_reference_rows(Kernels<float>&);
template void add_reference_rows(Kernels<double>&);

}  // namespace tp
