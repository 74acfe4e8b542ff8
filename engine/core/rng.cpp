#include "engine/core/rng.h"

#include <algorithm>

#include "engine/core/check.h"
#include "engine/core/maths.h"

namespace tp {
namespace {

constexpr std::uint32_t kMultiplier[2] = {0xD2511F53u, 0xCD9E8D57u};
constexpr std::uint32_t kKeyStep[2] = {0x9E3779B9u, 0xBB67AE85u};
constexpr int kRounds = 10;

constexpr std::uint32_t low_word(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
constexpr std::uint32_t high_word(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

// One round: two words are multiplied; each high half meets a word that was not multiplied and a
// key.
struct Words {
  std::uint32_t a, b, c, d;
};
inline Words philox_round(Words x, std::uint32_t key0, std::uint32_t key1) {
  const std::uint64_t p = std::uint64_t{kMultiplier[0]} * x.a;
  const std::uint64_t q = std::uint64_t{kMultiplier[1]} * x.c;
  return {high_word(q) ^ x.b ^ key0, low_word(q), high_word(p) ^ x.d ^ key1, low_word(p)};
}

inline Words philox_words(Words x, std::uint64_t key) {
  for (std::uint32_t round = 0; round < kRounds; ++round) {
    x = philox_round(x, low_word(key) + round * kKeyStep[0], high_word(key) + round * kKeyStep[1]);
  }
  return x;
}

inline Words counter_of(std::uint64_t block, std::uint64_t stream) {
  return {low_word(block), high_word(block), low_word(stream), high_word(stream)};
}

constexpr std::uint32_t bernoulli_threshold(double probability) {
  return static_cast<std::uint32_t>(probability * 0x1p31);
}

}  // namespace

PhiloxBlock philox(PhiloxBlock counter, std::uint64_t key) {
  const Words x = philox_words({counter[0], counter[1], counter[2], counter[3]}, key);
  return {x.a, x.b, x.c, x.d};
}

std::uint32_t Rng::next_u32() {
  const std::uint64_t block = state_.position / 4;
  if (block != block_number_) {
    const Words x = philox_words(counter_of(block, state_.stream), state_.seed);
    block_ = {x.a, x.b, x.c, x.d};
    block_number_ = block;
  }
  return block_[state_.position++ % 4];
}

std::uint64_t Rng::next_u64() {
  const std::uint64_t low = next_u32();
  return low | std::uint64_t{next_u32()} << 32;
}

float Rng::uniform_float() { return static_cast<float>(next_u32() >> 8) * 0x1p-24f; }

double Rng::uniform() { return static_cast<double>(next_u64() >> 11) * 0x1p-53; }

double Rng::uniform(double low, double high) { return low + (high - low) * uniform(); }

bool Rng::bernoulli(double probability) {
  TP_CHECK(probability >= 0 && probability <= 1, "a probability lies between 0 and 1");
  return next_u32() >> 1 < bernoulli_threshold(probability);
}

// The high half of word * n is a number below n; the few low halves that would favour some of them
// are drawn again (Lemire, "Fast random integer generation in an interval", 2019).
std::uint32_t Rng::below(std::uint32_t n) {
  TP_CHECK(n > 0, "there is no number below 0");
  const std::uint32_t favoured = -n % n;  // 2^32 mod n
  std::uint64_t product;
  do {
    product = std::uint64_t{next_u32()} * n;
  } while (low_word(product) < favoured);
  return high_word(product);
}

// Box-Muller. The sine of the pair is not kept: then the state is the position and nothing else.
double Rng::normal() {
  constexpr double kTwoPi = 0x1.921fb54442d18p+2;
  const double radius_word = next_u32(), angle_word = next_u32();
  const double radius = maths::sqrt(-2.0 * maths::log((radius_word + 0.5) * 0x1p-32));
  return radius * maths::cos(kTwoPi * 0x1p-32 * angle_word);
}

void Rng::fill(std::span<std::uint32_t> words) {
  std::size_t i = 0;
  while (i < words.size() && state_.position % 4 != 0) words[i++] = next_u32();
  const std::size_t blocks = (words.size() - i) / 4;
  const std::uint64_t first = state_.position / 4;
  // Blocks do not depend on each other: the compiler takes several at once.
  std::uint32_t* out = words.data() + i;
  for (std::size_t k = 0; k < blocks; ++k) {
    const Words x = philox_words(counter_of(first + k, state_.stream), state_.seed);
    out[4 * k] = x.a;
    out[4 * k + 1] = x.b;
    out[4 * k + 2] = x.c;
    out[4 * k + 3] = x.d;
  }
  state_.position += 4 * blocks;
  for (i += 4 * blocks; i < words.size(); ++i) words[i] = next_u32();
}

template <class T>
void Rng::fill_mask_of(std::span<T> mask, double keep, T kept) {
  TP_CHECK(keep >= 0 && keep <= 1, "a probability lies between 0 and 1");
  const std::uint32_t threshold = bernoulli_threshold(keep);
  std::array<std::uint32_t, 256> words;
  while (!mask.empty()) {
    const std::size_t count = std::min(mask.size(), words.size());
    fill(std::span(words).first(count));
    for (std::size_t i = 0; i < count; ++i) mask[i] = words[i] >> 1 < threshold ? kept : T{0};
    mask = mask.subspan(count);
  }
}

void Rng::fill_mask(std::span<float> mask, double keep, float kept) {
  fill_mask_of(mask, keep, kept);
}
void Rng::fill_mask(std::span<double> mask, double keep, double kept) {
  fill_mask_of(mask, keep, kept);
}

}  // namespace tp
