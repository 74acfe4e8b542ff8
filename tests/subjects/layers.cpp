#include "engine/layers/attention.h"
#include "engine/layers/cross_entropy.h"
#include "engine/layers/embedding.h"
#include "engine/layers/feed_forward.h"
#include "engine/layers/linear.h"
#include "engine/layers/norm.h"
#include "engine/layers/pooling.h"
#include "engine/layers/residual.h"
#include "engine/layers/squared_error.h"
#include "tests/subjects/composed.h"

// Every layer, in the variants that take different paths through it.

namespace tp::test {
namespace {

template <class T>
using Made = std::unique_ptr<Subject<T>>;

// What a layer works with between forward and backward.
template <class Layer>
struct Bench {
  Layer layer;
  typename Layer::Cache cache;
  Arena arena{1 << 18};
  SequenceLayout layout, memory_layout;
  DropoutRun run;
};

template <class T>
Made<T> linear(const Kernels<T>& k, std::uint64_t seed, bool bias) {
  auto subject = std::make_unique<Composed<T>>(seed);
  const auto x = subject->variable("x", 5, 7), weight = subject->variable("weight", 6, 7);
  const auto b = bias ? subject->variable("bias", 1, 6) : Parameter<T>();
  auto bench = std::make_shared<Bench<Linear<T>>>();
  bench->layer = Linear<T>(k, weight, b);
  subject->define(
      5, 6, [=](Matrix<T> y) { bench->layer.forward(x.value, y, bench->cache); },
      [=](ConstMatrix<T> d_y) { bench->layer.backward(d_y, bench->cache, x.gradient); });
  return subject;
}

template <class T>
Made<T> embedding(const Kernels<T>& k, std::uint64_t seed) {
  auto subject = std::make_unique<Composed<T>>(seed);
  const auto weight = subject->variable("weight", 6, 4);
  auto bench = std::make_shared<Bench<Embedding<T>>>();
  bench->layer = Embedding<T>(k, weight, T(2));
  auto ids = std::make_shared<std::vector<int>>();
  for (int i = 0; i < 8; ++i) ids->push_back(static_cast<int>(subject->rng().below(6)));
  subject->define(
      8, 4, [=](Matrix<T> y) { bench->layer.forward(*ids, y, bench->cache); },
      [=](ConstMatrix<T> d_y) { bench->layer.backward(d_y, bench->cache); });
  return subject;
}

template <class T>
Made<T> layer_norm(const Kernels<T>& k, std::uint64_t seed, bool bias) {
  auto subject = std::make_unique<Composed<T>>(seed);
  const auto x = subject->variable("x", 4, 10, 0.5, 2);
  const auto gamma = subject->variable("gamma", 1, 10, 1, 0.3);
  const auto beta = bias ? subject->variable("beta", 1, 10) : Parameter<T>();
  auto bench = std::make_shared<Bench<LayerNorm<T>>>();
  bench->layer = LayerNorm<T>(k, gamma, beta, T(1e-5));
  bench->layer.prepare(bench->arena, 4, bench->cache);
  subject->define(
      4, 10, [=](Matrix<T> y) { bench->layer.forward(x.value, y, bench->cache); },
      [=](ConstMatrix<T> d_y) { bench->layer.backward(d_y, bench->cache, x.gradient); });
  return subject;
}

template <class T>
Made<T> rms_norm(const Kernels<T>& k, std::uint64_t seed) {
  auto subject = std::make_unique<Composed<T>>(seed);
  const auto x = subject->variable("x", 4, 10, 0.5, 2);
  const auto gamma = subject->variable("gamma", 1, 10, 1, 0.3);
  auto bench = std::make_shared<Bench<Norm<T>>>();
  bench->layer = RmsNorm<T>(k, gamma, T(1e-5));
  bench->layer.prepare(bench->arena, 4, bench->cache);
  subject->define(
      4, 10, [=](Matrix<T> y) { bench->layer.forward(x.value, y, bench->cache); },
      [=](ConstMatrix<T> d_y) { bench->layer.backward(d_y, bench->cache, x.gradient); });
  return subject;
}

template <class T>
Made<T> dropout(const Kernels<T>& k, std::uint64_t seed) {
  auto subject = std::make_unique<Composed<T>>(seed);
  const auto x = subject->variable("x", 6, 8);
  auto bench = std::make_shared<Bench<Dropout<T>>>();
  bench->layer = Dropout<T>(k, 3);
  bench->run = {0.4, seed, 5};
  bench->layer.prepare(bench->arena, 48, bench->run, bench->cache);
  subject->define(
      6, 8,
      [=](Matrix<T> y) { bench->layer.forward(x.values(), bench->run, y.flat(), bench->cache); },
      [=](ConstMatrix<T> d_y) { bench->layer.backward(d_y.flat(), bench->cache, x.gradients()); });
  return subject;
}

template <class T>
Made<T> feed_forward(const Kernels<T>& k, std::uint64_t seed, Activation activation,
                     double probability) {
  auto subject = std::make_unique<Composed<T>>(seed);
  const auto x = subject->variable("x", 5, 6);
  const auto w1 = subject->variable("linear1.weight", 9, 6),
             b1 = subject->variable("linear1.bias", 1, 9);
  const auto w2 = subject->variable("linear2.weight", 6, 9),
             b2 = subject->variable("linear2.bias", 1, 6);
  auto bench = std::make_shared<Bench<FeedForward<T>>>();
  bench->layer =
      FeedForward<T>(k, Linear<T>(k, w1, b1), Linear<T>(k, w2, b2), activation, Dropout<T>(k, 1));
  bench->run = {probability, seed, 2};
  bench->layer.prepare(bench->arena, 5, bench->run, bench->cache);
  bench->layer.prepare_gradients(bench->arena, 5, bench->cache);
  subject->define(
      5, 6, [=](Matrix<T> y) { bench->layer.forward(x.value, bench->run, y, bench->cache); },
      [=](ConstMatrix<T> d_y) { bench->layer.backward(d_y, bench->cache, x.gradient); });
  return subject;
}

template <class T>
Made<T> residual(const Kernels<T>& k, std::uint64_t seed, NormPlacement placement) {
  auto subject = std::make_unique<Composed<T>>(seed);
  const auto x = subject->variable("x", 4, 6);
  const auto gamma = subject->variable("gamma", 1, 6, 1, 0.3),
             beta = subject->variable("beta", 1, 6);
  const auto weight = subject->variable("weight", 6, 6);
  auto bench = std::make_shared<Bench<Residual<T>>>();
  auto inner = std::make_shared<Bench<Linear<T>>>();
  inner->layer = Linear<T>(k, weight, {});
  bench->layer = Residual<T>(k, placement, LayerNorm<T>(k, gamma, beta, T(1e-5)), Dropout<T>(k, 4));
  bench->run = {0.3, seed, 1};
  bench->layer.prepare(bench->arena, 4, 6, bench->run, bench->cache);
  bench->layer.prepare_gradients(bench->arena, 4, 6, bench->cache);
  subject->define(
      4, 6,
      [=](Matrix<T> y) {
        bench->layer.forward(
            x.value, bench->run, y, bench->cache,
            [&](ConstMatrix<T> in, Matrix<T> out) { inner->layer.forward(in, out, inner->cache); });
      },
      [=](ConstMatrix<T> d_y) {
        bench->layer.backward(d_y, bench->cache, x.gradient,
                              [&](ConstMatrix<T> d_out, Matrix<T> d_in) {
                                inner->layer.backward(d_out, inner->cache, d_in);
                              });
      });
  return subject;
}

struct AttentionVariant {
  AttentionMask pattern;
  bool biases = true;
  bool rotary = false;
  double dropout = 0;
  bool cross = false;
  bool alibi = false;
};

template <class T>
Made<T> attention(const Kernels<T>& k, std::uint64_t seed, const AttentionVariant& variant) {
  const int d = 8, heads = 2, tokens = 9, memory_tokens = 7;
  auto subject = std::make_unique<Composed<T>>(seed);
  const auto x = subject->variable("x", tokens, d);
  const auto memory =
      variant.cross ? subject->variable("memory", memory_tokens, d) : Parameter<T>();
  const auto bias = [&](const char* name, int size) {
    return variant.biases ? subject->variable(name, 1, size) : Parameter<T>();
  };
  AttentionParameters<T> parameters;
  parameters.in_proj_weight = subject->variable("in_proj_weight", 3 * d, d, 0, 0.5);
  parameters.in_proj_bias = bias("in_proj_bias", 3 * d);
  parameters.out_proj_weight = subject->variable("out_proj.weight", d, d, 0, 0.5);
  parameters.out_proj_bias = bias("out_proj.bias", d);

  AttentionPositions<T> positions;
  if (variant.rotary) positions.rotary = std::make_shared<Rotary<T>>(k, 16, d / heads, 100.0);
  if (variant.alibi) positions.alibi = std::make_shared<Alibi<T>>(k, 16, heads);
  auto bench = std::make_shared<Bench<Attention<T>>>();
  bench->layer = Attention<T>(k, parameters, heads, variant.pattern, positions, Dropout<T>(k, 2));
  bench->run = {variant.dropout, seed, 3};
  bench->layout.assign(std::vector<int>{3, 1, 5});
  bench->memory_layout.assign(std::vector<int>{2, 4, 1});
  if (variant.cross) {
    bench->layer.prepare_cross(bench->arena, bench->layout, bench->memory_layout, bench->run,
                               bench->cache);
  } else {
    bench->layer.prepare_self(bench->arena, bench->layout, bench->run, bench->cache);
  }
  bench->layer.prepare_gradients(bench->arena, bench->cache);
  subject->define(
      tokens, d,
      [=, cross = variant.cross](Matrix<T> y) {
        if (cross) {
          bench->layer.forward_cross(x.value, memory.value, bench->run, y, bench->cache);
        } else {
          bench->layer.forward_self(x.value, bench->run, y, bench->cache);
        }
      },
      [=, cross = variant.cross](ConstMatrix<T> d_y) {
        if (cross) {
          bench->layer.backward_cross(d_y, bench->cache, x.gradient, memory.gradient);
        } else {
          bench->layer.backward_self(d_y, bench->cache, x.gradient);
        }
      });
  return subject;
}

template <class T>
Made<T> pooling(const Kernels<T>& k, std::uint64_t seed, PoolingKind kind) {
  auto subject = std::make_unique<Composed<T>>(seed);
  const auto x = subject->variable("x", 7, 5);
  auto bench = std::make_shared<Bench<Pooling<T>>>();
  bench->layer = Pooling<T>(k, kind);
  bench->layout.assign(std::vector<int>{2, 4, 1});
  subject->define(
      3, 5, [=](Matrix<T> y) { bench->layer.forward(x.value, bench->layout, y, bench->cache); },
      [=](ConstMatrix<T> d_y) { bench->layer.backward(d_y, bench->cache, x.gradient); });
  return subject;
}

template <class T>
Made<T> cross_entropy(const Kernels<T>& k, std::uint64_t seed, double smoothing) {
  auto subject = std::make_unique<Composed<T>>(seed);
  const auto logits = subject->variable("logits", 5, 7);
  auto bench = std::make_shared<Bench<CrossEntropy<T>>>();
  bench->layer = CrossEntropy<T>(k, static_cast<T>(smoothing));
  bench->layer.prepare(bench->arena, 5, 7, bench->cache);
  auto labels = std::make_shared<std::vector<int>>(std::vector<int>{6, 0, kIgnoredLabel, 3, 3});
  subject->define(
      1, 1,
      [=](Matrix<T> y) { y(0, 0) = bench->layer.forward(logits.value, *labels, bench->cache); },
      [=, &k](ConstMatrix<T> d_y) {
        bench->layer.backward(bench->cache, logits.gradient);
        k.scale(logits.gradients(), d_y(0, 0), logits.gradients());
      });
  return subject;
}

template <class T>
Made<T> squared_error(const Kernels<T>& k, std::uint64_t seed) {
  auto subject = std::make_unique<Composed<T>>(seed);
  const auto x = subject->variable("x", 3, 5);
  auto bench = std::make_shared<Bench<SquaredError<T>>>();
  bench->layer = SquaredError<T>(k);
  auto target = std::make_shared<std::vector<T>>();
  for (int i = 0; i < 15; ++i) target->push_back(static_cast<T>(subject->rng().normal()));
  subject->define(
      1, 1, [=](Matrix<T> y) { y(0, 0) = bench->layer.forward(x.values(), *target, bench->cache); },
      [=, &k](ConstMatrix<T> d_y) {
        bench->layer.backward(bench->cache, x.gradients());
        k.scale(x.gradients(), d_y(0, 0), x.gradients());
      });
  return subject;
}

}  // namespace

void add_layers(std::vector<SubjectEntry>& table) {
  const auto add = [&](const char* name, auto make) { table.push_back(entry(name, make)); };
  const auto add_attention = [&](const char* name, const AttentionVariant& variant) {
    add(name, [variant](const auto& k, std::uint64_t s) { return attention(k, s, variant); });
  };
  const AttentionMask causal{Sparsity::full, 0, true};
  add("layer.linear", [](const auto& k, std::uint64_t s) { return linear(k, s, true); });
  add("layer.linear.no_bias", [](const auto& k, std::uint64_t s) { return linear(k, s, false); });
  add("layer.embedding", [](const auto& k, std::uint64_t s) { return embedding(k, s); });
  add("layer.layer_norm", [](const auto& k, std::uint64_t s) { return layer_norm(k, s, true); });
  add("layer.layer_norm.no_bias",
      [](const auto& k, std::uint64_t s) { return layer_norm(k, s, false); });
  add("layer.rms_norm", [](const auto& k, std::uint64_t s) { return rms_norm(k, s); });
  add("layer.dropout", [](const auto& k, std::uint64_t s) { return dropout(k, s); });
  add("layer.feed_forward.relu",
      [](const auto& k, std::uint64_t s) { return feed_forward(k, s, Activation::relu, 0); });
  add("layer.feed_forward.gelu",
      [](const auto& k, std::uint64_t s) { return feed_forward(k, s, Activation::gelu, 0.3); });
  add("layer.residual.pre",
      [](const auto& k, std::uint64_t s) { return residual(k, s, NormPlacement::pre); });
  add("layer.residual.post",
      [](const auto& k, std::uint64_t s) { return residual(k, s, NormPlacement::post); });
  add_attention("layer.attention.self", {});
  add_attention("layer.attention.causal", {causal});
  add_attention("layer.attention.cross", {{}, true, false, 0, true});
  add_attention("layer.attention.cross.dropout", {{}, true, false, 0.3, true});
  add_attention("layer.attention.no_biases", {{}, false});
  add_attention("layer.attention.dropout", {causal, true, false, 0.3});
  add_attention("layer.attention.rotary", {causal, true, true});
  add_attention("layer.attention.alibi", {{}, true, false, 0, false, true});
  add_attention("layer.attention.alibi.causal", {causal, true, false, 0, false, true});
  add_attention("layer.attention.local", {{Sparsity::local, 1, false}});
  add_attention("layer.attention.local_causal", {{Sparsity::local, 2, true}});
  add_attention("layer.attention.strided", {{Sparsity::strided, 2, true}});
  add("layer.pooling.mean",
      [](const auto& k, std::uint64_t s) { return pooling(k, s, PoolingKind::mean); });
  add("layer.pooling.first",
      [](const auto& k, std::uint64_t s) { return pooling(k, s, PoolingKind::first); });
  add("layer.cross_entropy", [](const auto& k, std::uint64_t s) { return cross_entropy(k, s, 0); });
  add("layer.cross_entropy.smoothed",
      [](const auto& k, std::uint64_t s) { return cross_entropy(k, s, 0.1); });
  add("layer.squared_error", [](const auto& k, std::uint64_t s) { return squared_error(k, s); });
}

}  // namespace tp::test
