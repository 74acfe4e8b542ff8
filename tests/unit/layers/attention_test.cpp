#include "engine/layers/attention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "engine/core/rng.h"

namespace tp {
namespace {

// The worked examples of the lesson, with the layer that the models use: one head of four columns,
// queries, keys and values given instead of projected.
template <class T>
class AttentionOf : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(AttentionOf, Types);

TYPED_TEST(AttentionOf, WorkedExampleOfTheLesson) {
  using T = TypeParam;
  std::vector<T> query = {1, 0, 1, 0, 0, 1, 0, 1, 1, 1, 0, 0};
  std::vector<T> key = {1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 1, 0};
  std::vector<T> value = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  const double raw[] = {1, 1, 2, 1, 1, 0, 2, 0, 1};
  const double weights[] = {0.274069, 0.274069, 0.451863, 0.383652, 0.383652,
                            0.232697, 0.506480, 0.186324, 0.307196};
  const double output[] = {5.71118, 6.71118, 7.71118, 8.71118, 4.39618, 5.39618,
                           6.39618, 7.39618, 4.20286, 5.20286, 6.20286, 7.20286};
  for (const Kernels<T>* kernels : {&reference_kernels<T>(), &fast_kernels<T>()}) {
    std::vector<T> in_proj(12 * 4), out_proj(4 * 4), unused(12 * 4);
    AttentionParameters<T> parameters;
    parameters.in_proj_weight = {{in_proj.data(), 12, 4}, {unused.data(), 12, 4}};
    parameters.out_proj_weight = {{out_proj.data(), 4, 4}, {unused.data(), 4, 4}};
    const Attention<T> attention(*kernels, parameters, 1, {}, {}, Dropout<T>(*kernels, 0));
    std::vector<T> scores(9), context(12);
    for (int q = 0; q < 3; ++q) {
      attention.attend_one({query.data() + 4 * q, 1, 4}, {key.data(), 3, 4}, {value.data(), 3, 4},
                           q, {scores.data() + 3 * q, 1, 3}, {context.data() + 4 * q, 1, 4});
    }
    for (int i = 0; i < 9; ++i) EXPECT_NEAR(scores[i], weights[i], 1e-5);  // softmax, in place
    for (int i = 0; i < 12; ++i) EXPECT_NEAR(context[i], output[i], 1e-5);
    std::vector<T> products(9);
    kernels->affine(Matrix<T>(query.data(), 3, 4), Matrix<T>(key.data(), 3, 4), {},
                    Matrix<T>(products.data(), 3, 3));
    for (int i = 0; i < 9; ++i) EXPECT_EQ(products[i], T(raw[i]));
  }
}

TYPED_TEST(AttentionOf, ScoresDividedByTheRootOfSixtyFour) {
  using T = TypeParam;
  std::vector<T> scores = {10, 5, 2, 3, 12, 4, 1, 4, 15}, weights(9);
  const double expected[] = {0.5254, 0.2813, 0.1933, 0.1918, 0.5908,
                             0.2174, 0.1218, 0.1772, 0.7010};
  const std::vector<KeyRange> all(3, KeyRange{0, 3});
  for (const Kernels<T>* kernels : {&reference_kernels<T>(), &fast_kernels<T>()}) {
    std::vector<T> scaled(9);
    kernels->scale(scores, T(1) / T(8), scaled);
    kernels->softmax(Matrix<T>(scaled.data(), 3, 3), all, Matrix<T>(weights.data(), 3, 3));
    for (int i = 0; i < 9; ++i) EXPECT_NEAR(weights[i], expected[i], 5e-5);
  }
}

// A batch [2, 16, 512] with 8 heads: for each sequence the mean over heads is a [16, 16] matrix
// whose rows still sum to 1.
TEST(Attention, ABatchOfTheLessonsSize) {
  const Kernels<float>& kernels = fast_kernels<float>();
  const int d = 512, heads = 8;
  std::vector<float> in_proj(3 * d * d), out_proj(d * d), x(2 * 16 * d), y(x.size());
  Rng rng(1);
  for (auto* numbers : {&in_proj, &out_proj, &x}) {
    for (float& n : *numbers) n = static_cast<float>(0.05 * rng.normal());
  }
  AttentionParameters<float> parameters;
  parameters.in_proj_weight = {{in_proj.data(), 3 * d, d}, {}};
  parameters.out_proj_weight = {{out_proj.data(), d, d}, {}};
  parameters.in_proj_weight.gradient = parameters.in_proj_weight.value;  // never written here
  const Attention<float> attention(kernels, parameters, heads, {}, {}, Dropout<float>(kernels, 0));
  SequenceLayout layout;
  layout.assign_equal(2, 16);
  Arena arena(8 << 20);
  Attention<float>::Cache cache;
  attention.prepare_self(arena, layout, {}, cache);
  attention.forward_self({x.data(), 32, d}, {}, {y.data(), 32, d}, cache);
  EXPECT_EQ(cache.weights.size(), 2u * 8 * 16 * 16);
  for (int s = 0; s < 2; ++s) {
    for (int q = 0; q < 16; ++q) {
      double sum = 0;
      for (int k = 0; k < 16; ++k) {
        for (int h = 0; h < heads; ++h) sum += attention.of_head(cache.weights, cache, s, h)(q, k);
      }
      EXPECT_NEAR(sum / heads, 1, 1e-6);
    }
  }
}

TEST(AttentionMask, SeesWhatItSays) {
  const AttentionMask full, causal{Sparsity::full, 0, true}, local{Sparsity::local, 2, false};
  const AttentionMask strided{Sparsity::strided, 3, true};
  EXPECT_EQ(full.range(4, 9).end, 9);
  EXPECT_EQ(causal.range(4, 9).end, 5);
  EXPECT_EQ(local.range(4, 9).begin, 2);
  EXPECT_EQ(local.range(4, 9).end, 7);
  EXPECT_EQ(local.range(1, 9).begin, 0);
  EXPECT_EQ(local.range(8, 9).end, 9);
  std::vector<int> seen;
  const KeyRange range = strided.range(10, 20);
  for (int key = range.begin; key < range.end; ++key) {
    if (strided.sees(10, key)) seen.push_back(key);
  }
  EXPECT_EQ(seen, (std::vector<int>{1, 4, 7, 8, 9, 10}));
}

// The slopes of the paper: of 8 heads 1/2, 1/4, ..., 1/256; a bias for each distance, which is the
// same at every position and on both sides.
TEST(Alibi, LowersScoresByASlopeTimesTheDistance) {
  const int positions = 6, heads = 8;
  const Alibi<float> alibi(fast_kernels<float>(), positions, heads);
  for (int h = 0; h < heads; ++h) {
    const float slope = 1.0f / static_cast<float>(2 << h);
    const ConstMatrix<float> bias = alibi.bias(h, 0, positions, positions);
    const ConstMatrix<float> later = alibi.bias(h, 3, 2, positions);
    std::vector<float> numbers(positions * positions, 1);
    const Matrix<float> scores(numbers.data(), positions, positions);
    std::vector<KeyRange> ranges;
    for (int i = 0; i < positions; ++i) ranges.push_back({std::max(0, i - 2), i + 1});
    alibi.add(h, 0, ranges, scores);
    for (int i = 0; i < positions; ++i) {
      for (int j = 0; j < positions; ++j) {
        const float expected = -slope * static_cast<float>(std::abs(i - j));
        EXPECT_EQ(bias(i, j), expected);
        if (i >= 3 && i < 5) {
          EXPECT_EQ(later(i - 3, j), expected);
        }
        const bool seen = j >= ranges[i].begin && j < ranges[i].end;
        EXPECT_EQ(scores(i, j), seen ? 1 + expected : 1);
      }
    }
  }
}

}  // namespace
}  // namespace tp
