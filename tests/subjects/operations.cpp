#include "tests/subjects/composed.h"

// Every differentiable kernel by itself.

namespace tp::test {
namespace {

template <class T>
using Made = std::unique_ptr<Subject<T>>;

template <class T>
Made<T> products(const Kernels<T>& k, std::uint64_t seed) {
  auto subject = std::make_unique<Composed<T>>(seed);
  const auto a = subject->variable("a", 5, 7), b = subject->variable("b", 6, 7);
  const auto bias = subject->variable("bias", 1, 6);
  subject->define(
      5, 6, [=, &k](Matrix<T> y) { k.affine(a.value, b.value, bias.values(), y); },
      [=, &k](ConstMatrix<T> d_y) {
        k.matmul_nn(d_y, b.value, a.gradient, Update::assign);
        k.matmul_tn(d_y, a.value, b.gradient, Update::add);
        k.sum_rows(d_y, bias.gradients());
      });
  return subject;
}

std::vector<KeyRange> causal_ranges(int queries) {
  std::vector<KeyRange> ranges;
  for (int i = 0; i < queries; ++i) ranges.push_back({0, i + 1});
  return ranges;
}

template <class T>
Made<T> banded_scores(const Kernels<T>& k, std::uint64_t seed) {
  auto subject = std::make_unique<Composed<T>>(seed);
  const auto a = subject->variable("a", 6, 5), b = subject->variable("b", 6, 5);
  const auto ranges = causal_ranges(6);
  const T scale = T(0.7);
  subject->define(
      6, 6,
      [=, &k](Matrix<T> y) {
        std::fill(y.flat().begin(), y.flat().end(), T(0));
        k.banded_nt(a.value, b.value, scale, ranges, y);
      },
      [=, &k](ConstMatrix<T> d_y) {
        k.banded_nn(d_y, b.value, scale, ranges, a.gradient);
        k.banded_tn(d_y, a.value, scale, ranges, b.gradient);
      });
  return subject;
}

template <class T>
Made<T> banded_mixture(const Kernels<T>& k, std::uint64_t seed) {
  auto subject = std::make_unique<Composed<T>>(seed);
  const auto s = subject->variable("s", 6, 6), b = subject->variable("b", 6, 5);
  const auto ranges = causal_ranges(6);
  subject->define(
      6, 5, [=, &k](Matrix<T> y) { k.banded_nn(s.value, b.value, T(2), ranges, y); },
      [=, &k](ConstMatrix<T> d_y) {
        k.banded_nt(d_y, b.value, T(2), ranges, s.gradient);
        k.banded_tn(s.value, d_y, T(2), ranges, b.gradient);
      });
  return subject;
}

template <class T>
Made<T> softmax(const Kernels<T>& k, std::uint64_t seed) {
  auto subject = std::make_unique<Composed<T>>(seed);
  const auto x = subject->variable("scores", 6, 6);
  const auto ranges = causal_ranges(6);
  auto weights = std::make_shared<std::vector<T>>(36);
  const Matrix<T> w(weights->data(), 6, 6);
  subject->define(
      6, 6,
      [=, &k](Matrix<T> y) {
        k.softmax(x.value, ranges, y);
        std::copy(y.flat().begin(), y.flat().end(), weights->begin());
      },
      [=, &k](ConstMatrix<T> d_y) { k.softmax_backward(w, d_y, ranges, x.gradient); });
  return subject;
}

template <class T>
Made<T> layer_norm(const Kernels<T>& k, std::uint64_t seed) {
  auto subject = std::make_unique<Composed<T>>(seed);
  const auto x = subject->variable("x", 4, 19);
  const auto gamma = subject->variable("gamma", 1, 19, 1, 0.3);
  const auto beta = subject->variable("beta", 1, 19);
  auto statistics = std::make_shared<std::vector<T>>(8);
  const std::span<T> mean(statistics->data(), 4), inverse_std(statistics->data() + 4, 4);
  subject->define(
      4, 19,
      [=, &k](Matrix<T> y) {
        k.layer_norm(x.value, gamma.values(), beta.values(), T(1e-5), mean, inverse_std, y);
      },
      [=, &k](ConstMatrix<T> d_y) {
        (void)statistics;
        k.layer_norm_backward(d_y, x.value, gamma.values(), mean, inverse_std, x.gradient,
                              gamma.gradients(), beta.gradients());
      });
  return subject;
}

template <class T>
Made<T> rms_norm(const Kernels<T>& k, std::uint64_t seed) {
  auto subject = std::make_unique<Composed<T>>(seed);
  const auto x = subject->variable("x", 4, 19);
  const auto gamma = subject->variable("gamma", 1, 19, 1, 0.3);
  auto inverse_rms = std::make_shared<std::vector<T>>(4);
  subject->define(
      4, 19,
      [=, &k](Matrix<T> y) { k.rms_norm(x.value, gamma.values(), T(1e-5), *inverse_rms, y); },
      [=, &k](ConstMatrix<T> d_y) {
        k.rms_norm_backward(d_y, x.value, gamma.values(), *inverse_rms, x.gradient,
                            gamma.gradients());
      });
  return subject;
}

// x and y of one size, element by element.
template <class T>
Made<T> elementwise(std::uint64_t seed, void (*forward)(std::span<const T>, std::span<T>),
                    void (*backward)(std::span<const T>, std::span<const T>, std::span<T>)) {
  auto subject = std::make_unique<Composed<T>>(seed);
  const auto x = subject->variable("x", 3, 11);
  subject->define(
      3, 11, [=](Matrix<T> y) { forward(x.values(), y.flat()); },
      [=](ConstMatrix<T> d_y) { backward(d_y.flat(), x.values(), x.gradients()); });
  return subject;
}

template <class T>
Made<T> arithmetic(const Kernels<T>& k, std::uint64_t seed) {
  auto subject = std::make_unique<Composed<T>>(seed);
  const auto a = subject->variable("a", 2, 9), b = subject->variable("b", 2, 9);
  subject->define(
      2, 9,
      [=, &k](Matrix<T> y) {  // y = 3 (a b + a)
        k.multiply(a.values(), b.values(), y.flat());
        k.add(y.flat(), a.values(), y.flat());
        k.scale(y.flat(), T(3), y.flat());
      },
      [=, &k](ConstMatrix<T> d_y) {
        std::vector<T> d(d_y.flat().size());
        k.scale(d_y.flat(), T(3), d);
        k.multiply(d, a.values(), b.gradients());
        k.multiply(d, b.values(), a.gradients());
        k.add(a.gradients(), d, a.gradients());
      });
  return subject;
}

template <class T>
Made<T> gather(const Kernels<T>& k, std::uint64_t seed) {
  auto subject = std::make_unique<Composed<T>>(seed);
  const auto table = subject->variable("table", 5, 4);
  const std::vector<int> ids = {3, 0, 3, 1, 3};
  subject->define(
      5, 4, [=, &k](Matrix<T> y) { k.gather(table.value, ids, T(2), y); },
      [=, &k](ConstMatrix<T> d_y) { k.scatter_add(d_y, ids, T(2), table.gradient); });
  return subject;
}

template <class T>
Made<T> rotate(const Kernels<T>& k, std::uint64_t seed) {
  auto subject = std::make_unique<Composed<T>>(seed);
  const auto x = subject->variable("x", 3, 8);
  // cosine and sine need not belong together for the map to be linear, but its transpose does:
  // [c -s; s c] turned back is [c s; -s c].
  std::vector<T> cosine, sine;
  for (int i = 0; i < 12; ++i) {
    cosine.push_back(static_cast<T>(subject->rng().normal()));
    sine.push_back(static_cast<T>(subject->rng().normal()));
  }
  subject->define(
      3, 8,
      [=, &k](Matrix<T> y) {
        std::copy(x.values().begin(), x.values().end(), y.flat().begin());
        k.rotate({cosine.data(), 3, 4}, {sine.data(), 3, 4}, T(1), y);
      },
      [=, &k](ConstMatrix<T> d_y) {
        std::copy(d_y.flat().begin(), d_y.flat().end(), x.gradients().begin());
        k.rotate({cosine.data(), 3, 4}, {sine.data(), 3, 4}, T(-1), x.gradient);
      });
  return subject;
}

template <class T>
Made<T> cross_entropy(const Kernels<T>& k, std::uint64_t seed) {
  auto subject = std::make_unique<Composed<T>>(seed);
  const auto logits = subject->variable("logits", 4, 6);
  const std::vector<int> labels = {2, kIgnoredLabel, 5, 0};
  auto probabilities = std::make_shared<std::vector<T>>(24);
  const Matrix<T> p(probabilities->data(), 4, 6);
  subject->define(
      1, 4,
      [=, &k](Matrix<T> y) {
        (void)probabilities;
        k.cross_entropy(logits.value, labels, T(0.1), p, y.flat());
      },
      [=, &k](ConstMatrix<T> d_y) {
        for (int i = 0; i < 4; ++i) {  // each row has its own share of the number
          k.cross_entropy_backward(p.row_range(i, 1), std::span(labels).subspan(i, 1), T(0.1),
                                   d_y(0, i), logits.gradient.row_range(i, 1));
        }
      });
  return subject;
}

template <class T>
Made<T> squared_error(const Kernels<T>& k, std::uint64_t seed) {
  auto subject = std::make_unique<Composed<T>>(seed);
  const auto x = subject->variable("x", 3, 6);
  std::vector<T> target;
  for (int i = 0; i < 18; ++i) target.push_back(static_cast<T>(subject->rng().normal()));
  subject->define(
      1, 1, [=, &k](Matrix<T> y) { y(0, 0) = k.squared_error(x.values(), target); },
      [=, &k](ConstMatrix<T> d_y) {
        k.squared_error_backward(x.values(), target, d_y(0, 0), x.gradients());
      });
  return subject;
}

}  // namespace

void add_operations(std::vector<SubjectEntry>& table) {
  const auto add = [&](const char* name, auto make) { table.push_back(entry(name, make)); };
  add("operation.products", [](const auto& k, std::uint64_t s) { return products(k, s); });
  add("operation.banded_scores",
      [](const auto& k, std::uint64_t s) { return banded_scores(k, s); });
  add("operation.banded_mixture",
      [](const auto& k, std::uint64_t s) { return banded_mixture(k, s); });
  add("operation.softmax", [](const auto& k, std::uint64_t s) { return softmax(k, s); });
  add("operation.layer_norm", [](const auto& k, std::uint64_t s) { return layer_norm(k, s); });
  add("operation.rms_norm", [](const auto& k, std::uint64_t s) { return rms_norm(k, s); });
  add("operation.relu",
      [](const auto& k, std::uint64_t s) { return elementwise(s, k.relu, k.relu_backward); });
  add("operation.gelu",
      [](const auto& k, std::uint64_t s) { return elementwise(s, k.gelu, k.gelu_backward); });
  add("operation.arithmetic", [](const auto& k, std::uint64_t s) { return arithmetic(k, s); });
  add("operation.gather", [](const auto& k, std::uint64_t s) { return gather(k, s); });
  add("operation.rotate", [](const auto& k, std::uint64_t s) { return rotate(k, s); });
  add("operation.cross_entropy",
      [](const auto& k, std::uint64_t s) { return cross_entropy(k, s); });
  add("operation.squared_error",
      [](const auto& k, std::uint64_t s) { return squared_error(k, s); });
}

}  // namespace tp::test
