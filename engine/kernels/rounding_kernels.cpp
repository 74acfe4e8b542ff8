#include "engine/kernels/rounding_kernels.h"

#include <cmath>

#include "engine/core/half.h"

namespace tp {
namespace {

template <StorageFormat format>
float rounded(float x) {
  if constexpr (format == StorageFormat::bfloat16) {
    return float_from_bfloat(bfloat_from_float(x));
  } else {
    return float_from_half(half_from_float(x));
  }
}

template <StorageFormat format>
void round_all(std::span<float> values) {
  std::uint64_t underflows = 0, overflows = 0;
  for (float& value : values) {
    const float stored = rounded<format>(value);
    underflows += stored == 0 && value != 0;
    overflows += std::isinf(stored) && !std::isinf(value);
    value = stored;
  }
  rounding_counts().underflows += underflows;
  rounding_counts().overflows += overflows;
}

template <StorageFormat format>
void round_all(Matrix<float> values) {
  for (int i = 0; i < values.rows; ++i) {
    round_all<format>(std::span(values.row(i), static_cast<std::size_t>(values.columns)));
  }
}

using In = std::span<const float>;
using Out = std::span<float>;
using MatrixIn = ConstMatrix<float>;
using MatrixOut = Matrix<float>;

// The operations of the set `base()`, each followed by rounding what it wrote.
template <StorageFormat format, const Kernels<float>& (*base)()>
struct Rounding {
  static void matmul_nn(MatrixIn a, MatrixIn b, MatrixOut c, Update update) {
    base().matmul_nn(a, b, c, update);
    round_all<format>(c);
  }
  static void matmul_nt(MatrixIn a, MatrixIn b, MatrixOut c, Update update) {
    base().matmul_nt(a, b, c, update);
    round_all<format>(c);
  }
  static void matmul_tn(MatrixIn a, MatrixIn b, MatrixOut c, Update update) {
    base().matmul_tn(a, b, c, update);
    round_all<format>(c);
  }
  static void banded_nt(MatrixIn a, MatrixIn b, float scale, KeyRanges ranges, MatrixOut s) {
    base().banded_nt(a, b, scale, ranges, s);
    for (int i = 0; i < s.rows; ++i) {  // outside the band there is nothing
      const auto [begin, end] = ranges[i];
      round_all<format>(std::span(s.row(i) + begin, static_cast<std::size_t>(end - begin)));
    }
  }
  static void banded_nn(MatrixIn s, MatrixIn b, float scale, KeyRanges ranges, MatrixOut y) {
    base().banded_nn(s, b, scale, ranges, y);
    round_all<format>(y);
  }
  static void banded_tn(MatrixIn s, MatrixIn b, float scale, KeyRanges ranges, MatrixOut y) {
    base().banded_tn(s, b, scale, ranges, y);
    round_all<format>(y);
  }
  static void sum_rows(MatrixIn d_y, Out d_bias) {
    base().sum_rows(d_y, d_bias);
    round_all<format>(d_bias);
  }
  static void add(In a, In b, Out y) {
    base().add(a, b, y);
    round_all<format>(y);
  }
  static void multiply(In a, In b, Out y) {
    base().multiply(a, b, y);
    round_all<format>(y);
  }
  static void scale(In a, float factor, Out y) {
    base().scale(a, factor, y);
    round_all<format>(y);
  }
  static void softmax(MatrixIn scores, KeyRanges ranges, MatrixOut weights) {
    base().softmax(scores, ranges, weights);
    round_all<format>(weights);
  }
  static void softmax_backward(MatrixIn weights, MatrixIn d_weights, KeyRanges ranges,
                               MatrixOut d_scores) {
    base().softmax_backward(weights, d_weights, ranges, d_scores);
    round_all<format>(d_scores);
  }
  static void layer_norm(MatrixIn x, In gamma, In beta, float eps, Out mean, Out inverse_std,
                         MatrixOut y) {
    base().layer_norm(x, gamma, beta, eps, mean, inverse_std, y);
    round_all<format>(y);
  }
  static void layer_norm_backward(MatrixIn d_y, MatrixIn x, In gamma, In mean, In inverse_std,
                                  MatrixOut d_x, Out d_gamma, Out d_beta) {
    base().layer_norm_backward(d_y, x, gamma, mean, inverse_std, d_x, d_gamma, d_beta);
    round_all<format>(d_x);
    round_all<format>(d_gamma);
    round_all<format>(d_beta);
  }
  static void gelu(In x, Out y) {
    base().gelu(x, y);
    round_all<format>(y);
  }
  static void gelu_backward(In d_y, In x, Out d_x) {
    base().gelu_backward(d_y, x, d_x);
    round_all<format>(d_x);
  }
  static void gather(MatrixIn table, std::span<const int> ids, float scale, MatrixOut y) {
    base().gather(table, ids, scale, y);
    round_all<format>(y);
  }
  static void scatter_add(MatrixIn d_y, std::span<const int> ids, float scale, MatrixOut d_table) {
    base().scatter_add(d_y, ids, scale, d_table);
    round_all<format>(d_table);
  }
  static void rotate(MatrixIn cosine, MatrixIn sine, float direction, MatrixOut x) {
    base().rotate(cosine, sine, direction, x);
    round_all<format>(x);
  }
  static void cross_entropy_backward(MatrixIn probabilities, std::span<const int> labels,
                                     float smoothing, float scale, MatrixOut d_logits) {
    base().cross_entropy_backward(probabilities, labels, smoothing, scale, d_logits);
    round_all<format>(d_logits);
  }
  static void squared_error_backward(In x, In target, float scale, Out d_x) {
    base().squared_error_backward(x, target, scale, d_x);
    round_all<format>(d_x);
  }

