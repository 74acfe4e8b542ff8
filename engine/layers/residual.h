#pragma once

#include "engine/core/arena.h"
#include "engine/layers/dropout.h"
#include "engine/layers/keep.h"
#include "engine/layers/norm.h"

// The road around a sublayer f (attention or feed-forward), and where the norm stands on it:
//
//   pre-norm    y = x + dropout(f(norm(x)))      today's habit: the road itself stays clear
//   post-norm   y = norm(x + dropout(f(x)))      the paper's
//
//   x, y [n, d]

namespace tp {

enum class NormPlacement { pre, post };

template <class T>
class Residual {
 public:
  struct Cache {
    typename Norm<T>::Cache norm;
    typename Dropout<T>::Cache dropout;
    Keep keep = Keep::everything;
    Matrix<T> normed;  // norm(x), pre-norm only
    Matrix<T> branch;  // dropout(f(...)); in the place of the sum where only that is needed
    Matrix<T> sum;     // x + branch; pre-norm: this is y

    Matrix<T> d_normed;  // pre-norm only
    Matrix<T> d_branch;  // before dropout: what f receives, unless that is d_sum or d_y itself
    Matrix<T> d_sum;     // post-norm only
  };

  Residual() = default;
  Residual(const Kernels<T>& kernels, NormPlacement placement, Norm<T> norm, Dropout<T> dropout)
      : kernels_(&kernels), placement_(placement), norm_(norm), dropout_(dropout) {}

  void prepare(Arena& arena, int rows, int d_model, const DropoutRun& run, Cache& cache,
               Keep keep = Keep::everything) const {
    norm_.prepare(arena, rows, cache.norm);
    const bool pre = placement_ == NormPlacement::pre;
    cache.keep = keep;
    cache.normed = pre ? arena.matrix<T>(rows, d_model) : Matrix<T>();
    cache.branch = keep == Keep::everything ? arena.matrix<T>(rows, d_model) : Matrix<T>();
    cache.sum = pre ? Matrix<T>() : arena.matrix<T>(rows, d_model);
    dropout_.prepare(arena, static_cast<std::size_t>(rows) * static_cast<std::size_t>(d_model), run,
                     cache.dropout);
  }

  void prepare_gradients(Arena& arena, int rows, int d_model, Cache& cache) const {
    const bool pre = placement_ == NormPlacement::pre;
    cache.d_normed = pre ? arena.matrix<T>(rows, d_model) : Matrix<T>();
    cache.d_branch = hands_on(cache) ? Matrix<T>() : arena.matrix<T>(rows, d_model);
    cache.d_sum = pre ? Matrix<T>() : arena.matrix<T>(rows, d_model);
  }

  // sublayer(input, output) computes f.
  template <class Sublayer>
  void forward(ConstMatrix<T> x, const DropoutRun& run, Matrix<T> y, Cache& cache,
               Sublayer sublayer) const {
    const bool pre = placement_ == NormPlacement::pre;
    if (pre) cache.sum = y;
    if (cache.keep == Keep::needed) cache.branch = cache.sum;
    if (pre) norm_.forward(x, cache.normed, cache.norm);
    sublayer(pre ? ConstMatrix<T>(cache.normed) : x, cache.branch);
    const auto branch = cache.branch.flat();
    dropout_.forward(branch, run, branch, cache.dropout);
    kernels_->add(x.flat(), branch, cache.sum.flat());
    if (!pre) norm_.forward(cache.sum, y, cache.norm);
  }

  // sublayer_backward(d_output, d_input) inverts f.
  template <class SublayerBackward>
  void backward(ConstMatrix<T> d_y, Cache& cache, Matrix<T> d_x,
                SublayerBackward sublayer_backward) const {
    if (placement_ == NormPlacement::pre) {
      // y = x + branch: the gradient goes both ways.
      sublayer_backward(branch_gradient(d_y, cache), cache.d_normed);
      // normed = norm(x)
      norm_.backward(cache.d_normed, cache.norm, d_x);
      kernels_->add(d_x.flat(), d_y.flat(), d_x.flat());
    } else {
      // y = norm(sum)
      norm_.backward(d_y, cache.norm, cache.d_sum);
      // sum = x + branch
      sublayer_backward(branch_gradient(cache.d_sum, cache), d_x);
      kernels_->add(d_x.flat(), cache.d_sum.flat(), d_x.flat());
    }
  }

  // From x to y. describe_sublayer(input, output) describes f. In a block the norm of the
  // number-th residual is called norm<number>.
  template <class DescribeSublayer>
  TensorId describe(PassVisitor<T>& visitor, int number, const Cache& cache, TensorId x,
                    ConstMatrix<T> y, ConstMatrix<T> d_y,
                    DescribeSublayer describe_sublayer) const {
    const bool pre = placement_ == NormPlacement::pre;
    TensorId in = x;
    if (pre) {
      const typename PassVisitor<T>::Scope scope(visitor, kNormNames[number]);
      in = norm_.describe(visitor, cache.norm, x, cache.normed, cache.d_normed);
    }
    const bool kept = cache.keep == Keep::everything;
    const TensorId branch = describe_sublayer(
        in, SublayerOutput<T>{kept ? ConstMatrix<T>(cache.branch) : ConstMatrix<T>(),
                              cache.d_branch, !cache.dropout.mask.empty()});
    if (pre) return visitor.rows(kSumNames[number], "add", {x, branch}, AxisKind::feature, y, d_y);
    const TensorId sum = visitor.rows(kSumNames[number], "add", {x, branch}, AxisKind::feature,
                                      cache.sum, cache.d_sum);
    const typename PassVisitor<T>::Scope scope(visitor, kNormNames[number]);
    return norm_.describe(visitor, cache.norm, sum, y, d_y);
  }
  // y alone, where the rest was written over.
  TensorId describe_output(PassVisitor<T>& visitor, int number, TensorId x,
                           ConstMatrix<T> y) const {
    if (placement_ == NormPlacement::pre) {
      return visitor.rows(kSumNames[number], "add", {x}, AxisKind::feature, y);
    }
    const typename PassVisitor<T>::Scope scope(visitor, kNormNames[number]);
    return visitor.rows("output", "norm", {x}, AxisKind::feature, y);
  }

 private:
  static constexpr const char* kNormNames[] = {"", "norm1", "norm2", "norm3"};
  static constexpr const char* kSumNames[] = {"", "residual1", "residual2", "residual3"};

  // Whether the branch gets the very gradient of the sum: nothing is dropped and nothing is traced.
  static bool hands_on(const Cache& cache) {
    return cache.keep == Keep::needed && cache.dropout.mask.empty();
  }
  ConstMatrix<T> branch_gradient(ConstMatrix<T> d_sum, const Cache& cache) const {
    if (hands_on(cache)) return d_sum;
    dropout_.backward(d_sum.flat(), cache.dropout, cache.d_branch.flat());
    return cache.d_branch;
  }

  const Kernels<T>* kernels_ = nullptr;
  NormPlacement placement_ = NormPlacement::pre;
  Norm<T> norm_;
  Dropout<T> dropout_;
};

}  // namespace tp
