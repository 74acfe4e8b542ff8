#include "engine/inspect/lens.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "tests/subjects/model_pass.h"

namespace tp::test {
namespace {

template <class T>
class LensOf : public testing::Test {};
using Numbers = testing::Types<float, double>;
TYPED_TEST_SUITE(LensOf, Numbers);

TYPED_TEST(LensOf, EveryModelEndsInItsOwnLogitsBitForBit) {
  using T = TypeParam;
  for (const ModelEntry& entry : models()) {
    SCOPED_TRACE(entry.name);
    for (const auto memory :
         {GradientMemory::kept, GradientMemory::shared, GradientMemory::recomputed}) {
      const ModelPass<T> pass(entry.config, memory);
      const ConstMatrix<T> logits = pass.activations->logits();
      for (int s = 0; s < pass.sequences(); ++s) {
        const Lens<T> rows = lens(*pass.model, *pass.activations, pass.batch, s);
        EXPECT_EQ(rows.layers, 1 + (entry.config.has_decoder() ? entry.config.decoder_layers
                                                               : entry.config.encoder_layers));
        EXPECT_EQ(rows.outputs, logits.columns);
        for (int i = 0; i < rows.positions; ++i) {
          const std::span<const T> last = rows.at(rows.layers - 1, i);
          const T* own = logits.row(pass.first_answer(s) + i);
          EXPECT_EQ(std::memcmp(last.data(), own, last.size_bytes()), 0) << s << ", " << i;
          EXPECT_NE(std::memcmp(rows.at(0, i).data(), own, last.size_bytes()), 0);
        }
      }
    }
  }
}

// What the lens says of layer i is what a model that ends there says.
TYPED_TEST(LensOf, ARowIsTheAnswerOfAShallowerModel) {
  using T = TypeParam;
  for (const ModelEntry& entry : models()) {
    ModelConfig config = entry.config;
    int& depth = config.has_decoder() ? config.decoder_layers : config.encoder_layers;
    if (depth < 2) continue;
    SCOPED_TRACE(entry.name);
    const ModelPass<T> deep(config);
    depth = 1;
    ModelPass<T> shallow(config);
    for (const ParameterEntry& each : shallow.model->parameters().entries()) {
      const std::span<const T> from = deep.model->parameters().get(each.name).values();
      const std::span<T> to = shallow.model->parameters().get(each.name).value.flat();
      std::copy(from.begin(), from.end(), to.begin());
    }
    shallow.batch = deep.batch;
    shallow.forward();
    for (int s = 0; s < deep.sequences(); ++s) {
      const Lens<T> rows = lens(*deep.model, *deep.activations, deep.batch, s);
      for (int i = 0; i < rows.positions; ++i) {
        const std::span<const T> row = rows.at(1, i);
        const T* own = shallow.activations->logits().row(shallow.first_answer(s) + i);
        EXPECT_EQ(std::memcmp(row.data(), own, row.size_bytes()), 0) << s << ", " << i;
      }
    }
  }
}

TYPED_TEST(LensOf, ProbabilitiesAreTheModels) {
  using T = TypeParam;
  for (const ModelEntry& entry : models()) {
    if (entry.config.head == HeadKind::regression) continue;
    SCOPED_TRACE(entry.name);
    const ModelPass<T> pass(entry.config);
    const ConstMatrix<T> own = pass.activations->head.cross_entropy.probabilities;
    const Lens<T> rows = lens(*pass.model, *pass.activations, pass.batch, 1);
    for (int i = 0; i < rows.positions; ++i) {
      const std::span<const T> last = rows.at(rows.layers - 1, i);
      const auto all = likeliest(last, rows.outputs);
      ASSERT_EQ(std::ssize(all), rows.outputs);
      for (std::size_t k = 0; k < all.size(); ++k) {
        EXPECT_NEAR(all[k].probability, double(own(pass.first_answer(1) + i, all[k].output)), 1e-6);
        EXPECT_EQ(all[k].probability, probability_of(last, all[k].output));
        EXPECT_GE(all[k == 0 ? 0 : k - 1].probability, all[k].probability);
      }
    }
  }
}

TEST(Likeliest, TheFirstOfEqualsComesFirst) {
  const float logits[] = {1, 3, 2, 3, -INFINITY};
  const auto two = likeliest(std::span<const float>(logits), 2);
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[0].output, 1);
  EXPECT_EQ(two[1].output, 3);
  const double sum = 2 + std::exp(-1.0) + std::exp(-2.0);
  EXPECT_NEAR(two[0].probability, 1 / sum, 1e-12);
  EXPECT_EQ(likeliest(std::span<const float>(logits), 9).size(), 5u);
  EXPECT_EQ(probability_of(std::span<const float>(logits), 4), 0);
}

}  // namespace
}  // namespace tp::test
