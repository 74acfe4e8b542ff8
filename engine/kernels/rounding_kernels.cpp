#include "engine/kernels/rounding_kernels.h"

#include <atomic>
#include <cmath>

#include "engine/core/half.h"

namespace tp {
namespace {

// Whichever of the threads that share a step it happened on.
std::atomic<std::uint64_t> all_underflows{0}, all_overflows{0};

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
  all_underflows.fetch_add(underflows, std::memory_order_relaxed);
  all_overflows.fetch_add(overflows, std::memory_order_relaxed);
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

// fast_kernels<float> or reference_kernels<float>.
using Base = const Kernels<float>& (*)(Arithmetic);

// The products of a set, each followed by rounding what it wrote.
template <StorageFormat format, Base base, Arithmetic arithmetic>
struct RoundedProducts {
  static void matmul_nn(MatrixIn a, MatrixIn b, MatrixOut c, Update update) {
    base(arithmetic).matmul_nn(a, b, c, update);
    round_all<format>(c);
  }
  static void matmul_tn(MatrixIn a, MatrixIn b, MatrixOut c, Update update) {
    base(arithmetic).matmul_tn(a, b, c, update);
    round_all<format>(c);
  }
  static void affine(MatrixIn x, MatrixIn weight, In bias, MatrixOut y) {
    base(arithmetic).affine(x, weight, bias, y);
    round_all<format>(y);
  }
  static void banded_nt(MatrixIn a, MatrixIn b, float scale, KeyRanges ranges, MatrixOut s) {
    base(arithmetic).banded_nt(a, b, scale, ranges, s);
    for (int i = 0; i < s.rows; ++i) {  // outside the band there is nothing
      const auto [begin, end] = ranges[i];
      round_all<format>(std::span(s.row(i) + begin, static_cast<std::size_t>(end - begin)));
    }
  }
  static void banded_nn(MatrixIn s, MatrixIn b, float scale, KeyRanges ranges, MatrixOut y) {
    base(arithmetic).banded_nn(s, b, scale, ranges, y);
    round_all<format>(y);
  }
  static void banded_tn(MatrixIn s, MatrixIn b, float scale, KeyRanges ranges, MatrixOut y) {
    base(arithmetic).banded_tn(s, b, scale, ranges, y);
    round_all<format>(y);
  }

  static void put_into(Kernels<float>& table) {
    table.matmul_nn = matmul_nn;
    table.matmul_tn = matmul_tn;
    table.affine = affine;
    table.banded_nt = banded_nt;
    table.banded_nn = banded_nn;
    table.banded_tn = banded_tn;
  }
};

// And everything else, which no arithmetic changes.
template <StorageFormat format, Base base>
struct RoundedRest {
  static const Kernels<float>& set() { return base(Arithmetic::exact); }