  static const Kernels<float>& set() {
    static const Kernels<float> table = [] {
      Kernels<float> made = base();
      made.name = format == StorageFormat::bfloat16 ? "bf16" : "fp16";
      made.matmul_nn = matmul_nn;
      made.matmul_nt = matmul_nt;
      made.matmul_tn = matmul_tn;
      made.banded_nt = banded_nt;
      made.banded_nn = banded_nn;
      made.banded_tn = banded_tn;
      made.sum_rows = sum_rows;
      made.add = add;
      made.multiply = multiply;
      made.scale = scale;
      made.softmax = softmax;
      made.softmax_backward = softmax_backward;
      made.layer_norm = layer_norm;
      made.layer_norm_backward = layer_norm_backward;
      made.gelu = gelu;
      made.gelu_backward = gelu_backward;
      made.gather = gather;
      made.scatter_add = scatter_add;
      made.rotate = rotate;
      made.cross_entropy_backward = cross_entropy_backward;
      made.squared_error_backward = squared_error_backward;
      // Copies and choices of numbers that are rounded already stay as they are: broadcast_row,
      // relu and relu_backward.
      return made;
    }();
    return table;
  }
};

template <StorageFormat format>
const Kernels<float>& set_over(const Kernels<float>& base) {
  return &base == &reference_kernels<float>() ? Rounding<format, reference_kernels<float>>::set()
                                              : Rounding<format, fast_kernels<float>>::set();
}

}  // namespace

RoundingCounts& rounding_counts() {
  thread_local RoundingCounts counts;
  return counts;
}

const Kernels<float>& rounding_kernels(StorageFormat format, const Kernels<float>& base) {
  return format == StorageFormat::bfloat16 ? set_over<StorageFormat::bfloat16>(base)
                                           : set_over<StorageFormat::float16>(base);
}

void round_to(StorageFormat format, std::span<float> values) {
  if (format == StorageFormat::bfloat16) {
    round_all<StorageFormat::bfloat16>(values);
  } else {
    round_all<StorageFormat::float16>(values);
  }
}

}  // namespace tp
