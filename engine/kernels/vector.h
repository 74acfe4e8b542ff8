#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "engine/kernels/kernels.h"

#if defined(__FMA__)
#include <immintrin.h>
#elif defined(__wasm_relaxed_simd__)
#include <wasm_simd128.h>
#endif

// The vector registers that this source file is compiled for. The fast kernels are compiled once
// for each width that a machine may have (cmake/vector_widths.cmake), every time into a namespace
// of its own, and kernels.cpp picks the widest when the program starts:
//
//   v128   SSE2, NEON and WebAssembly: what every machine has
//   v256   AVX2
//   v512   AVX-512
//
// Code that belongs to one width must not be found by the linker under a name that all share: no
// function of this folder is inline outside its namespace.

#if !defined(TP_VECTORS)
#define TP_VECTORS v128
#define TP_VECTOR_BYTES 16
#endif

// Whether this width can round a multiplication and an addition once, as Arithmetic::fused does.
#if defined(__FMA__) || defined(__wasm_relaxed_simd__) || defined(__ARM_FEATURE_FMA)
#define TP_CAN_FUSE 1
#else
#define TP_CAN_FUSE 0
#endif

namespace tp::TP_VECTORS {

constexpr bool kCanFuse = TP_CAN_FUSE == 1;

template <class T>
struct VectorOf {
  typedef T Type __attribute__((vector_size(TP_VECTOR_BYTES)));
};
template <class T>
using Vector = typename VectorOf<T>::Type;

template <class T>
constexpr int kLanes = TP_VECTOR_BYTES / static_cast<int>(sizeof(T));

#define TP_INLINE __attribute__((always_inline)) inline
#define TP_INLINE_LAMBDA __attribute__((always_inline))
#define TP_UNROLL _Pragma("GCC unroll 16")

// 0, 1, 2 ... in the lanes of a vector of whole numbers as wide as T.
template <class T>
constexpr auto kLaneNumbers = []<int... lane>(std::integer_sequence<int, lane...>) {
  using Whole = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  return Vector<Whole>{lane...};
}
(std::make_integer_sequence<int, kLanes<T>>());

// V is a Vector<T>, or T itself for what is left at the end of a row.
template <class V, class T>
TP_INLINE V load(const T* from) {
  V v;
  std::memcpy(&v, from, sizeof(v));
  return v;
}
template <class V, class T>
TP_INLINE void store(T* to, V v) {
  std::memcpy(to, &v, sizeof(v));
}
template <class V, class T>
TP_INLINE V splat(T value) {
  return value - V{};  // minus zero would become zero if zero were added
}

// With AVX-512 a vector reads and writes any number of its lanes.
#if defined(__AVX512F__) && TP_VECTOR_BYTES == 64
constexpr bool kReadsSome = true;

template <class T>
TP_INLINE auto first_lanes(int count) {
  using Mask = std::conditional_t<sizeof(T) == 4, __mmask16, __mmask8>;
  return static_cast<Mask>(count <= 0 ? 0 : count >= kLanes<T> ? ~0u : (1u << count) - 1);
}
// The first `count` lanes out of memory, and `rest` in the others.
TP_INLINE Vector<float> load_some(const float* from, int count, float rest) {
  return _mm512_mask_loadu_ps(splat<Vector<float>>(rest), first_lanes<float>(count), from);
}
TP_INLINE Vector<double> load_some(const double* from, int count, double rest) {
  return _mm512_mask_loadu_pd(splat<Vector<double>>(rest), first_lanes<double>(count), from);
}
TP_INLINE void store_some(float* to, int count, Vector<float> v) {
  _mm512_mask_storeu_ps(to, first_lanes<float>(count), v);
}
TP_INLINE void store_some(double* to, int count, Vector<double> v) {
  _mm512_mask_storeu_pd(to, first_lanes<double>(count), v);
}
#else
constexpr bool kReadsSome = false;
#endif

// sum + a * b, rounded once when fused and twice when exact.
template <Arithmetic arithmetic, class V>
TP_INLINE V multiply_add(V a, V b, V sum) {
  if constexpr (arithmetic == Arithmetic::exact) {
    return sum + a * b;
  } else {
#if defined(__FMA__) && TP_VECTOR_BYTES == 64
    if constexpr (std::is_same_v<V, Vector<float>>) return V(_mm512_fmadd_ps(a, b, sum));
    if constexpr (std::is_same_v<V, Vector<double>>) return V(_mm512_fmadd_pd(a, b, sum));
#elif defined(__FMA__) && TP_VECTOR_BYTES == 32
    if constexpr (std::is_same_v<V, Vector<float>>) return V(_mm256_fmadd_ps(a, b, sum));
    if constexpr (std::is_same_v<V, Vector<double>>) return V(_mm256_fmadd_pd(a, b, sum));
#elif defined(__FMA__)
    if constexpr (std::is_same_v<V, Vector<float>>) return V(_mm_fmadd_ps(a, b, sum));
    if constexpr (std::is_same_v<V, Vector<double>>) return V(_mm_fmadd_pd(a, b, sum));
#elif defined(__wasm_relaxed_simd__)
    if constexpr (std::is_same_v<V, Vector<float>>) {
      return V(wasm_f32x4_relaxed_madd(v128_t(a), v128_t(b), v128_t(sum)));
    }
    if constexpr (std::is_same_v<V, Vector<double>>) {
      return V(wasm_f64x2_relaxed_madd(v128_t(a), v128_t(b), v128_t(sum)));
    }
    // There is no such instruction for one number: the lanes are all the same.
    if constexpr (std::is_same_v<V, float>) {
      return wasm_f32x4_extract_lane(
          wasm_f32x4_relaxed_madd(wasm_f32x4_splat(a), wasm_f32x4_splat(b), wasm_f32x4_splat(sum)),
          0);
    }
    if constexpr (std::is_same_v<V, double>) {
      return wasm_f64x2_extract_lane(
          wasm_f64x2_relaxed_madd(wasm_f64x2_splat(a), wasm_f64x2_splat(b), wasm_f64x2_splat(sum)),
          0);
    }
#else
    if constexpr (sizeof(V) == TP_VECTOR_BYTES) {
      for (std::size_t lane = 0; lane < sizeof(V) / sizeof(a[0]); ++lane) {
        sum[lane] = std::fma(a[lane], b[lane], sum[lane]);
      }
      return sum;
    }
#endif
    if constexpr (std::is_arithmetic_v<V>) return std::fma(a, b, sum);
  }
}

}  // namespace tp::TP_VECTORS
