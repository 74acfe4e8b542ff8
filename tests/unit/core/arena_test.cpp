#include "engine/core/arena.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace tp {
namespace {

TEST(ArenaMemory, IsAlignedAndNeverOverlaps) {
  Arena arena(4096);
  const auto a = arena.array<char>(3);
  const auto b = arena.matrix<double>(5, 7);
  const auto c = arena.array<int>(2);
  for (const void* first : {static_cast<const void*>(a.data()), static_cast<const void*>(b.data),
                            static_cast<const void*>(c.data())}) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % Arena::kAlignment, 0u);
  }
  EXPECT_GE(reinterpret_cast<std::byte*>(b.data), reinterpret_cast<std::byte*>(a.data() + 3));
  EXPECT_GE(reinterpret_cast<std::byte*>(c.data()), reinterpret_cast<std::byte*>(b.data + 35));
}

TEST(ArenaMemory, IsHandedOutAgainAfterRewinding) {
  Arena arena(4096);
  arena.array<float>(10);
  const std::size_t mark = arena.used();
  const float* first = arena.array<float>(20).data();
  arena.rewind(mark);
  EXPECT_EQ(arena.array<float>(5).data(), first);
  EXPECT_GT(arena.peak(), arena.used());
}

// Measuring runs the same code without memory and says exactly how much it needs.
TEST(ArenaMemory, IsMeasuredByTheCodeThatUsesIt) {
  const auto lay_out = [](Arena& arena) {
    arena.matrix<float>(3, 5);
    arena.overlap(3,
                  [&](int i) { arena.array<float>(static_cast<std::size_t>(100 * (2 - i) + 1)); });
    return arena.array<float>(1).data();
  };
  Arena measuring;
  EXPECT_TRUE(measuring.measuring());
  EXPECT_EQ(lay_out(measuring), nullptr);
  Arena exact(measuring.peak());
  EXPECT_NE(lay_out(exact), nullptr);
  EXPECT_EQ(exact.used(), measuring.used());
}

TEST(ArenaMemory, OfOverlappingUsersIsThatOfTheLargest) {
  Arena arena(4096);
  const float* first[3];
  arena.overlap(3, [&](int i) {
    first[i] = arena.array<float>(static_cast<std::size_t>(i == 1 ? 64 : 16)).data();
  });
  EXPECT_EQ(first[0], first[1]);
  EXPECT_EQ(first[0], first[2]);
  EXPECT_EQ(arena.array<float>(1).data(), first[0] + 64);  // after the largest, not the last
}

}  // namespace
}  // namespace tp
