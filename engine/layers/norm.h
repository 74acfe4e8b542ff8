#pragma once

#include <variant>

#include "engine/layers/layer_norm.h"
#include "engine/layers/rms_norm.h"

namespace tp {

enum class NormKind { layer, rms };

// Whichever norm a model has. What stands on a norm knows no kinds.
template <class T>
class Norm {
 public:
  struct Cache {
    typename LayerNorm<T>::Cache layer;
    typename RmsNorm<T>::Cache rms;
  };

  Norm() = default;
  Norm(LayerNorm<T> norm) : norm_(norm) {}  // NOLINT(google-explicit-constructor)
  Norm(RmsNorm<T> norm) : norm_(norm) {}    // NOLINT(google-explicit-constructor)

  void prepare(Arena& arena, int rows, Cache& cache) const {
    std::visit([&](const auto& norm) { norm.prepare(arena, rows, of(norm, cache)); }, norm_);
  }
  void forward(ConstMatrix<T> x, Matrix<T> y, Cache& cache) const {
    std::visit([&](const auto& norm) { norm.forward(x, y, of(norm, cache)); }, norm_);
  }
  void backward(ConstMatrix<T> d_y, const Cache& cache, Matrix<T> d_x) const {
    std::visit([&](const auto& norm) { norm.backward(d_y, of(norm, cache), d_x); }, norm_);
  }
  TensorId describe(PassVisitor<T>& visitor, const Cache& cache, TensorId x, ConstMatrix<T> y,
                    ConstMatrix<T> d_y) const {
    return std::visit(
        [&](const auto& norm) { return norm.describe(visitor, of(norm, cache), x, y, d_y); },
        norm_);
  }

 private:
  template <class AnyCache>
  static auto& of(const LayerNorm<T>&, AnyCache& cache) {
    return cache.layer;
  }
  template <class AnyCache>
  static auto& of(const RmsNorm<T>&, AnyCache& cache) {
    return cache.rms;
  }

  std::variant<LayerNorm<T>, RmsNorm<T>> norm_;
};

}  // namespace tp
