#include "engine/train/precision.h"

#include <algorithm>

namespace tp {
namespace {

StorageFormat format_of(Precision precision) {
  return precision == Precision::bf16 ? StorageFormat::bfloat16 : StorageFormat::float16;
}

}  // namespace

const Kernels<float>& fast_kernels_for(Precision precision, Arithmetic arithmetic) {
  if (precision == Precision::fp32) return fast_kernels<float>(arithmetic);
  return rounding_fast_kernels(format_of(precision), arithmetic);
}

const Kernels<float>& reference_kernels_for(Precision precision, Arithmetic arithmetic) {
  if (precision == Precision::fp32) return reference_kernels<float>(arithmetic);
  return rounding_reference_kernels(format_of(precision), arithmetic);
}

RoundedWeights::RoundedWeights(Precision precision, std::span<float> values,
                               std::span<float> masters) {
  if (precision == Precision::fp32) return;
  values_ = values;
  masters_ = masters;
  std::ranges::copy(values_, masters_.begin());
  round_to(format_of(precision), values_);
}

RoundedWeights::~RoundedWeights() {
  if (!values_.empty()) std::ranges::copy(masters_, values_.begin());
}

bool LossScale::update(bool overflowed) {
  if (!enabled_) return !overflowed;
  if (overflowed) {
    state_.steps_since_overflow = 0;
    if (state_.scale <= kLeast) return false;
    state_.scale /= 2;
  } else if (++state_.steps_since_overflow == kPatience) {
    state_.steps_since_overflow = 0;
    state_.scale = std::min(state_.scale * 2, kMost);
  }
  return true;
}

}  // namespace tp
