#include "engine/kernels/kernels.h"

#include "engine/kernels/reference_set.h"

// The fast sets, by width: see vector.h.
#define TP_DECLARE_FAST_SET(width)                   \
  namespace tp::width {                              \
  template <class T>                                 \
  const Kernels<T>* fast_set(Arithmetic arithmetic); \
  }
TP_DECLARE_FAST_SET(v128)
TP_DECLARE_FAST_SET(v256)
TP_DECLARE_FAST_SET(v512)

namespace tp {
namespace {

template <class T>
Kernels<T> made_reference(Arithmetic arithmetic) {
  Kernels<T> set{};
  set.name = arithmetic == Arithmetic::fused ? "reference, fused" : "reference";
  set.arithmetic = arithmetic;
  add_reference_products(arithmetic, set);
  add_reference_rows(set);
  add_reference_elements(set);
  return set;
}

}  // namespace

template <class T>
const Kernels<T>& reference_kernels(Arithmetic arithmetic) {
  static const Kernels<T> exact = made_reference<T>(Arithmetic::exact);
  static const Kernels<T> fused = made_reference<T>(Arithmetic::fused);
  return arithmetic == Arithmetic::fused ? fused : exact;
}

template <class T>
const Kernels<T>* fast_kernels_of(int vector_bits, Arithmetic arithmetic) {
#if defined(TP_WIDE_VECTORS)
  if (vector_bits == 512) {
    const bool there = __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx512f") &&
                       __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
                       __builtin_cpu_supports("avx512dq");
    return there ? v512::fast_set<T>(arithmetic) : nullptr;
  }
  if (vector_bits == 256) {
    const bool there = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return there ? v256::fast_set<T>(arithmetic) : nullptr;
  }
#endif
  return vector_bits == 128 ? v128::fast_set<T>(arithmetic) : nullptr;
}

template <class T>
const Kernels<T>& fast_kernels(Arithmetic arithmetic) {
  for (const int bits : kVectorBits) {
    if (const Kernels<T>* set = fast_kernels_of<T>(bits, arithmetic)) return *set;
  }
  TP_CHECK(false, "fused arithmetic was asked for where can_fuse() says no");
  return reference_kernels<T>(arithmetic);
}

bool can_fuse() {
  for (const int bits : kVectorBits) {
    if (fast_kernels_of<float>(bits, Arithmetic::fused) != nullptr) return true;
  }
  return false;
}

template const Kernels<float>& reference_kernels(Arithmetic);
template const Kernels<double>& reference_kernels(Arithmetic);
template const Kernels<float>& fast_kernels(Arithmetic);
template const Kernels<double>& fast_kernels(Arithmetic);
template const Kernels<float>* fast_kernels_of(int, Arithmetic);
template const Kernels<double>* fast_kernels_of(int, Arithmetic);

}  // namespace tp
