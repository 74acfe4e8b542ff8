#include "engine/kernels/vector.h"

namespace tp::TP_VECTORS {
namespace {

// Enough chains to hide how long an addition after a multiplication takes, and few enough for 16
// registers.
constexpr int kChains = 12;

template <Arithmetic arithmetic>
float chains(int rounds, float start) {
  using V = Vector<float>;
  V sums[kChains];
  for (int i = 0; i < kChains; ++i) sums[i] = splat<V>(start + static_cast<float>(i));
  const V factor = splat<V>(0.999f * start), term = splat<V>(start);
  for (int round = 0; round < rounds; ++round) {
    TP_UNROLL for (int i = 0; i < kChains; ++i) {
      if constexpr (arithmetic == Arithmetic::exact) {
        sums[i] = sums[i] * factor + term;
      } else {
        sums[i] = multiply_add<arithmetic>(sums[i], factor, term);
      }
    }
  }
  for (int i = 1; i < kChains; ++i) sums[0] += sums[i];
  float total = 0;
  for (int lane = 0; lane < kLanes<float>; ++lane) total += sums[0][lane];
  return total;
}

}  // namespace

// How many multiplications and additions a round has.
int chain_flop() { return 2 * kChains * kLanes<float>; }

float run_chains(int rounds, float start, Arithmetic arithmetic) {
  if constexpr (kCanFuse) {
    if (arithmetic == Arithmetic::fused) return chains<Arithmetic::fused>(rounds, start);
  }
  return chains<Arithmetic::exact>(rounds, start);
}

}  // namespace tp::TP_VECTORS
