#include "engine/core/hash.h"

#include <array>
#include <bit>

namespace tp {
namespace {

std::uint64_t mix(std::uint64_t state, std::uint64_t word) {
  const std::uint64_t m = (state ^ word) * 0xd6e8feb86659fd93u;
  return m ^ m >> 32;
}

// Compilers make one load of this where the machine is little-endian.
std::uint64_t little_endian_word(const std::byte* bytes) {
  std::uint64_t word = 0;
  for (int i = 0; i < 8; ++i) word |= std::to_integer<std::uint64_t>(bytes[i]) << 8 * i;
  return word;
}

std::array<std::byte, 8> little_endian_bytes(std::uint64_t value) {
  std::array<std::byte, 8> bytes;
  for (int i = 0; i < 8; ++i) bytes[i] = static_cast<std::byte>(value >> 8 * i & 0xff);
  return bytes;
}

}  // namespace

Hash& Hash::add(std::span<const std::byte> bytes) {
  std::size_t i = 0;
  const auto add_byte = [&] {
    pending_ |= std::to_integer<std::uint64_t>(bytes[i++]) << 8 * (length_++ % 8);
    if (length_ % 8 == 0) {
      state_ = mix(state_, pending_);
      pending_ = 0;
    }
  };
  while (i < bytes.size() && length_ % 8 != 0) add_byte();
  for (; i + 8 <= bytes.size(); i += 8, length_ += 8) {
    state_ = mix(state_, little_endian_word(bytes.data() + i));
  }
  while (i < bytes.size()) add_byte();
  return *this;
}

Hash& Hash::add(std::span<const float> values) {
  if constexpr (std::endian::native == std::endian::little) return add(std::as_bytes(values));
  for (const float x : values) {
    const std::array bytes = little_endian_bytes(std::bit_cast<std::uint32_t>(x));
    add(std::span(bytes).first(4));
  }
  return *this;
}

Hash& Hash::add(std::span<const double> values) {
  if constexpr (std::endian::native == std::endian::little) return add(std::as_bytes(values));
  for (const double x : values) add(std::bit_cast<std::uint64_t>(x));
  return *this;
}

Hash& Hash::add(std::uint64_t value) {
  const std::array bytes = little_endian_bytes(value);
  return add(std::span<const std::byte>(bytes));
}

std::uint64_t Hash::value() const {
  // The length tells "ab" from "ab\0"; two more rounds spread the last word over all bits.
  return mix(mix(mix(state_, pending_), length_), 0);
}

}  // namespace tp
