#include "engine/core/rng.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include "engine/core/hash.h"

namespace tp {
namespace {

// The answers that the authors of Philox publish with their implementation (Random123,
// kat_vectors).
TEST(Rng, PhiloxKnownAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, 0), (PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({~0u, ~0u, ~0u, ~0u}, ~std::uint64_t{0}),
            (PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0x299f31d0a4093822),
            (PhiloxBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Rng, WordsAreTheBlocksOfTheStreamInOrder) {
  const std::uint64_t seed = 0x123456789abcdef0, stream = 0x0fedcba987654321;
  Rng rng(seed, stream);
  for (std::uint32_t block = 0; block < 3; ++block) {
    const PhiloxBlock expected = philox({block, 0, 0x87654321, 0x0fedcba9}, seed);
    for (const std::uint32_t word : expected) EXPECT_EQ(rng.next_u32(), word);
  }
}

// Computed once in Python from the definitions (the normal number with 30 digits). The fingerprint
// of many normal numbers holds their last bits in place.
TEST(Rng, DistributionsKnownAnswers) {
  Rng rng(42, 7);
  EXPECT_EQ(rng.next_u32(), 0x67ee6f2cu);
  EXPECT_EQ(rng.next_u64(), 0x6c7eca35e55410ccu);
  EXPECT_EQ(rng.uniform_float(), 0x1.55ce6p-2f);
  EXPECT_EQ(rng.uniform(), 0x1.803d865b9777ap-2);
  EXPECT_EQ(rng.uniform(-2, 3), -0x1.2135c6e030fa2p+0);
  EXPECT_EQ(rng.below(1000), 144u);
  EXPECT_DOUBLE_EQ(rng.normal(), -0x1.8b2dec76998afp-3);
  EXPECT_FALSE(rng.bernoulli(0.5));
  std::vector<double> normals(10'000);
  for (double& x : normals) x = rng.normal();
  EXPECT_EQ(Hash().add(normals).value(), 0xacafded7ab03638cu);
}

TEST(Rng, ARestoredStateContinuesIdentically) {
  for (int drawn = 0; drawn < 9; ++drawn) {
    Rng rng(5, 6);
    for (int i = 0; i < drawn; ++i) rng.next_u32();
    const Rng::State saved = rng.state();
    EXPECT_EQ(saved, (Rng::State{5, 6, static_cast<std::uint64_t>(drawn)}));
    Rng restored(saved);
    for (int i = 0; i < 20; ++i) {
      EXPECT_EQ(restored.normal(), rng.normal());
      EXPECT_EQ(restored.below(10), rng.below(10));
    }
    EXPECT_EQ(restored.state(), rng.state());
  }
}

TEST(Rng, AnyPositionCanBeReached) {
  Rng rng(8);
  std::vector<std::uint32_t> words(100);
  for (std::uint32_t& word : words) word = rng.next_u32();
  for (const std::size_t position : {99u, 0u, 50u, 49u, 3u, 4u}) {
    rng.seek(position);
    EXPECT_EQ(rng.next_u32(), words[position]);
  }
  rng.seek(std::uint64_t{1} << 40);
  EXPECT_EQ(rng.next_u32(), philox({0, 1u << 6, 0, 0}, 8)[0]);
}

TEST(Rng, FillGivesTheWordsOfSingleCalls) {
  for (std::size_t offset = 0; offset < 6; ++offset) {
    for (std::size_t count = 0; count < 40; ++count) {
      Rng single(9, 1), filled(9, 1);
      for (std::size_t i = 0; i < offset; ++i) {
        single.next_u32();
        filled.next_u32();
      }
      std::vector<std::uint32_t> words(count);
      filled.fill(words);
      for (const std::uint32_t word : words) ASSERT_EQ(word, single.next_u32());
      ASSERT_EQ(filled.state(), single.state());
      ASSERT_EQ(filled.next_u32(), single.next_u32());
    }
  }
}

// Pearson's statistic of counts that should be equal, as a distance from its mean in deviations.
double chi_square_deviations(const std::vector<int>& counts) {
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  const double expected = total / static_cast<double>(counts.size());
  double sum = 0;
  for (const int count : counts) sum += (count - expected) * (count - expected) / expected;
  const double freedom = static_cast<double>(counts.size()) - 1;
  return (sum - freedom) / std::sqrt(2 * freedom);
}

TEST(Rng, EveryByteOfAWordIsEven) {
  for (int shift = 0; shift < 32; shift += 8) {
    Rng rng(10, shift);
    std::vector<int> counts(256);
    for (int i = 0; i < 200'000; ++i) ++counts[rng.next_u32() >> shift & 0xff];
    EXPECT_LT(std::fabs(chi_square_deviations(counts)), 4) << shift;
  }
}

TEST(Rng, BelowIsEvenAndInRange) {
  for (const std::uint32_t n : {1u, 2u, 3u, 7u, 10u, 100u, 257u}) {
    Rng rng(11, n);
    std::vector<int> counts(n);
    for (int i = 0; i < 100'000; ++i) {
      const std::uint32_t drawn = rng.below(n);
      ASSERT_LT(drawn, n);
      ++counts[drawn];
    }
    if (n > 1) {
      EXPECT_LT(std::fabs(chi_square_deviations(counts)), 4) << n;
    }
  }
}

// 2^32 words do not divide evenly among 3 * 2^30 numbers: without drawing again, a remainder would
// favour the lowest third, and a product every third number, by a factor of two.
TEST(Rng, BelowIsEvenForLargeRanges) {
  Rng rng(12);
  std::vector<int> thirds(3), residues(3);
  for (int i = 0; i < 100'000; ++i) {
    const std::uint32_t drawn = rng.below(3u << 30);
    ++thirds[drawn >> 30];
    ++residues[drawn % 3];
  }
  EXPECT_LT(std::fabs(chi_square_deviations(thirds)), 4);
  EXPECT_LT(std::fabs(chi_square_deviations(residues)), 4);
}

TEST(Rng, UniformIsEvenAndBelowOne) {
  Rng rng(13);
  std::vector<int> floats(64), doubles(64);
  for (int i = 0; i < 100'000; ++i) {
    const float x = rng.uniform_float();
    const double y = rng.uniform();
    ASSERT_TRUE(x >= 0 && x < 1 && y >= 0 && y < 1);
    ++floats[static_cast<int>(64 * x)];
    ++doubles[static_cast<int>(64 * y)];
  }
  EXPECT_LT(std::fabs(chi_square_deviations(floats)), 4);
  EXPECT_LT(std::fabs(chi_square_deviations(doubles)), 4);
}

TEST(Rng, NormalHasTheMomentsOfTheNormalDistribution) {
  Rng rng(14);
  const int count = 400'000;
  double moments[5] = {}, beyond_two = 0;
  for (int i = 0; i < count; ++i) {
    const double x = rng.normal();
    for (int k = 1; k <= 4; ++k) moments[k] += std::pow(x, k) / count;
    beyond_two += std::fabs(x) > 2 ? 1.0 / count : 0;
  }
  // Five deviations of each estimate: sqrt(variance of x^k / count).
  EXPECT_NEAR(moments[1], 0, 5 * std::sqrt(1.0 / count));
  EXPECT_NEAR(moments[2], 1, 5 * std::sqrt(2.0 / count));
  EXPECT_NEAR(moments[3], 0, 5 * std::sqrt(15.0 / count));
  EXPECT_NEAR(moments[4], 3, 5 * std::sqrt(96.0 / count));
  EXPECT_NEAR(beyond_two, 0.0455003, 5 * std::sqrt(0.0455 * 0.9545 / count));
}

TEST(Rng, StreamsAndSeedsAreUnrelated) {
  const auto correlation = [](Rng a, Rng b) {
    double sum = 0;
    for (int i = 0; i < 10'000; ++i) sum += (a.uniform() - 0.5) * (b.uniform() - 0.5);
    return sum / 10'000 * 12;
  };
  EXPECT_NEAR(correlation(Rng(1, 0), Rng(1, 0)), 1, 0.05);
  EXPECT_NEAR(correlation(Rng(1, 0), Rng(1, 1)), 0, 0.05);
  EXPECT_NEAR(correlation(Rng(1, 0), Rng(2, 0)), 0, 0.05);
  EXPECT_NEAR(correlation(Rng(0, 1), Rng(1, 0)), 0, 0.05);
}

TEST(Rng, BernoulliAndMaskKeepTheirShareAndAgree) {
  for (const double keep : {0.0, 0.1, 0.5, 0.9, 1.0}) {
    Rng rng(15), single(15);
    std::vector<float> mask(100'003, -1);
    rng.fill_mask(mask, keep, 1.25f);
    int kept = 0;
    for (const float m : mask) {
      ASSERT_EQ(m, single.bernoulli(keep) ? 1.25f : 0.0f);
      kept += m != 0;
    }
    const double count = static_cast<double>(mask.size());
    EXPECT_NEAR(kept / count, keep, 4 * std::sqrt(keep * (1 - keep) / count)) << keep;
    EXPECT_EQ(rng.state(), single.state());

    Rng again(15);
    std::vector<double> wide(mask.size());
    again.fill_mask(wide, keep, 1.25);
    EXPECT_TRUE(std::equal(mask.begin(), mask.end(), wide.begin()));
  }
}

TEST(Rng, ShuffleGivesEveryOrderEquallyOften) {
  Rng rng(16);
  std::map<std::vector<int>, int> orders;
  for (int i = 0; i < 48'000; ++i) {
    std::vector<int> items = {0, 1, 2, 3};
    rng.shuffle(std::span(items));
    ++orders[items];
  }
  std::vector<int> counts;
  for (const auto& [order, count] : orders) counts.push_back(count);
  EXPECT_EQ(counts.size(), 24u);
  EXPECT_LT(std::fabs(chi_square_deviations(counts)), 4);
}

TEST(RngDeathTest, AnImpossibleRequestIsAProgrammingError) {
  EXPECT_DEATH_IF_SUPPORTED(Rng(1).below(0), "no number below 0");
  EXPECT_DEATH_IF_SUPPORTED(Rng(1).bernoulli(1.5), "between 0 and 1");
}

}  // namespace
}  // namespace tp
