#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "cli/textbook_bridge.h"
#include "engine/inspect/trace.h"
#include "engine/textbook/optimiser.h"
#include "engine/train/optimiser.h"
#include "engine/train/schedule.h"
#include "tests/subjects/model_pass.h"
#include "tests/subjects/models.h"
#include "tests/textbook/engine_masks.h"

// Two witnesses: the engine, and the textbook, which was written from the paper and shares no line
// of arithmetic with it. What both say is believed.

namespace tp::test {
namespace {

// Of the largest number of a tensor, for gradients of the largest of any.
template <class T>
constexpr double kTolerance = sizeof(T) == 4 ? 1e-5 : 1e-12;
constexpr double kLeastScale = 1e-2;  // means of what was normed before are 0 but for rounding
template <class T>
constexpr double kLossTolerance = sizeof(T) == 4 ? 1e-4 : 1e-12;

// The same model, parameters and batch on both sides.
template <class T>
struct Pair : ModelPass<T> {
  using ModelPass<T>::model, ModelPass<T>::activations, ModelPass<T>::batch;

  ModelConfig config;
  textbook::Settings settings;
  textbook::Tensors<T> parameters, gradients, first_moments, second_moments;
  std::vector<textbook::Pass<T>> passes;  // of each sequence

  explicit Pair(const ModelConfig& given)
      : ModelPass<T>(given), config(given), settings(cli::textbook_settings(given)) {
    parameters = cli::textbook_tensors<T>(model->parameters(), model->parameters().values());
  }

  T engine_step(std::uint64_t step) {
    model->forward(batch, model->training_run(1, step), *activations);
    const T loss = model->loss(batch, *activations);
    this->backward();
    return loss;
  }

  // After the engine's, whose masks it uses.
  T textbook_step() {
    gradients.clear();
    passes.clear();
    std::vector<textbook::Example<T>> examples;
    T answers = 0, loss = 0;
    for (int s = 0; s < batch.head_layout(config).sequences(); ++s) {
      examples.push_back(cli::textbook_example(config, batch, s));
      answers += textbook::count_answers(examples.back());
    }
    for (std::size_t s = 0; s < examples.size(); ++s) {
      passes.emplace_back(settings, parameters, gradients);
      passes.back().answers = answers;
      passes.back().masks = masks_of(*model, *activations, batch, static_cast<int>(s));
      loss += textbook::train_sequence(passes.back(), examples[s]);
    }
    return loss;
  }
};

template <class T>
textbook::Matrix<T> eigen(ConstMatrix<T> m) {
  return textbook::Matrix<T>::NullaryExpr(m.rows, m.columns,
                                          [&](textbook::Index i, textbook::Index j) {
                                            return m(static_cast<int>(i), static_cast<int>(j));
                                          });
}

// The largest difference of two matrices; equal infinities are none.
template <class T>
double difference(const textbook::Matrix<T>& a, const textbook::Matrix<T>& b) {
  double largest = 0;
  for (textbook::Index i = 0; i < a.size(); ++i) {
    const T x = a.data()[i], y = b.data()[i];
    if (x == y) continue;
    const double apart = std::abs(double{x} - double{y});
    largest =
        std::max(largest, std::isnan(apart) ? std::numeric_limits<double>::infinity() : apart);
  }
  return largest;
}
template <class T>
double largest(const textbook::Matrix<T>& a) {
  double found = 0;
  for (const T x : a.reshaped()) {
    if (std::isfinite(x)) found = std::max(found, std::abs(double{x}));
  }
  return found;
}

// The gradient of weights that are hidden reaches nothing; the engine leaves it out.
template <class T>
void hide(const textbook::Tensors<T>& tensors, const std::string& path, textbook::Matrix<T>& engine,
          textbook::Matrix<T>& book) {
  if (!path.ends_with(".d_weights")) return;
  const auto& weights = tensors.at(path.substr(0, path.size() - 9) + "weights");
  for (textbook::Index i = 0; i < weights.size(); ++i) {
    if (weights.data()[i] == T(0)) engine.data()[i] = book.data()[i] = T(0);
  }
}

bool is_gradient(const std::string& path) { return path.find(".d_") != path.npos; }

class Textbook : public testing::TestWithParam<ModelEntry> {
 protected:
  template <class T>
  void expect_same_tensors() {
    Pair<T> pair(GetParam().config);
    const T engine_loss = pair.engine_step(1), book_loss = pair.textbook_step();
    EXPECT_NEAR(engine_loss, book_loss, kTolerance<T> * std::abs(double{engine_loss}));
    double worst = 0;
    int compared = 0;
    for (std::size_t s = 0; s < pair.passes.size(); ++s) {
      const auto& tensors = pair.passes[s].tensors;
      std::set<std::string> paths;
      double gradient_scale = 0;  // some gradients are 0 but for rounding
      for (const auto& [path, tensor] : tensors) {
        if (is_gradient(path)) gradient_scale = std::max(gradient_scale, largest(tensor));
      }
      for (const TracedTensor<T>& traced :
           trace(*pair.model, *pair.activations, pair.batch, static_cast<int>(s),
                 TraceParts::forward_and_backward)) {
        paths.insert(traced.path);
        ASSERT_TRUE(tensors.contains(traced.path)) << traced.path << " is not in the textbook";
        textbook::Matrix<T> engine = eigen(traced.values), book = tensors.at(traced.path);
        ASSERT_EQ(engine.rows(), book.rows()) << traced.path;
        ASSERT_EQ(engine.cols(), book.cols()) << traced.path;
        hide(tensors, traced.path, engine, book);
        const double scale = is_gradient(traced.path) ? gradient_scale : largest(engine);
        const double apart = difference(engine, book) / std::max(scale, kLeastScale);
        EXPECT_LE(apart, kTolerance<T>) << traced.path;
        worst = std::max(worst, apart);
        ++compared;
      }
      for (const auto& [path, tensor] : tensors) {
        EXPECT_TRUE(paths.contains(path)) << path << " is not in the engine";
      }
    }
    EXPECT_GT(compared, 50);
    std::printf("  %d tensors, worst difference %.1e\n", compared, worst);
  }

