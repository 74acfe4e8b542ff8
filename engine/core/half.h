#pragma once

#include <bit>
#include <cstdint>

// 16-bit floating-point numbers, as their bit patterns:
//
//            sign  exponent  fraction   range
//   half       1       5        10      6e-8 .. 65504, what GPUs call FP16
//   bfloat     1       8         7      as float: its upper half
//
// To float is exact. From float rounds to nearest, ties to even; what is too large becomes
// infinity, what is too small a subnormal or zero. A NaN stays a NaN with its sign and leading
// bits, and becomes quiet. No branches: loops over arrays become vector code.

namespace tp {

inline float float_from_half(std::uint16_t half) {
  const std::uint32_t magnitude = half & 0x7fffu, sign = half & 0x8000u;
  // Moved into place, the exponent is 112 too small; multiplying is exact and normalises
  // subnormals.
  const float scaled = std::bit_cast<float>(magnitude << 13) * 0x1p112f;
  const std::uint32_t special = magnitude >= 0x7c00u ? 0x7f800000u : 0u;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(scaled) | special | sign << 16);
}

inline std::uint16_t half_from_float(float x) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t magnitude = bits & 0x7fffffffu, sign = bits >> 16 & 0x8000u;
  // Half of the last place that is kept, or just below where that place is even; a carry out of the
  // fraction is the right exponent.
  const std::uint32_t normal = ((magnitude + 0xfffu + (magnitude >> 13 & 1u)) >> 13) - (112u << 10);
  // Below 2^-14 the last place is 2^-24, which is that of 0.5f: the addition rounds.
  const std::uint32_t subnormal =
      std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) -
      std::bit_cast<std::uint32_t>(0.5f);
  const std::uint32_t nan = 0x7e00u | (magnitude >> 13 & 0x3ffu);
  std::uint32_t half = magnitude < 0x38800000u ? subnormal : normal;  // 2^-14
  half = magnitude >= 0x47800000u ? 0x7c00u : half;  // 2^16; less than that carries into infinity
  half = magnitude > 0x7f800000u ? nan : half;
  return static_cast<std::uint16_t>(sign | half);
}

inline float float_from_bfloat(std::uint16_t bfloat) {
  return std::bit_cast<float>(std::uint32_t{bfloat} << 16);
}

inline std::uint16_t bfloat_from_float(float x) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
  const std::uint32_t nan = bits >> 16 | 0x40u;
  return static_cast<std::uint16_t>((bits & 0x7fffffffu) > 0x7f800000u ? nan : rounded);
}

}  // namespace tp
