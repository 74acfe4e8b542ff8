#pragma once

#include "engine/kernels/packing.h"

// A product whose first factor is one row, as in writing a token after the other:
//
//   y[o] = b[o] + sum_k x[k] w[o,k]
//
// Every weight is used once, so none is packed: square blocks of them are transposed in registers
// and multiplied from there. Four vectors of sums hide the latency of each sum's chain over k.

namespace tp::TP_VECTORS {

// The outputs of four vectors. No bias counts as zeros.
template <class T>
constexpr int kGroup = 4 * kLanes<T>;
template <class T, Arithmetic arithmetic>
TP_INLINE void multiply_group(const T* x, const T* w, std::ptrdiff_t w_row, int depth,
                              const T* bias, T* y) {
  using V = Vector<T>;
  constexpr int kVectors = kGroup<T> / kLanes<T>;
  V sums[kVectors];
  TP_UNROLL for (int v = 0; v < kVectors; ++v) {
    sums[v] = bias == nullptr ? V{} : load<V>(bias + v * kLanes<T>);
  }
  const int whole = depth - depth % kShort<T>;
  for (int k = 0; k < whole; k += kShort<T>) {
    TP_UNROLL for (int v = 0; v < kVectors; ++v) {
      const auto block = transposed_block(w + v * kLanes<T> * w_row + k, w_row);
      TP_UNROLL for (int i = 0; i < kShort<T>; ++i) {
        sums[v] = multiply_add<arithmetic>(splat<V>(x[k + i]), block.of_k[i], sums[v]);
      }
    }
  }
  for (int k = whole; k < depth; ++k) {
    TP_UNROLL for (int v = 0; v < kVectors; ++v) {
      V column;
      TP_UNROLL for (int lane = 0; lane < kLanes<T>; ++lane) {
        column[lane] = w[(v * kLanes<T> + lane) * w_row + k];
      }
      sums[v] = multiply_add<arithmetic>(splat<V>(x[k]), column, sums[v]);
    }
  }
  TP_UNROLL for (int v = 0; v < kVectors; ++v) store(y + v * kLanes<T>, sums[v]);
}

// Whole groups of outputs; returns how many outputs those are. The rest is left to the products of
// any shape.
template <class T, Arithmetic arithmetic>
int multiply_row(const T* x, ConstMatrix<T> w, const T* bias, T* y) {
  int o = 0;
  for (; o + kGroup<T> <= w.rows; o += kGroup<T>) {
    multiply_group<T, arithmetic>(x, w.data + o * w.stride, w.stride, w.columns,
                                  bias == nullptr ? nullptr : bias + o, y + o);
  }
  return o;
}

}  // namespace tp::TP_VECTORS
