#pragma once

#include <cstddef>
#include <span>

#include "engine/core/matrix.h"

// The arithmetic of the engine, one entry per operation, in two sets that do the same sums:
//
//   reference   textbook loops, to be read
//   fast        laid out for vector units, to be run
//
// The order of every sum is part of an operation's definition, so that the same seed gives the same
// bits on every machine, with every vector width and on any number of threads:
//
//   products     each output has one accumulator; the summed index ascends (see matmul_*)
//   along a row  sixteen partial sums, element j in partial j mod 16, then the tree
//                p[i] += p[i+8];  p[i] += p[i+4];  p[i] += p[i+2];  p[0] + p[1]
//   down a column, over tokens   one accumulator for each column, rows ascending
//
// Whatever else an operation computes is written with the same expression in both sets, and nothing
// is contracted into a fused multiply-add behind our back. Both sets therefore agree bit for bit,
// and a test says so.
//
// On request the products, and nothing else, add with a fused multiply-add: sum + a * b is then
// rounded once instead of twice, which is faster and slightly more accurate. Fused runs agree bit
// for bit with fused runs, and not with exact ones.

namespace tp {

// How a product adds up.
enum class Arithmetic { exact, fused };

// Whether a result replaces what its place holds or is added to it.
enum class Update { assign, add };

// The keys [begin, end) that one query may see. Attention over keys is banded: row i of a
// [queries, keys] matrix exists only inside ranges[i].
struct KeyRange {
  int begin = 0;
  int end = 0;
};
using KeyRanges = std::span<const KeyRange>;

// Two ways to pull values towards zero: `penalty` is the derivative of a term in the loss and
// enters the gradient, `shrink` multiplies the value beside the step (AdamW).
struct AdamStep {
  double learning_rate, beta1, beta2, epsilon;
  double correction1, correction2;  // 1 - beta1^t and 1 - beta2^t
  double penalty = 0, shrink = 1;
};

struct MomentumStep {
  double learning_rate, momentum;
  double penalty = 0;
};

constexpr int kIgnoredLabel = -1;

template <class T>
struct Kernels {
  const char* name;
  Arithmetic arithmetic;

  // Products. The accumulator of c[i,j] starts from 0 (assign) or from c[i,j] (add).
  //   nn: c[i,j] = sum_k a[i,k] b[k,j]      a [m,k]  b [k,n]  c [m,n]
  //   tn: c[i,j] = sum_k a[k,i] b[k,j]      a [k,m]  b [k,n]  c [m,n]
  void (*matmul_nn)(ConstMatrix<T> a, ConstMatrix<T> b, Matrix<T> c, Update update);
  void (*matmul_tn)(ConstMatrix<T> a, ConstMatrix<T> b, Matrix<T> c, Update update);

  // And with the second factor transposed, as a layer has its weights: the accumulator of y[i,o]
  // starts from the bias of o, or from 0 where there is no bias.
  //   nt: y[i,o] = b[o] + sum_k x[i,k] w[o,k]      x [n,in]  w [out,in]  b [out]  y [n,out]
  void (*affine)(ConstMatrix<T> x, ConstMatrix<T> weight, std::span<const T> bias, Matrix<T> y);

  // All three where one matrix, s [queries, keys], is banded. Nothing outside the band is read
  // or written.
  //   nt: s[i,j] = scale * sum_c a[i,c] b[j,c]     j in ranges[i]
  //   nn: y[i,c] = scale * sum_j s[i,j] b[j,c]     j in ranges[i]
  //   tn: y[j,c] = scale * sum_i s[i,j] b[i,c]     over the i whose range holds j
  void (*banded_nt)(ConstMatrix<T> a, ConstMatrix<T> b, T scale, KeyRanges ranges, Matrix<T> s);
  void (*banded_nn)(ConstMatrix<T> s, ConstMatrix<T> b, T scale, KeyRanges ranges, Matrix<T> y);
  void (*banded_tn)(ConstMatrix<T> s, ConstMatrix<T> b, T scale, KeyRanges ranges, Matrix<T> y);

  // d_bias[j] += sum_i d_y[i,j].
  void (*sum_rows)(ConstMatrix<T> d_y, std::span<T> d_bias);

  // y = a + b;  y = a * b element by element;  y = factor * a.  y may be a or b.
  void (*add)(std::span<const T> a, std::span<const T> b, std::span<T> y);
  void (*multiply)(std::span<const T> a, std::span<const T> b, std::span<T> y);
  void (*scale)(std::span<const T> a, T factor, std::span<T> y);

  // weights[i,j] = exp(scores[i,j] - max_i) / sum_j exp(scores[i,j] - max_i)   j in ranges[i]
  // and 0 outside. A score of minus infinity gets weight 0.
  void (*softmax)(ConstMatrix<T> scores, KeyRanges ranges, Matrix<T> weights);
  // d_scores = weights * (d_weights - sum_j weights d_weights), 0 outside. d_scores may be
  // d_weights.
  void (*softmax_backward)(ConstMatrix<T> weights, ConstMatrix<T> d_weights, KeyRanges ranges,
                           Matrix<T> d_scores);

