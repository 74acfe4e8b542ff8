#pragma once

#include <cstdint>

#include "engine/kernels/kernels.h"

// A kernel set that emulates 16-bit storage: every operation computes in float, as tensor cores
// accumulate, and each number that it stores is rounded to the format (engine/core/half.h). What
// mixed precision keeps in float stays so: means and deviations of norms, probabilities and losses,
// sums that leave as one number, and the optimisers.

namespace tp {

enum class StorageFormat { bfloat16, float16 };

// Over the fast and over the reference set.
const Kernels<float>& rounding_fast_kernels(StorageFormat format, Arithmetic arithmetic);
const Kernels<float>& rounding_reference_kernels(StorageFormat format, Arithmetic arithmetic);

// Rounds in place, and counts.
void round_to(StorageFormat format, std::span<float> values);

// What rounding lost in this program so far.
struct RoundingCounts {
  std::uint64_t underflows = 0;  // became zero and were not
  std::uint64_t overflows = 0;   // became infinite and were not
};
RoundingCounts rounding_counts();

}  // namespace tp
