#include "engine/model/head.h"

namespace tp {
namespace {

// The embedding of the tokens that it predicts, where they are tied.
template <class T>
Linear<T> make_generator(LayerBuilder<T>& builder) {
  const ModelConfig& config = builder.config;
  builder.enter("generator", 0);
  if (config.tying == Tying::none) {
    return builder.linear("", config.head_outputs(), config.d_model);
  }
  const char* embedding = config.has_decoder() ? "tgt_embed.weight" : "src_embed.weight";
  const auto weight = builder.tied("weight", config.head_outputs(), config.d_model, embedding);
  return Linear<T>(builder.kernels, weight, builder.bias("bias", config.head_outputs()));
}

}  // namespace

template <class T>
Head<T>::Head(LayerBuilder<T>& builder)
    : kind_(builder.config.head),
      d_model_(builder.config.d_model),
      pooling_(builder.kernels, builder.config.pooling),
      generator_(make_generator(builder)),
      cross_entropy_(builder.kernels, static_cast<T>(builder.config.label_smoothing)),
      squared_error_(builder.kernels) {}

template <class T>
void Head<T>::prepare(Arena& arena, const SequenceLayout& layout, Cache& cache) const {
  const bool pools = kind_ != HeadKind::tokens;
  const int rows = pools ? layout.sequences() : layout.tokens();
  cache.pooled = pools ? arena.matrix<T>(rows, d_model_) : Matrix<T>();
  cache.logits = arena.matrix<T>(rows, generator_.outputs());
  if (kind_ != HeadKind::regression) {
    cross_entropy_.prepare(arena, rows, generator_.outputs(), cache.cross_entropy);
  }
  cache.squared_error = {};
}

template <class T>
void Head<T>::prepare_gradients(Arena& arena, const SequenceLayout& layout, Cache& cache) const {
  cache.d_logits = arena.matrix<T>(cache.logits.rows, cache.logits.columns);
  cache.d_pooled = arena.matrix<T>(cache.pooled.rows, cache.pooled.columns);
  cache.d_input = arena.matrix<T>(layout.tokens(), d_model_);
}

template <class T>
void Head<T>::forward(ConstMatrix<T> x, const SequenceLayout& layout, Cache& cache) const {
  if (kind_ == HeadKind::tokens) {
    generator_.forward(x, cache.logits, cache.generator);
  } else {
    pooling_.forward(x, layout, cache.pooled, cache.pooling);
    generator_.forward(cache.pooled, cache.logits, cache.generator);
  }
}

template <class T>
void Head<T>::measure(const Batch<T>& batch, Cache& cache) const {
  cache.loss =
      kind_ == HeadKind::regression
          ? squared_error_.forward(cache.logits.flat(), batch.target_values, cache.squared_error)
          : cross_entropy_.forward(cache.logits, batch.labels, cache.cross_entropy);
}

template <class T>
void Head<T>::backward(Cache& cache, T loss_scale) const {
  // loss = cross_entropy(logits)   or   squared_error(logits)
  if (kind_ == HeadKind::regression) {
    squared_error_.backward(cache.squared_error, cache.d_logits.flat(), loss_scale);
  } else {
    cross_entropy_.backward(cache.cross_entropy, cache.d_logits, loss_scale);
  }
  // logits = x W^T + b   or   pool(x) W^T + b
  if (kind_ == HeadKind::tokens) {
    generator_.backward(cache.d_logits, cache.generator, cache.d_input);
  } else {
    generator_.backward(cache.d_logits, cache.generator, cache.d_pooled);
    pooling_.backward(cache.d_pooled, cache.pooling, cache.d_input);
  }
}

template <class T>
TensorId Head<T>::describe(PassVisitor<T>& visitor, const Cache& cache, TensorId x,
                           const SequenceLayout& layout) const {
  const bool pools = kind_ != HeadKind::tokens;
  const int s = visitor.sequence();
  const int first = pools ? s : layout.begin(s), count = pools ? 1 : layout.length(s);
  const Axis one{AxisKind::one, 1}, outputs{AxisKind::output, cache.logits.columns};
  const Axis rows = pools ? one : Axis{visitor.tokens(), count};
  const auto part = [&](ConstMatrix<T> m) { return m.empty() ? m : m.row_range(first, count); };
  if (pools) {
    x = visitor.tensor("pooled", pooling_.operation(), {x}, one, {AxisKind::feature, d_model_},
                       part(cache.pooled), part(cache.d_pooled));
  }
  const TensorId logits =
      visitor.tensor("logits", "linear", {x, generator_.weight(), generator_.bias()}, rows, outputs,
                     part(cache.logits), part(cache.d_logits));
  // Of several sequences the loss is one number for all of them.
  const bool alone = layout.sequences() == 1;
  const auto loss = [&](const char* operation, std::initializer_list<TensorInput> from) {
    visitor.tensor("loss", operation, from, one, one, {alone ? &cache.loss : nullptr, 1, 1});
  };
  if (kind_ == HeadKind::regression) {
    const std::span<const T> target = cache.squared_error.target;
    if (target.empty()) return logits;
    const TensorId targets =
        visitor.tensor("targets", "input", typename PassVisitor<T>::Inputs{}, rows, outputs,
                       part({target.data(), cache.logits.rows, cache.logits.columns}));
    loss("mean squared error", {logits, targets});
    return logits;
  }
  if (cache.cross_entropy.labels.empty()) return logits;
  visitor.tensor("probabilities", "softmax", {logits}, rows, outputs,
                 part(cache.cross_entropy.probabilities));
  const TensorId losses = visitor.tensor("losses", "cross-entropy", {logits}, rows, one,
                                         {cache.cross_entropy.losses.data() + first, count, 1});
  loss("mean of the losses", {losses});
  return logits;
}

template class Head<float>;
template class Head<double>;

}  // namespace tp
