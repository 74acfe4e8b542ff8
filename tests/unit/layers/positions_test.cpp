#include "engine/layers/positions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace tp {
namespace {

std::vector<float> table_of(int positions, int d_model, double base = 10000) {
  std::vector<float> table(positions * d_model);
  sinusoidal_positions(table, positions, d_model, base);
  return table;
}

// The figures that the lessons show. The printed digits are rounded, so the digits beyond them come
// from the closed form, which the printed ones must agree with.
TEST(Positions, FourDimensionsAsInTheLesson) {
  const std::vector<float> table = table_of(2, 4);
  const double expected[2][4] = {{0, 1, 0, 1},
                                 {0.8414709848, 0.5403023059, 0.0099998333, 0.9999500004}};
  const double printed[2][4] = {{0, 1, 0, 1}, {0.84147, 0.54030, 0.01000, 0.99995}};
  for (int p = 0; p < 2; ++p) {
    for (int j = 0; j < 4; ++j) {
      EXPECT_NEAR(table[p * 4 + j], expected[p][j], 1e-6) << p << "," << j;
      EXPECT_NEAR(table[p * 4 + j], printed[p][j], 5e-6 + 1e-6) << p << "," << j;
    }
  }
}

TEST(Positions, EightDimensionsAsInTheLesson) {
  const std::vector<float> table = table_of(2, 8);
  const double expected[8] = {0.8414709848, 0.5403023059, 0.0998334166, 0.9950041653,
                              0.0099998333, 0.9999500004, 0.0009999998, 0.9999995000};
  const double printed[8] = {0.84147, 0.54030, 0.09983, 0.99500,
                             0.01000, 0.99995, 0.00100, 1.00000};
  for (int j = 0; j < 8; ++j) {
    EXPECT_NEAR(table[8 + j], expected[j], 1e-6) << j;
    EXPECT_NEAR(table[8 + j], printed[j], 5e-6 + 1e-6) << j;
  }
}

TEST(Positions, TableAgreesWithTheSingleValue) {
  const std::vector<float> table = table_of(100, 128, 500);
  for (int p = 0; p < 100; p += 7) {
    for (int j = 0; j < 128; j += 3) {
      EXPECT_NEAR(table[p * 128 + j], sinusoidal_position(p, j, 128, 500), 1e-6);
    }
  }
}

// PE(p + k) is one rotation per pair of PE(p), the same for every p.
TEST(Positions, AShiftIsOneLinearMap) {
  const int d_model = 16, shift = 5;
  const std::vector<float> table = table_of(60, d_model);
  for (int p = 0; p + shift < 60; ++p) {
    for (int i = 0; i < d_model; i += 2) {
      const double turn = shift * position_frequency(i, d_model, 10000);
      const double s = table[p * d_model + i], c = table[p * d_model + i + 1];
      EXPECT_NEAR(table[(p + shift) * d_model + i], s * std::cos(turn) + c * std::sin(turn), 1e-6);
      EXPECT_NEAR(table[(p + shift) * d_model + i + 1], c * std::cos(turn) - s * std::sin(turn),
                  1e-6);
    }
  }
}

TEST(Positions, SimilarityIsACosineThatDependsOnDistanceAlone) {
  const int positions = 40, d_model = 32;
  const std::vector<float> table = table_of(positions, d_model);
  std::vector<float> similarity(positions * positions);
  position_similarity(table, similarity, positions, d_model);
  for (int p = 0; p < positions; ++p) {
    EXPECT_NEAR(similarity[p * positions + p], 1, 1e-6);
    for (int q = 0; q < positions; ++q) {
      EXPECT_EQ(similarity[p * positions + q], similarity[q * positions + p]);
      double expected = 0;
      for (int i = 0; i < d_model; i += 2) {
        expected += std::cos((p - q) * position_frequency(i, d_model, 10000)) * 2 / d_model;
      }
      EXPECT_NEAR(similarity[p * positions + q], expected, 1e-6);
    }
  }
}

TEST(Positions, AnOddWidthEndsWithALoneSine) {
  const std::vector<float> table = table_of(3, 5);
  EXPECT_NEAR(table[2 * 5 + 4], std::sin(2 * std::pow(10000.0, -4.0 / 5)), 1e-6);
}

}  // namespace
}  // namespace tp
