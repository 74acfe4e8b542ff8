#include "bench/eigen_products.h"

// GCC 12 takes the undefined vectors of its own header for a mistake (its bug 105593).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <Eigen/Core>

namespace tp::TP_VECTORS {

void eigen_product(bench::Form form, const bench::Shape& shape, const float* a, const float* b,
                   float* c) {
  using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto [m, n, depth] = shape;
  Eigen::Map<Rows> product(c, m, n);
  switch (form) {
    case bench::Form::nn:
      product.noalias() = Eigen::Map<const Rows>(a, m, depth) * Eigen::Map<const Rows>(b, depth, n);
      break;
    case bench::Form::nt:
      product.noalias() =
          Eigen::Map<const Rows>(a, m, depth) * Eigen::Map<const Rows>(b, n, depth).transpose();
      break;
    case bench::Form::tn:
      product.noalias() =
          Eigen::Map<const Rows>(a, depth, m).transpose() * Eigen::Map<const Rows>(b, depth, n);
      break;
  }
}

}  // namespace tp::TP_VECTORS
