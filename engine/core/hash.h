#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

// A 64-bit fingerprint of a stream of bytes: two runs that print the same one agree bit for bit.
// Not for security. However the stream is cut into calls, the value is the same. Numbers enter as
// their little-endian bytes on every machine.
//
// Eight bytes at a time, h = m ^ m >> 32 with m = (h ^ word) * odd. Each step is a bijection of h
// for a given word and of the word for a given h, so two streams of one length that differ within a
// single word never collide.

namespace tp {

class Hash {
 public:
  Hash& add(std::span<const std::byte> bytes);
  Hash& add(std::span<const float> values);
  Hash& add(std::span<const double> values);
  Hash& add(std::uint64_t value);

  // Of everything added so far; more may follow.
  std::uint64_t value() const;

 private:
  std::uint64_t state_ = 0x9e3779b97f4a7c15u;
  std::uint64_t pending_ = 0;  // the length_ % 8 bytes that do not fill a word yet, little-endian
  std::uint64_t length_ = 0;
};

}  // namespace tp
