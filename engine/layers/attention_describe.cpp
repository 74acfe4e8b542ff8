#include <vector>

#include "engine/layers/attention.h"

// What a pass of attention left behind.

namespace tp {

template <class T>
TensorId Attention<T>::describe(PassVisitor<T>& visitor, const Cache& cache, TensorId x, TensorId m,
                                const SublayerOutput<T>& output) const {
  const int s = visitor.sequence();
  const bool self = cache.projected_memory.columns == 0, kept = cache.keep == Keep::everything;
  const Axis queries{visitor.tokens(), cache.queries->length(s)};
  const Axis keys{self ? visitor.tokens() : AxisKind::source_token, cache.keys->length(s)};
  const Axis columns{AxisKind::head_feature, d_head()};
  std::vector<TensorInput> contexts;
  for (int h = 0; h < heads_; ++h) {
    const typename PassVisitor<T>::Scope scope(visitor, "head", h);
    const auto rows = [&](const char* name, const char* operation,
                          std::initializer_list<TensorInput> from, const SequenceLayout& layout,
                          Axis axis, Matrix<T> values, Matrix<T> gradient) {
      return visitor.tensor(name, operation, from, axis, columns, of_head(values, layout, s, h),
                            gradient.empty() ? gradient : of_head(gradient, layout, s, h));
    };
    const auto block = [&](const char* name, const char* operation,
                           std::initializer_list<TensorInput> from, std::span<T> values,
                           std::span<T> gradient) {
      const auto part = [&](std::span<T> all) {
        return all.empty() ? Matrix<T>() : of_head(all, cache, s, h);
      };
      return visitor.tensor(name, operation, from, queries, keys, part(values),
                            kept ? part(gradient) : Matrix<T>());
    };
    // Part 0, 1 or 2 of in_proj: query, key and value.
    const auto linear = [&](const char* name, TensorId from, int part, const SequenceLayout& layout,
                            Axis axis, Matrix<T> values, Matrix<T> gradient,
                            const char* operation = "linear") {
      const int first = part * d_model_ + h * d_head();
      const Parameter<T> weight = in_proj_.weight().row_range(first, d_head());
      return rows(name, operation, {from, weight, in_proj_.bias().column_range(first, d_head())},
                  layout, axis, values, gradient);
    };
    const auto turned = [&](const char* name, const char* before, int part, Matrix<T> values,
                            Matrix<T> gradient) {
      const auto columns_of = [&](Matrix<T> both) {
        return both.empty() ? both : both.column_range(part * d_model_, d_model_);
      };
      const Matrix<T> unturned = columns_of(cache.unturned);
      if (unturned.empty()) {
        return linear(name, x, part, *cache.queries, queries, values, gradient,
                      positions_.rotary != nullptr ? "linear, rotary positions" : "linear");
      }
      const TensorId straight =
          linear(before, x, part, *cache.queries, queries, unturned, gradient);
      return rows(name, "rotary positions", {straight}, *cache.queries, queries, values,
                  columns_of(cache.d_turned));
    };
    const TensorId query = turned("query", "projected_query", 0, cache.query, cache.d_query);
    const TensorId key = self ? turned("key", "projected_key", 1, cache.key, cache.d_key)
                              : linear("key", m, 1, *cache.keys, keys, cache.key, cache.d_key);
    const TensorId value = linear("value", m, 2, *cache.keys, keys, cache.value, cache.d_value);
    const TensorId raw = block("raw_scores", "query key^T", {query, key}, cache.raw_scores, {});
    const bool biased = kept && positions_.alibi != nullptr;
    const TensorId bias_by_distance = visitor.tensor(
        "position_bias", "-slope * distance", typename PassVisitor<T>::Inputs{}, queries, keys,
        biased ? positions_.alibi->bias(h, 0, queries.size, keys.size) : ConstMatrix<T>());
    const TensorId scores = block(
        "scores",
        biased ? "query key^T / sqrt(d_head) + position bias" : "query key^T / sqrt(d_head)",
        {query, key, bias_by_distance, raw}, kept ? cache.scores : std::span<T>(), cache.d_scores);
    TensorId used = block("weights", "softmax", {scores}, cache.weights, cache.d_weights);
    if (cache.dropped.data() != cache.weights.data()) {
      used = block("dropped", "dropout", {used}, cache.dropped, {});
    }
    contexts.emplace_back(rows("context", "weights value", {used, value}, *cache.queries, queries,
                               cache.context, cache.d_context));
  }
  const TensorId context = visitor.rows("context", "heads side by side", contexts,
                                        AxisKind::feature, cache.context, cache.d_context);
  return visitor.rows("output", output.dropped ? "linear, dropout" : "linear",
                      {context, out_proj_.weight(), out_proj_.bias()}, AxisKind::feature,
                      output.values, output.gradient);
}

template TensorId Attention<float>::describe(PassVisitor<float>&, const Cache&, TensorId, TensorId,
                                             const SublayerOutput<float>&) const;
template TensorId Attention<double>::describe(PassVisitor<double>&, const Cache&, TensorId,
                                              TensorId, const SublayerOutput<double>&) const;

}  // namespace tp
