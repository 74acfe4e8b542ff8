#pragma once

#include <algorithm>
#include <utility>

#include "engine/kernels/vector.h"

// A row in blocks of sixteen numbers, the partial sums of kernels.h.

namespace tp::TP_VECTORS {

constexpr int kPartials = 16;

// Sixteen numbers side by side, in as many vectors as they take.
template <class T>
struct Block {
  static constexpr int kParts = kPartials / kLanes<T>;
  Vector<T> part[kParts];

  static TP_INLINE Block all(T value) {
    Block block;
    TP_UNROLL for (int p = 0; p < kParts; ++p) block.part[p] = splat<Vector<T>>(value);
    return block;
  }
  static TP_INLINE Block read(const T* from) {
    Block block;
    TP_UNROLL for (int p = 0; p < kParts; ++p) {
      block.part[p] = load<Vector<T>>(from + p * kLanes<T>);
    }
    return block;
  }
  // f(0) ... f(count - 1), and zero from there on.
  template <class Function>
  static TP_INLINE Block of(int count, Function f) {
    alignas(64) T numbers[kPartials] = {};
    for (int lane = 0; lane < count; ++lane) numbers[lane] = f(lane);
    return read(numbers);
  }
  TP_INLINE void write(T* to) const {
    TP_UNROLL for (int p = 0; p < kParts; ++p) store(to + p * kLanes<T>, part[p]);
  }

  // The first `count` numbers, and those of `rest` in the other lanes.
  TP_INLINE Block first(int count, const Block& rest) const {
    Block block;
    TP_UNROLL for (int p = 0; p < kParts; ++p) {
      const auto lane = kLaneNumbers<T> + p * kLanes<T>;
      block.part[p] = lane < count ? part[p] : rest.part[p];
    }
    return block;
  }
  TP_INLINE Block first(int count, T rest) const { return first(count, all(rest)); }

  // join(a, b) of the numbers in lanes i and i + 8, then of i and i + 4, i + 2, i + 1.
  template <class Join>
  TP_INLINE T fold(Join join) const {
    Block folded = *this;
    TP_UNROLL for (int half = kParts / 2; half > 0; half /= 2) {
      TP_UNROLL for (int p = 0; p < half; ++p) {
        folded.part[p] = join(folded.part[p], folded.part[p + half]);
      }
    }
    return fold_lanes<kLanes<T> / 2>(folded.part[0], join);
  }

 private:
  template <int kHalf, class Join>
  static TP_INLINE T fold_lanes(Vector<T> v, Join join) {
    if constexpr (kHalf == 0) {
      return v[0];
    } else {
      const auto turned = [&]<int... lane>(std::integer_sequence<int, lane...>) {
        return __builtin_shufflevector(v, v, ((lane + kHalf) % kLanes<T>)...);
      }
      (std::make_integer_sequence<int, kLanes<T>>());
      return fold_lanes<kHalf / 2>(join(v, turned), join);
    }
  }
};

// with(a, b) in every lane.
template <class T, class With>
TP_INLINE Block<T> join(const Block<T>& a, const Block<T>& b, With with) {
  Block<T> joined;
  TP_UNROLL for (int p = 0; p < Block<T>::kParts; ++p) joined.part[p] = with(a.part[p], b.part[p]);
  return joined;
}
constexpr auto kSum = [](auto a, auto b) TP_INLINE_LAMBDA { return a + b; };
constexpr auto kDifference = [](auto a, auto b) TP_INLINE_LAMBDA { return a - b; };
constexpr auto kProduct = [](auto a, auto b) TP_INLINE_LAMBDA { return a * b; };
constexpr auto kLarger = [](auto a, auto b) TP_INLINE_LAMBDA { return a < b ? b : a; };

// A stretch of a row, in blocks. What the row has behind its numbers is written with zeros, as far
// as the last block reaches; what follows the row, in `capacity` numbers from the first, stays as
// it is.
struct Stretch {
  int count, row, capacity;

  // Where the zeros end that the last block wrote.
  int end() const {
    const int whole = (count + kPartials - 1) / kPartials * kPartials;
    return kReadsSome || whole <= capacity ? std::min(whole, row) : count;
  }

  // x[first] ... and `rest` in lanes that have no number.
  template <class T>
  TP_INLINE Block<T> read(const T* x, int first, T rest) const {
    if (first + kPartials <= count) return Block<T>::read(x + first);
    if constexpr (kReadsSome) {
      Block<T> block;
      TP_UNROLL for (int p = 0, at = first; p < Block<T>::kParts; ++p, at += kLanes<T>) {
        block.part[p] = load_some(x + at, count - at, rest);
      }
      return block;
    }
    const auto numbers = first + kPartials <= capacity ? Block<T>::read(x + first)
                                                       : read_some(x + first, count - first);
    return numbers.first(count - first, rest);
  }
  template <class T>
  TP_INLINE void write(const Block<T>& block, int first, T* y) const {
    if (first + kPartials <= count) return block.write(y + first);
    const auto numbers = block.first(count - first, T(0));
    if constexpr (kReadsSome) {
      TP_UNROLL for (int p = 0, at = first; p < Block<T>::kParts; ++p, at += kLanes<T>) {
        store_some(y + at, row - at, numbers.part[p]);
      }
      return;
    }
    if (first + kPartials <= row) return numbers.write(y + first);
    if (first + kPartials > capacity) return write_some(block, count - first, y + first);
    numbers.first(row - first, Block<T>::read(y + first)).write(y + first);
  }

 private:
  // Once in the program, and not wherever a row may end.
  template <class T>
  __attribute__((noinline)) static Block<T> read_some(const T* x, int some) {
    return Block<T>::of(some, [x](int lane) { return x[lane]; });
  }
  template <class T>
  __attribute__((noinline)) static void write_some(const Block<T>& block, int some, T* y) {
    alignas(64) T numbers[kPartials];
    block.write(numbers);
    std::copy_n(numbers, some, y);
  }
};

}  // namespace tp::TP_VECTORS