  template <class T>
  void expect_same_gradients() {
    Pair<T> pair(GetParam().config);
    pair.engine_step(1);
    pair.textbook_step();
    const auto engine =
        cli::textbook_tensors<T>(pair.model->parameters(), pair.model->parameters().gradients());
    double scale = 0, worst = 0;
    for (const auto& [name, gradient] : engine) scale = std::max(scale, largest(gradient));
    for (const auto& [name, gradient] : engine) {
      ASSERT_TRUE(pair.gradients.contains(name)) << name;
      const double apart = difference(gradient, pair.gradients.at(name)) / scale;
      EXPECT_LE(apart, kTolerance<T>) << name;
      worst = std::max(worst, apart);
    }
    EXPECT_EQ(engine.size(), pair.gradients.size());
    std::printf("  %zu gradients, worst difference %.1e of the largest\n", engine.size(), worst);
  }

  template <class T>
  void expect_same_losses() {
    Pair<T> pair(GetParam().config);
    Adam<T> adam(pair.model->kernels(), {0.9, 0.98, 1e-9});
    const Schedule schedule{ScheduleKind::inverse_square_root,
                            paper_peak(pair.config.d_model, 1000), 1000, 100};
    constexpr double kMost = 1;
    double worst = 0, first = 0, last = 0;
    for (int t = 1; t <= 100; ++t) {
      const double engine = pair.engine_step(static_cast<std::uint64_t>(t));
      const double book = pair.textbook_step();
      ASSERT_NEAR(engine, book, kLossTolerance<T>) << "step " << t;
      worst = std::max(worst, std::abs(engine - book));
      if (t == 1) first = engine;
      last = engine;

      ParameterStore<T>& store = pair.model->parameters();
      const auto& kernels = pair.model->kernels();
      clip_gradients(kernels, store, gradient_norm(kernels, store), kMost);
      adam.step(store, schedule.rate(static_cast<std::uint64_t>(t)));
      textbook::clip(pair.gradients, kMost);
      textbook::update(pair.settings, {}, textbook::paper_rate(pair.config.d_model, t, 1000), 1, t,
                       pair.gradients, pair.first_moments, pair.second_moments, pair.parameters);
    }
    EXPECT_LT(last, first);
    std::printf("  100 losses, %.3f to %.3f, worst difference %.1e\n", first, last, worst);
  }
};

TEST_P(Textbook, EveryTensorAgreesInFloat) { expect_same_tensors<float>(); }
TEST_P(Textbook, EveryTensorAgreesInDouble) { expect_same_tensors<double>(); }
TEST_P(Textbook, EveryGradientAgreesInFloat) { expect_same_gradients<float>(); }
TEST_P(Textbook, EveryGradientAgreesInDouble) { expect_same_gradients<double>(); }
TEST_P(Textbook, HundredLossesAgreeInFloat) { expect_same_losses<float>(); }
TEST_P(Textbook, HundredLossesAgreeInDouble) { expect_same_losses<double>(); }

std::string test_name(const testing::TestParamInfo<ModelEntry>& info) {
  std::string name = info.param.name.substr(std::string("model.").size());
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Models, Textbook, testing::ValuesIn(models()), test_name);

}  // namespace
}  // namespace tp::test
