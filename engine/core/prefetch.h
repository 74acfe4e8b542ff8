#pragma once

#include "engine/core/matrix.h"

namespace tp {

// WebAssembly has no such instruction.
#if defined(__EMSCRIPTEN__)
inline constexpr bool kCanPrefetch = false;
#else
inline constexpr bool kCanPrefetch = true;
#endif

// Starts loading numbers that will soon be read into the second-level cache.
template <class T>
inline void prefetch(ConstMatrix<T> soon) {
  constexpr int kLine = 64 / static_cast<int>(sizeof(T));
  for (int i = 0; i < soon.rows; ++i) {
    for (int j = 0; j < soon.columns; j += kLine) __builtin_prefetch(soon.row(i) + j, 0, 2);
  }
}

}  // namespace tp
