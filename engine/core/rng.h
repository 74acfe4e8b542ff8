#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

// Random numbers that are the same bits in every build and can be addressed: the i-th word of a
// stream is a pure function of (seed, stream, i).
//
// The generator is Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
// 2011): ten rounds of multiply and exchange turn a 128-bit counter into four random words under a
// 64-bit key. The seed is the key, the stream is the counter's upper half, the block number its
// lower half. Give each purpose (weights, data, dropout of layer 3) or each example a stream of its
// own: streams of one seed never overlap.

namespace tp {

using PhiloxBlock = std::array<std::uint32_t, 4>;
PhiloxBlock philox(PhiloxBlock counter, std::uint64_t key);

class Rng {
 public:
  // All there is to save. `position` counts the words drawn.
  struct State {
    std::uint64_t seed = 0, stream = 0, position = 0;
    bool operator==(const State&) const = default;
  };

  explicit Rng(std::uint64_t seed, std::uint64_t stream = 0) : Rng(State{seed, stream, 0}) {}
  explicit Rng(const State& state) : state_(state) {}

  const State& state() const { return state_; }
  // Continues with word number `position` of the stream.
  void seek(std::uint64_t position) { state_.position = position; }

  std::uint32_t next_u32();                 // draws one word
  std::uint64_t next_u64();                 // two words, the first one low
  float uniform_float();                    // [0, 1), a multiple of 2^-24; one word
  double uniform();                         // [0, 1), a multiple of 2^-53; two words
  double uniform(double low, double high);  // [low, high) up to rounding; two words
  bool bernoulli(double probability);       // to within 2^-31; one word
  std::uint32_t below(std::uint32_t n);     // 0 .. n-1, exactly even; n > 0; mostly one word
  double normal();                          // mean 0, deviation 1, |x| < 6.8; two words

  // The words that as many calls of next_u32 would give, made in blocks and so faster.
  void fill(std::span<std::uint32_t> words);
  // Dropout: each entry is `kept` with the probability `keep`, otherwise 0. One word per entry.
  void fill_mask(std::span<float> mask, double keep, float kept);
  void fill_mask(std::span<double> mask, double keep, double kept);

  // Every order equally likely (Fisher-Yates). At most 2^32 - 1 items.
  template <class T>
  void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) {
      std::swap(items[i - 1], items[below(static_cast<std::uint32_t>(i))]);
    }
  }

 private:
  template <class T>
  void fill_mask_of(std::span<T> mask, double keep, T kept);

  State state_;
  // The block that holds the word drawn last; recomputed when another one is needed.
  std::uint64_t block_number_ = ~std::uint64_t{0};
  PhiloxBlock block_{};
};

}  // namespace tp
