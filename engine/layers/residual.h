#pragma once

#include "engine/core/arena.h"
#include "engine/layers/dropout.h"
#include "engine/layers/layer_norm.h"

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
    typename LayerNorm<T>::Cache norm;
    typename Dropout<T>::Cache dropout;
    Matrix<T> normed;  // norm(x), pre-norm only
    Matrix<T> branch;  // dropout(f(...))
    Matrix<T> sum;     // x + branch; pre-norm: this is y

    Matrix<T> d_normed;  // pre-norm only
    Matrix<T> d_branch;  // before dropout: what f receives
    Matrix<T> d_sum;     // post-norm only
  };

  Residual() = default;
  Residual(const Kernels<T>& kernels, NormPlacement placement, LayerNorm<T> norm,
           Dropout<T> dropout)
      : kernels_(&kernels), placement_(placement), norm_(norm), dropout_(dropout) {}

  void prepare(Arena& arena, int rows, int d_model, const DropoutRun& run, Cache& cache) const {
    norm_.prepare(arena, rows, cache.norm);
    const bool pre = placement_ == NormPlacement::pre;
    cache.normed = pre ? arena.matrix<T>(rows, d_model) : Matrix<T>();
    cache.branch = arena.matrix<T>(rows, d_model);
    cache.sum = pre ? Matrix<T>() : arena.matrix<T>(rows, d_model);
    dropout_.prepare(arena, cache.branch.flat().size(), run, cache.dropout);
  }

  void prepare_gradients(Arena& arena, int rows, int d_model, Cache& cache) const {
    const bool pre = placement_ == NormPlacement::pre;
    cache.d_normed = pre ? arena.matrix<T>(rows, d_model) : Matrix<T>();
    cache.d_branch = arena.matrix<T>(rows, d_model);
    cache.d_sum = pre ? Matrix<T>() : arena.matrix<T>(rows, d_model);
  }

  // sublayer(input, output) computes f.
  template <class Sublayer>
  void forward(ConstMatrix<T> x, const DropoutRun& run, Matrix<T> y, Cache& cache,
               Sublayer sublayer) const {
    const auto branch = cache.branch.flat();
    if (placement_ == NormPlacement::pre) {
      norm_.forward(x, cache.normed, cache.norm);
      sublayer(ConstMatrix<T>(cache.normed), cache.branch);
      dropout_.forward(branch, run, branch, cache.dropout);
      kernels_->add(x.flat(), branch, y.flat());
      cache.sum = y;
    } else {
      sublayer(x, cache.branch);
      dropout_.forward(branch, run, branch, cache.dropout);
      kernels_->add(x.flat(), branch, cache.sum.flat());
      norm_.forward(cache.sum, y, cache.norm);
    }
  }

  // sublayer_backward(d_output, d_input) inverts f.
  template <class SublayerBackward>
  void backward(ConstMatrix<T> d_y, Cache& cache, Matrix<T> d_x,
                SublayerBackward sublayer_backward) const {
    const auto d_branch = cache.d_branch.flat();
    if (placement_ == NormPlacement::pre) {
      // y = x + branch: the gradient goes both ways.
      dropout_.backward(d_y.flat(), cache.dropout, d_branch);
      sublayer_backward(ConstMatrix<T>(cache.d_branch), cache.d_normed);
      // normed = norm(x)
      norm_.backward(cache.d_normed, cache.norm, d_x);
      kernels_->add(d_x.flat(), d_y.flat(), d_x.flat());
    } else {
      // y = norm(sum)
      norm_.backward(d_y, cache.norm, cache.d_sum);
      // sum = x + branch
      dropout_.backward(cache.d_sum.flat(), cache.dropout, d_branch);
      sublayer_backward(ConstMatrix<T>(cache.d_branch), d_x);
      kernels_->add(d_x.flat(), cache.d_sum.flat(), d_x.flat());
    }
  }

 private:
  const Kernels<T>* kernels_ = nullptr;
  NormPlacement placement_ = NormPlacement::pre;
  LayerNorm<T> norm_;
  Dropout<T> dropout_;
};

}  // namespace tp
