#pragma once

#include <cstdint>
#include <vector>

namespace tp {

// Which example comes when. Endless data: the n-th one drawn is example n. A finite set of `size`
// examples: each pass visits all of them, in an order that is a pure function of (seed, pass), so
// that a run can be continued from the number of examples it has seen.
class ExampleOrder {
 public:
  ExampleOrder(std::uint64_t seed, int size);  // 0: endless

  std::uint64_t operator[](std::uint64_t n);
  // Passes completed before the n-th one is drawn; 0 for endless data.
  std::uint64_t epoch(std::uint64_t n) const { return order_.empty() ? 0 : n / order_.size(); }

 private:
  void shuffle(std::uint64_t pass);

  std::uint64_t seed_;
  std::uint64_t shuffled_pass_ = 0;
  std::vector<std::uint32_t> order_;
};

}  // namespace tp