  static void sum_rows(MatrixIn d_y, Out d_bias) {
    set().sum_rows(d_y, d_bias);
    round_all<format>(d_bias);
  }
  static void add(In a, In b, Out y) {
    set().add(a, b, y);
    round_all<format>(y);
  }
  static void multiply(In a, In b, Out y) {
    set().multiply(a, b, y);
    round_all<format>(y);
  }
  static void scale(In a, float factor, Out y) {
    set().scale(a, factor, y);
    round_all<format>(y);
  }
  static void softmax(MatrixIn scores, KeyRanges ranges, MatrixOut weights) {
    set().softmax(scores, ranges, weights);
    round_all<format>(weights);
  }
  static void softmax_backward(MatrixIn weights, MatrixIn d_weights, KeyRanges ranges,
                               MatrixOut d_scores) {
    set().softmax_backward(weights, d_weights, ranges, d_scores);
    round_all<format>(d_scores);
  }
  static void layer_norm(MatrixIn x, In gamma, In beta, float eps, Out mean, Out inverse_std,
                         MatrixOut y) {
    set().layer_norm(x, gamma, beta, eps, mean, inverse_std, y);
    round_all<format>(y);
  }
  static void layer_norm_backward(MatrixIn d_y, MatrixIn x, In gamma, In mean, In inverse_std,
                                  MatrixOut d_x, Out d_gamma, Out d_beta) {
    set().layer_norm_backward(d_y, x, gamma, mean, inverse_std, d_x, d_gamma, d_beta);
    round_all<format>(d_x);
    round_all<format>(d_gamma);
    round_all<format>(d_beta);
  }
  static void rms_norm(MatrixIn x, In gamma, float eps, Out inverse_rms, MatrixOut y) {
    set().rms_norm(x, gamma, eps, inverse_rms, y);
    round_all<format>(y);
  }
  static void rms_norm_backward(MatrixIn d_y, MatrixIn x, In gamma, In inverse_rms, MatrixOut d_x,
                                Out d_gamma) {
    set().rms_norm_backward(d_y, x, gamma, inverse_rms, d_x, d_gamma);
    round_all<format>(d_x);
    round_all<format>(d_gamma);
  }
  static void gelu(In x, Out y) {
    set().gelu(x, y);
    round_all<format>(y);
  }
  static void gelu_backward(In d_y, In x, Out d_x) {
    set().gelu_backward(d_y, x, d_x);
    round_all<format>(d_x);
  }
  static void gather(MatrixIn table, std::span<const int> ids, float scale, MatrixOut y) {
    set().gather(table, ids, scale, y);
    round_all<format>(y);
  }
  static void scatter_add(MatrixIn d_y, std::span<const int> ids, float scale, MatrixOut d_table) {
    set().scatter_add(d_y, ids, scale, d_table);
    round_all<format>(d_table);
  }
  static void rotate(MatrixIn cosine, MatrixIn sine, float direction, MatrixOut x) {
    set().rotate(cosine, sine, direction, x);
    round_all<format>(x);
  }
  static void cross_entropy_backward(MatrixIn probabilities, std::span<const int> labels,
                                     float smoothing, float scale, MatrixOut d_logits) {
    set().cross_entropy_backward(probabilities, labels, smoothing, scale, d_logits);
    round_all<format>(d_logits);
  }
  static void squared_error_backward(In x, In target, float scale, Out d_x) {
    set().squared_error_backward(x, target, scale, d_x);
    round_all<format>(d_x);
  }

  static void put_into(Kernels<float>& table) {
    table.sum_rows = sum_rows;
    table.add = add;
    table.multiply = multiply;
    table.scale = scale;
    table.softmax = softmax;
    table.softmax_backward = softmax_backward;
    table.layer_norm = layer_norm;
    table.layer_norm_backward = layer_norm_backward;
    table.rms_norm = rms_norm;
    table.rms_norm_backward = rms_norm_backward;
    table.gelu = gelu;
    table.gelu_backward = gelu_backward;
    table.gather = gather;
    table.scatter_add = scatter_add;
    table.rotate = rotate;
    table.cross_entropy_backward = cross_entropy_backward;
    table.squared_error_backward = squared_error_backward;
    // Choices of numbers that are rounded already stay as they are: relu and relu_backward.
  }
};

template <StorageFormat format, Base base, Arithmetic arithmetic>
const Kernels<float>& rounding_set() {
  static const Kernels<float> table = [] {
    Kernels<float> made = base(arithmetic);
    made.name = format == StorageFormat::bfloat16 ? "bf16" : "fp16";
    RoundedRest<format, base>::put_into(made);
    RoundedProducts<format, base, arithmetic>::put_into(made);
    return made;
  }();
  return table;
}

template <Base base>
const Kernels<float>& rounding_over(StorageFormat format, Arithmetic arithmetic) {
  constexpr auto kBfloat = StorageFormat::bfloat16, kHalf = StorageFormat::float16;
  constexpr auto kExact = Arithmetic::exact, kFused = Arithmetic::fused;
  if (arithmetic == kExact) {
    return format == kBfloat ? rounding_set<kBfloat, base, kExact>()
                             : rounding_set<kHalf, base, kExact>();
  }
  return format == kBfloat ? rounding_set<kBfloat, base, kFused>()
                           : rounding_set<kHalf, base, kFused>();
}

}  // namespace

RoundingCounts rounding_counts() {
  return {all_underflows.load(std::memory_order_relaxed),
          all_overflows.load(std::memory_order_relaxed)};
}

const Kernels<float>& rounding_fast_kernels(StorageFormat format, Arithmetic arithmetic) {
  return rounding_over<fast_kernels<float>>(format, arithmetic);
}

const Kernels<float>& rounding_reference_kernels(StorageFormat format, Arithmetic arithmetic) {
  return rounding_over<reference_kernels<float>>(format, arithmetic);
}

void round_to(StorageFormat format, std::span<float> values) {
  if (format == StorageFormat::bfloat16) {
    round_all<StorageFormat::bfloat16>(values);
  } else {
    round_all<StorageFormat::float16>(values);
  }
}

}  // namespace tp
