#include "engine/inspect/principal.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/core/rng.h"

namespace tp::test {
namespace {

// Four points on a cross in a plane of three dimensions: 2 along (1, 2, 2) / 3 and 1 along
// (2, 1, -2) / 3 from (5, 6, 7). The variance is 2 * 4 + 2 * 1.
TEST(Principal, FindsACrossInAPlane) {
  const double cross[] = {5 + 2 / 3.0, 6 + 4 / 3.0, 7 + 4 / 3.0, 5 - 2 / 3.0,
                          6 - 4 / 3.0, 7 - 4 / 3.0, 5 + 2 / 3.0, 6 + 1 / 3.0,
                          7 - 2 / 3.0, 5 - 2 / 3.0, 6 - 1 / 3.0, 7 + 2 / 3.0};
  const Principal found = principal(ConstMatrix<double>(cross, 4, 3));
  const double axes[] = {1 / 3.0, 2 / 3.0, 2 / 3.0, 2 / 3.0, 1 / 3.0, -2 / 3.0};
  // Of the second axis two numbers are equally large: either sign is one of the rule's.
  const double sign = found.axes[3] > 0 ? 1 : -1;
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(found.axes[i], axes[i], 1e-12);
    EXPECT_NEAR(found.axes[3 + i], sign * axes[3 + i], 1e-12);
  }
  const double points[] = {2, 0, -2, 0, 0, 1, 0, -1};
  for (int i = 0; i < 8; ++i) {
    EXPECT_NEAR(found.points[i], (i % 2 == 1 ? sign : 1) * points[i], 1e-12) << i;
  }
  EXPECT_NEAR(found.share[0], 0.8, 1e-12);
  EXPECT_NEAR(found.share[1], 0.2, 1e-12);
}

std::vector<float> random_numbers(int count) {
  Rng rng(5);
  std::vector<float> numbers(count);
  for (float& number : numbers) number = static_cast<float>(rng.normal());
  return numbers;
}

// Both ways to the eigenvectors, wide matrices and tall ones: axes of length 1 at right angles,
// the largest number of each positive, points of mean 0 whose squares are the shares.
TEST(Principal, KeepsItsPromisesForWideAndTallMatrices) {
  for (const auto& [rows, columns] : {std::pair(20, 5), std::pair(5, 20), std::pair(8, 8)}) {
    const std::vector<float> numbers = random_numbers(rows * columns);
    const ConstMatrix<float> x(numbers.data(), rows, columns);
    const Principal found = principal(x);
    std::vector<double> mean(columns);
    double variance = 0;
    for (int j = 0; j < columns; ++j) {
      for (int i = 0; i < rows; ++i) mean[j] += double(x(i, j)) / rows;
      for (int i = 0; i < rows; ++i) variance += std::pow(double(x(i, j)) - mean[j], 2);
    }
    double across = 0;
    for (int j = 0; j < columns; ++j) across += found.axes[j] * found.axes[columns + j];
    EXPECT_NEAR(across, 0, 1e-12);
    for (int k = 0; k < kPrincipalAxes; ++k) {
      double length = 0, largest = 0, squares = 0, middle = 0;
      for (int j = 0; j < columns; ++j) {
        const double number = found.axes[k * columns + j];
        length += number * number;
        if (std::abs(number) > std::abs(largest)) largest = number;
      }
      EXPECT_NEAR(length, 1, 1e-12);
      EXPECT_GT(largest, 0);
      for (int i = 0; i < rows; ++i) {
        double along = 0;
        for (int j = 0; j < columns; ++j) {
          along += (double(x(i, j)) - mean[j]) * found.axes[k * columns + j];
        }
        const double point = found.points[i * kPrincipalAxes + k];
        EXPECT_NEAR(point, along, 1e-12);
        squares += point * point;
        middle += point;
      }
      EXPECT_NEAR(middle, 0, 1e-12);
      EXPECT_NEAR(squares / variance, found.share[k], 1e-12);
    }
    EXPECT_GE(found.share[0], found.share[1]);
  }
}

TEST(Principal, TurnedRoundItIsTheSamePicture) {
  const std::vector<float> numbers = random_numbers(60);
  std::vector<float> negative = numbers;
  for (float& number : negative) number = -number;
  const Principal one = principal(ConstMatrix<float>(numbers.data(), 12, 5));
  const Principal other = principal(ConstMatrix<float>(negative.data(), 12, 5));
  for (std::size_t i = 0; i < one.axes.size(); ++i) {
    EXPECT_NEAR(one.axes[i], other.axes[i], 1e-12);
  }
}

TEST(Principal, RowsThatDoNotDifferHaveNoAxes) {
  const std::vector<float> same(12, 0.5f);
  const Principal none = principal(ConstMatrix<float>(same.data(), 4, 3));
  EXPECT_EQ(none.axes, std::vector<double>(6));
  EXPECT_EQ(none.points, std::vector<double>(8));
  EXPECT_EQ(none.share[0], 0);
  // On a line there is one; so it is for a single column.
  const float line[] = {1, 2, 3, 7};
  const Principal one = principal(ConstMatrix<float>(line, 4, 1));
  EXPECT_EQ(one.axes, (std::vector<double>{1, 0}));
  EXPECT_NEAR(one.share[0], 1, 1e-12);
  EXPECT_EQ(one.share[1], 0);
}

}  // namespace
}  // namespace tp::test
