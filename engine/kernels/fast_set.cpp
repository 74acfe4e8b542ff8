#include "engine/kernels/fast_set.h"

namespace tp::TP_VECTORS {
namespace {

template <class T>
Kernels<T> made(Arithmetic arithmetic) {
  Kernels<T> set{};
  set.name = arithmetic == Arithmetic::fused ? "fast, fused" : "fast";
  set.arithmetic = arithmetic;
  add_fast_products(arithmetic, set);
  add_fast_bands(arithmetic, set);
  add_fast_rows(set);
  add_fast_elements(set);
  return set;
}

// Relaxed SIMD may fuse and may not, as the browser finds it best. (1 + e)^2 = 1 + 2e + e^2, whose
// last term gets lost in the product unless that goes into the sum unrounded.
template <class T>
bool really_fuses() {
  constexpr T kSmall = sizeof(T) == 4 ? T(0x1p-12) : T(0x1p-27);
  volatile T one_and_small = 1 + kSmall;  // not to be computed by the compiler
  const auto factor = splat<Vector<T>>(T(one_and_small));
  const auto sum =
      multiply_add<Arithmetic::fused>(factor, factor, splat<Vector<T>>(-1 - 2 * kSmall));
  return sum[0] == kSmall * kSmall;
}

}  // namespace

template <class T>
const Kernels<T>* fast_set(Arithmetic arithmetic) {
  if (arithmetic == Arithmetic::exact) {
    static const Kernels<T> exact = made<T>(Arithmetic::exact);
    return &exact;
  }
  if constexpr (kCanFuse) {
    static const Kernels<T> fused = made<T>(Arithmetic::fused);
    static const bool works = really_fuses<T>();
    return works ? &fused : nullptr;
  }
  return nullptr;
}

template const Kernels<float>* fast_set(Arithmetic);
template const Kernels<double>* fast_set(Arithmetic);

}  // namespace tp::TP_VECTORS
