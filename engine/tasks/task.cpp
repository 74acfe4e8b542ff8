#include "engine/tasks/task.h"

#include "engine/core/check.h"
#include "engine/core/hash.h"

namespace tp {

void Example::clear() {
  source.clear();
  target.clear();
  patches.clear();
  label = -1;
  values.clear();
  links.clear();
  offset = 0;
  scale = 1;
}

Answer answer_of(const Example& example) {
  return {.tokens = example.target, .label = example.label, .values = example.values};
}

Rng example_rng(Split split, std::uint64_t seed, std::uint64_t index) {
  constexpr std::uint64_t kExamples = std::uint64_t{0xda7a} << 48;
  constexpr std::uint64_t kHeldOut = std::uint64_t{1} << 47;
  TP_CHECK(index < kHeldOut, "examples are numbered up to 2^47");
  return Rng(seed, kExamples | (split == Split::held_out ? kHeldOut : 0) | index);
}

Split split_of(std::span<const int> content) {
  Hash hash;
  for (int number : content) hash.add(static_cast<std::uint64_t>(number));
  return hash.value() % 10 == 0 ? Split::held_out : Split::train;
}

}  // namespace tp
