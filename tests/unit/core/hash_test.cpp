#include "engine/core/hash.h"

#include <gtest/gtest.h>

#include <bit>
#include <set>
#include <vector>

namespace tp {
namespace {

std::vector<std::byte> counting_bytes(std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(i * 37 % 251);
  return bytes;
}

std::uint64_t hash_of(std::span<const std::byte> bytes) { return Hash().add(bytes).value(); }

// Computed once by a transcription of the definition into Python.
TEST(Hash, KnownAnswers) {
  EXPECT_EQ(Hash().value(), 0xf56a99c215c01433u);
  EXPECT_EQ(hash_of(counting_bytes(1)), 0x58a026c8d2719148u);
  EXPECT_EQ(hash_of(counting_bytes(1000)), 0xd351f2d810ec8763u);
}

TEST(Hash, HoweverTheStreamIsCutTheValueIsTheSame) {
  const std::vector<std::byte> bytes = counting_bytes(61);
  const std::span<const std::byte> all = bytes;
  for (std::size_t first = 0; first <= all.size(); ++first) {
    for (std::size_t second = first; second <= all.size(); ++second) {
      Hash hash;
      hash.add(all.first(first)).add(all.subspan(first, second - first)).add(all.subspan(second));
      ASSERT_EQ(hash.value(), hash_of(all)) << first << " " << second;
    }
  }
}

TEST(Hash, AskingForTheValueDoesNotChangeIt) {
  const std::vector<std::byte> bytes = counting_bytes(20);
  Hash hash;
  hash.add(std::span(bytes).first(11));
  EXPECT_EQ(hash.value(), hash.value());
  EXPECT_EQ(hash.add(std::span<const std::byte>(bytes).subspan(11)).value(), hash_of(bytes));
}

TEST(Hash, NumbersEnterAsLittleEndianBytes) {
  const float floats[] = {1.0f, -2.5f, 0x1.234568p-20f};
  std::vector<std::byte> bytes;
  for (const float x : floats) {
    for (int i = 0; i < 4; ++i) {
      bytes.push_back(static_cast<std::byte>(std::bit_cast<std::uint32_t>(x) >> 8 * i & 0xff));
    }
  }
  EXPECT_EQ(Hash().add(floats).value(), hash_of(bytes));

  const double number[] = {0x1.23456789abcdep+3};
  EXPECT_EQ(Hash().add(number).value(),
            Hash().add(std::bit_cast<std::uint64_t>(number[0])).value());
}

TEST(Hash, TrailingZerosAndTheSignOfZeroCount) {
  std::set<std::uint64_t> seen;
  const std::vector<std::byte> zeros(40);
  for (std::size_t count = 0; count <= zeros.size(); ++count) {
    seen.insert(hash_of(std::span(zeros).first(count)));
  }
  EXPECT_EQ(seen.size(), 41u);
  const float plus[] = {0.0f}, minus[] = {-0.0f};
  EXPECT_NE(Hash().add(plus).value(), Hash().add(minus).value());
}

// Flipping any one bit of the input flips about half of the bits of the value.
TEST(Hash, EveryInputBitReachesTheWholeValue) {
  std::vector<std::byte> bytes = counting_bytes(32);
  const std::uint64_t before = hash_of(bytes);
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    bytes[bit / 8] ^= std::byte{1} << bit % 8;
    const int flipped = std::popcount(before ^ hash_of(bytes));
    EXPECT_GE(flipped, 12) << bit;
    EXPECT_LE(flipped, 52) << bit;
    bytes[bit / 8] ^= std::byte{1} << bit % 8;
  }
}

}  // namespace
}  // namespace tp
