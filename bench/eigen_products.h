#pragma once

// The products of Eigen, a rival of ours, at the same shapes.

namespace tp::bench {

// How the factors are stored, as in kernels.h: a [m,depth] or, for tn, [depth,m]; b [depth,n] or,
// for nt, [n,depth].
enum class Form { nn, nt, tn };

// c [m,n] and the depth of its sums.
struct Shape {
  int m, n, depth;
};

// c = a b
using EigenProduct = void(Form form, const Shape& shape, const float* a, const float* b, float* c);

// With the widest vectors that this machine has.
EigenProduct* widest_eigen_product();

}  // namespace tp::bench

// bench/eigen_products.cpp, by width.
namespace tp::v128 {
bench::EigenProduct eigen_product;
}
namespace tp::v256 {
bench::EigenProduct eigen_product;
}
namespace tp::v512 {
bench::EigenProduct eigen_product;
}
