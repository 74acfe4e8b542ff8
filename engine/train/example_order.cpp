#include "engine/train/example_order.h"

#include <numeric>
#include <span>

#include "engine/core/rng.h"

namespace tp {
namespace {

// No other purpose has these streams of a seed.
constexpr std::uint64_t kOrderStreams = std::uint64_t{0x0bde} << 48;

}  // namespace

ExampleOrder::ExampleOrder(std::uint64_t seed, int size)
    : seed_(seed), order_(static_cast<std::size_t>(size)) {
  if (size > 0) shuffle(0);
}

std::uint64_t ExampleOrder::operator[](std::uint64_t n) {
  if (order_.empty()) return n;
  if (epoch(n) != shuffled_pass_) shuffle(epoch(n));
  return order_[n % order_.size()];
}

void ExampleOrder::shuffle(std::uint64_t pass) {
  std::iota(order_.begin(), order_.end(), 0u);
  Rng(seed_, kOrderStreams | pass).shuffle(std::span(order_));
  shuffled_pass_ = pass;
}

}  // namespace tp
