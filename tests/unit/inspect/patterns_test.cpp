#include "engine/inspect/patterns.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

namespace tp::test {
namespace {

// A map of which cell weighs what; rows are made to sum to 1.
struct Map {
  std::vector<float> weights;
  std::vector<int> allowed;
  int rows, columns;

  Map(int row_count, int column_count, const std::function<double(int, int)>& weight,
      bool causal = false)
      : rows(row_count), columns(column_count) {
    for (int r = 0; r < rows; ++r) {
      const int seen = causal ? std::min(r + 1, columns) : columns;
      double sum = 0;
      for (int c = 0; c < seen; ++c) sum += weight(r, c);
      for (int c = 0; c < columns; ++c) {
        weights.push_back(c < seen ? static_cast<float>(weight(r, c) / sum) : 0.0f);
      }
      allowed.push_back(seen);
    }
  }
  MapView view() const { return {weights, rows, columns, allowed}; }
};

// One cell of a row against a little everywhere else.
std::function<double(int, int)> peak(const std::function<int(int)>& place, double height = 20) {
  return [=](int r, int c) { return c == place(r) ? height : 1.0; };
}

TEST(Patterns, AreNamed) {
  using enum AttentionPattern;
  const auto even = [](int, int) { return 1.0; };
  EXPECT_EQ(pattern_of(Map(11, 10, even).view()), uniform);
  EXPECT_EQ(pattern_of(Map(10, 10, even, true).view()), uniform);
  EXPECT_EQ(pattern_of(Map(10, 10, peak([](int r) { return r; })).view()), diagonal);
  EXPECT_EQ(pattern_of(Map(10, 10, peak([](int r) { return r; }), true).view()), diagonal);
  // The end mark's row looks anywhere.
  EXPECT_EQ(pattern_of(Map(11, 10, peak([](int r) { return 9 - r; })).view()), anti_diagonal);
  EXPECT_EQ(pattern_of(Map(10, 10, peak([](int r) { return r - 1; }), true).view()), previous);
  EXPECT_EQ(pattern_of(Map(10, 10, peak([](int r) { return r + 1; })).view()), next);
  EXPECT_EQ(pattern_of(Map(10, 10, peak([](int) { return 0; }), true).view()), first);
  EXPECT_EQ(pattern_of(Map(10, 10, peak([](int) { return 4; })).view()), first);
  const auto near = [](int r, int c) { return std::abs(r - c) <= 2 ? 20.0 : 0.1; };
  EXPECT_EQ(pattern_of(Map(20, 20, near).view()), local);
  EXPECT_EQ(pattern_of(Map(10, 10, peak([](int r) { return r * 7 % 10; })).view()), focused);
  const auto fog = [](int r, int c) { return 1.0 + (r * 5 + c * 3) % 7; };
  EXPECT_EQ(pattern_of(Map(10, 10, fog).view()), none);
  EXPECT_EQ(pattern_of(Map(2, 2, even).view()), none);
}

TEST(Patterns, EntropyIsAShare) {
  EXPECT_NEAR(entropy_share(Map(5, 8, [](int, int) { return 1.0; }).view()), 1, 1e-6);
  EXPECT_NEAR(entropy_share(Map(
                                8, 8, [](int, int) { return 1.0; }, true)
                                .view()),
              1, 1e-6);
  EXPECT_NEAR(entropy_share(Map(5, 8, [](int, int c) { return c == 3 ? 1.0 : 0.0; }).view()), 0,
              1e-9);
  // Two of eight: ln 2 / ln 8.
  EXPECT_NEAR(entropy_share(Map(3, 8, [](int, int c) { return c < 2 ? 1.0 : 0.0; }).view()),
              1.0 / 3, 1e-6);
  EXPECT_EQ(entropy_share(Map(1, 1, [](int, int) { return 1.0; }).view()), 0);
}

TEST(Patterns, TargetsCountByRow) {
  const Map map(3, 4, [](int r, int c) { return c == r ? 3.0 : 1.0; });  // 0.5 on the diagonal
  const TargetCell cells[] = {{0, 0}, {1, 2}, {2, 0}, {2, 2}};
  const TargetReading reading = target_reading(map.view(), cells);
  EXPECT_NEAR(reading.share, 2.0 / 3, 1e-9);
  EXPECT_NEAR(reading.weight, (0.5 + 1.0 / 6 + 1.0 / 6 + 0.5) / 3, 1e-6);
  EXPECT_TRUE(std::isnan(target_reading(map.view(), {}).share));
}

}  // namespace
}  // namespace tp::test
