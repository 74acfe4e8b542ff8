#include "bench/peak.h"

// bench/chains.cpp, by width.
#define TP_DECLARE_CHAINS(width)                                    \
  namespace tp::width {                                             \
  int chain_flop();                                                 \
  float run_chains(int rounds, float start, Arithmetic arithmetic); \
  }
TP_DECLARE_CHAINS(v128)
TP_DECLARE_CHAINS(v256)
TP_DECLARE_CHAINS(v512)

namespace tp::bench {
namespace {

constexpr int kRounds = 100'000;

template <class Chains>
Work work_of(int flop, Chains chains) {
  Work work;
  work.unit = "chain";
  work.flop = double{kRounds} * flop;
  // Each call needs the one before, so that none can be left out.
  work.run = [chains, start = 1.0f]() mutable {
    start = chains(kRounds, start) > 0 ? 1.0f : 0.999f;
  };
  return work;
}

}  // namespace

Work peak_work(Arithmetic arithmetic) {
  const auto run_with = [arithmetic](auto chains) {
    return
        [arithmetic, chains](int rounds, float start) { return chains(rounds, start, arithmetic); };
  };
  // The kernels know which vectors there are.
#if defined(TP_WIDE_VECTORS)
  if (fast_kernels_of<float>(512, arithmetic) != nullptr) {
    return work_of(v512::chain_flop(), run_with(v512::run_chains));
  }
  if (fast_kernels_of<float>(256, arithmetic) != nullptr) {
    return work_of(v256::chain_flop(), run_with(v256::run_chains));
  }
#endif
  return work_of(v128::chain_flop(), run_with(v128::run_chains));
}

}  // namespace tp::bench