  // mean_i and inverse_std_i = 1 / sqrt(variance_i + eps) over the row;
  // y = gamma * (x - mean) * inverse_std + beta.  An empty beta counts as zeros.
  void (*layer_norm)(ConstMatrix<T> x, std::span<const T> gamma, std::span<const T> beta, T eps,
                     std::span<T> mean, std::span<T> inverse_std, Matrix<T> y);
  void (*layer_norm_backward)(ConstMatrix<T> d_y, ConstMatrix<T> x, std::span<const T> gamma,
                              std::span<const T> mean, std::span<const T> inverse_std,
                              Matrix<T> d_x, std::span<T> d_gamma, std::span<T> d_beta);

  // inverse_rms_i = 1 / sqrt(mean of squares + eps) over the row, summed by the rule for rows;
  // y = gamma * (x * inverse_rms).
  void (*rms_norm)(ConstMatrix<T> x, std::span<const T> gamma, T eps, std::span<T> inverse_rms,
                   Matrix<T> y);
  void (*rms_norm_backward)(ConstMatrix<T> d_y, ConstMatrix<T> x, std::span<const T> gamma,
                            std::span<const T> inverse_rms, Matrix<T> d_x, std::span<T> d_gamma);

  // max(x, 0), which lets a NaN through, and x * Phi(x), the exact GELU: Phi(x) = (1 + erf(x / sqrt
  // 2)) / 2.
  void (*relu)(std::span<const T> x, std::span<T> y);
  void (*relu_backward)(std::span<const T> d_y, std::span<const T> x, std::span<T> d_x);
  void (*gelu)(std::span<const T> x, std::span<T> y);
  void (*gelu_backward)(std::span<const T> d_y, std::span<const T> x, std::span<T> d_x);

  // y[i] = scale * table[ids[i]], and its inverse d_table[ids[i]] += scale * d_y[i], i ascending.
  void (*gather)(ConstMatrix<T> table, std::span<const int> ids, T scale, Matrix<T> y);
  void (*scatter_add)(ConstMatrix<T> d_y, std::span<const int> ids, T scale, Matrix<T> d_table);

  // Turns each pair (x[2p], x[2p+1]) of row i by the angle whose cosine and sine stand in row i of
  // the tables; `direction` -1 turns back.
  void (*rotate)(ConstMatrix<T> cosine, ConstMatrix<T> sine, T direction, Matrix<T> x);

  // Cross-entropy of row i against label l with smoothing e over V classes; 0 where the label is
  // ignored:
  //   losses[i] = -(1 - e) log p[l] - (e / V) sum_v log p[v]        p = softmax(logits[i])
  //   d_logits[i,v] = scale * (p[v] - (1 - e) [v = l] - e / V)
  void (*cross_entropy)(ConstMatrix<T> logits, std::span<const int> labels, T smoothing,
                        Matrix<T> probabilities, std::span<T> losses);
  void (*cross_entropy_backward)(ConstMatrix<T> probabilities, std::span<const int> labels,
                                 T smoothing, T scale, Matrix<T> d_logits);

  // mean of (x - target)^2, and d_x = scale * 2 (x - target) / count.
  T (*squared_error)(std::span<const T> x, std::span<const T> target);
  void (*squared_error_backward)(std::span<const T> x, std::span<const T> target, T scale,
                                 std::span<T> d_x);

  // The sum of a run of numbers, of their squares, or of the squares of differences a - b, by the
  // rule for rows. Squares are added in double: a gradient has millions of them.
  T (*sum)(std::span<const T> x);
  double (*sum_of_squares)(std::span<const T> x);
  double (*squared_distance)(std::span<const T> a, std::span<const T> b);

  //   g = gradient + penalty * value
  //   m = b1 m + (1 - b1) g                       v = b2 v + (1 - b2) g^2
  //   value = shrink * value - (rate / correction1) * m / (sqrt(v) / sqrt(correction2) + epsilon)
  void (*adam)(std::span<const T> gradient, const AdamStep& step, std::span<T> first_moment,
               std::span<T> second_moment, std::span<T> value);

  //   m = momentum * m + (gradient + penalty * value)          value -= rate * m
  void (*momentum)(std::span<const T> gradient, const MomentumStep& step, std::span<T> first_moment,
                   std::span<T> value);
};

template <class T>
const Kernels<T>& reference_kernels(Arithmetic arithmetic = Arithmetic::exact);

// The fast set for the widest vectors that this machine has. Ask can_fuse() before a fused one.
template <class T>
const Kernels<T>& fast_kernels(Arithmetic arithmetic = Arithmetic::exact);
bool can_fuse();

// The fast sets by the width of their vectors, which no result depends on. Null where this machine
// or this build lacks the instructions.
inline constexpr int kVectorBits[] = {512, 256, 128};
template <class T>
const Kernels<T>* fast_kernels_of(int vector_bits, Arithmetic arithmetic);

}  // namespace tp
