#include "engine/inspect/trace.h"

#include <algorithm>
#include <utility>

namespace tp {
namespace {

using Paths = std::vector<std::string>;

// Collects forward tensors with their gradients; the inputs of a gradient follow from who used the
// tensor.
template <class T>
class Tracer {
 public:
  Tracer(const Transformer<T>& model, const Activations<T>& activations, const Batch<T>& batch,
         int sequence)
      : model_(model), config_(model.config()), a_(activations), batch_(batch), s_(sequence) {}

  void walk() {
    std::string memory;
    if (config_.has_encoder()) {
      side_ = AxisKind::source_token;
      layout_ = &batch_.source_layout;
      const std::string x = input("source", "src", a_.source, config_.input);
      const Matrix<T> d_output = config_.has_decoder() ? a_.d_memory : a_.head.d_input;
      memory = encoder_stack("encoder", model_.encoder(), a_.encoder, x, d_output);
    }
    std::string last = memory;
    if (config_.has_decoder()) {
      side_ = AxisKind::target_token;
      layout_ = &batch_.target_layout;
      const std::string x = input("target", "tgt", a_.target, InputKind::tokens);
      last = config_.has_encoder() ? decoder_stack(x, memory)
                                   : encoder_stack("decoder", model_.decoder_alone(),
                                                   a_.decoder_alone, x, a_.head.d_input);
    }
    head(last);
  }

  std::vector<TracedTensor<T>> take(TraceParts parts) {
    std::vector<TracedTensor<T>> list = forward_;
    if (parts == TraceParts::forward) return list;
    for (std::size_t i = forward_.size(); i-- > 0;) {
      if (gradients_[i].data == nullptr) continue;
      TracedTensor<T> d = forward_[i];
      d.path = gradient_path(d.path);
      d.values = gradients_[i];
      d.operation = "gradient of the loss";
      d.inputs.clear();
      for (std::size_t user = i + 1; user < forward_.size(); ++user) {
        const Paths& used = forward_[user].inputs;
        if (std::find(used.begin(), used.end(), forward_[i].path) == used.end()) continue;
        d.operation = "backward of " + forward_[user].operation;
        if (gradients_[user].data != nullptr)
          d.inputs.push_back(gradient_path(forward_[user].path));
        d.inputs.push_back(forward_[user].path);
      }
      list.push_back(std::move(d));
    }
    return list;
  }

 private:
  static std::string gradient_path(const std::string& path) {
    const std::size_t last = path.rfind('.') + 1;
    return path.substr(0, last) + "d_" + path.substr(last);
  }

  void add(std::string path, std::string operation, Paths inputs, Axis rows, Axis columns,
           ConstMatrix<T> values, ConstMatrix<T> gradient) {
    forward_.push_back(
        {std::move(path), std::move(operation), std::move(inputs), rows, columns, values});
    gradients_.push_back(gradient);
  }

  // A [tokens, columns] matrix of the side that is being walked; the rows of this sequence.
  ConstMatrix<T> rows_of(ConstMatrix<T> m) const {
    return m.data == nullptr ? m : m.row_range(layout_->begin(s_), layout_->length(s_));
  }
  void add_rows(std::string path, std::string operation, Paths inputs, AxisKind columns,
                ConstMatrix<T> values, ConstMatrix<T> gradient = {}) {
    const ConstMatrix<T> rows = rows_of(values);
    add(std::move(path), std::move(operation), std::move(inputs), {side_, rows.rows},
        {columns, rows.columns}, rows, rows_of(gradient));
  }

  // name, or nothing where the model has no such parameter.
  Paths parameters(std::initializer_list<std::string> names) const {
    Paths present;
    for (const std::string& name : names) {
      if (model_.parameters().find(name) != nullptr) present.push_back(name);
    }
    return present;
  }
  static Paths joined(Paths a, const Paths& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }
  std::string dropped(const char* operation) const {
    return config_.dropout > 0 ? std::string(operation) + ", dropout" : operation;
  }

  std::string input(const std::string& path, const std::string& parameter,
                    const typename Input<T>::Cache& cache, InputKind kind) {
    add_rows(path + ".embedded", kind == InputKind::tokens ? "embedding" : "linear",
             parameters({parameter + "_embed.weight", parameter + "_embed.bias"}),
             AxisKind::feature, cache.embedded, cache.d_embedded);
    Paths summands = {path + ".embedded"};
    if (cache.positions.data != nullptr) {
      add_rows(path + ".positions", "position table", parameters({parameter + "_pos.weight"}),
               AxisKind::feature, cache.positions);
      summands.push_back(path + ".positions");
    }
    add_rows(path + ".output", dropped(summands.size() > 1 ? "add" : "copy"), summands,
             AxisKind::feature, cache.output, cache.d_output);
    return path + ".output";
  }

  std::string norm(const std::string& path, const std::string& parameter, const std::string& x,
                   const typename LayerNorm<T>::Cache& cache, ConstMatrix<T> output,
                   ConstMatrix<T> d_output) {
    const int n = static_cast<int>(cache.mean.size());
    add_rows(path + ".mean", "mean", {x}, AxisKind::one, {cache.mean.data(), n, 1});
    add_rows(path + ".inverse_std", "1 / sqrt(variance + eps)", {x}, AxisKind::one,
             {cache.inverse_std.data(), n, 1});
    add_rows(path + ".output", "layer norm",
             joined({x}, parameters({parameter + ".weight", parameter + ".bias"})),
             AxisKind::feature, output, d_output);
    return path + ".output";
  }

  // What a sublayer reads: norm(x) in pre-norm, x itself in post-norm.
  std::string before(const std::string& layer, const std::string& parameter, const std::string& n,
                     const std::string& x, const typename Residual<T>::Cache& cache) {
    if (config_.norm == NormPlacement::post) return x;
    return norm(layer + ".norm" + n, parameter + ".norm" + n, x, cache.norm, cache.normed,
                cache.d_normed);
  }
  // From the sublayer's output to what the next one reads.
  std::string after(const std::string& layer, const std::string& parameter, const std::string& n,
                    const std::string& x, const std::string& branch,
                    const typename Residual<T>::Cache& cache, ConstMatrix<T> y,
                    ConstMatrix<T> d_y) {
    const std::string sum = layer + ".residual" + n;
    if (config_.norm == NormPlacement::pre) {
      add_rows(sum, "add", {x, branch}, AxisKind::feature, y, d_y);
      return sum;
    }
    add_rows(sum, "add", {x, branch}, AxisKind::feature, cache.sum, cache.d_sum);
    return norm(layer + ".norm" + n, parameter + ".norm" + n, sum, cache.norm, y, d_y);
  }

  // x of the queries, m of the keys and values (the same in self-attention).
  std::string attention(const std::string& path, const std::string& parameter,
                        const Attention<T>& layer, const typename Attention<T>::Cache& cache,
                        const std::string& x, const std::string& m, AxisKind key_side,
                        const typename Residual<T>::Cache& residual) {
    const Paths in_proj = parameters({parameter + ".in_proj_weight", parameter + ".in_proj_bias"});
    const bool rotary = config_.positions == PositionKind::rotary && x == m;
    const int queries = cache.queries->length(s_), keys = cache.keys->length(s_);
    const Axis query_axis{side_, queries}, key_axis{key_side, keys};
    const Axis columns{AxisKind::head_feature, layer.d_head()};
    const bool kept = cache.d_context.data != nullptr;
    Paths contexts;
    for (int h = 0; h < layer.heads(); ++h) {
      const std::string head = path + ".head." + std::to_string(h);
      const auto side_by_side = [&](const char* name, const std::string& from,
                                    const char* operation, const SequenceLayout& layout, Axis rows,
                                    Matrix<T> values, Matrix<T> gradient) {
        add(head + name, operation, joined({from}, in_proj), rows, columns,
            layer.of_head(values, layout, s_, h),
            kept ? ConstMatrix<T>(layer.of_head(gradient, layout, s_, h)) : ConstMatrix<T>());
      };
      const char* turned = rotary ? "linear, rotary positions" : "linear";
      side_by_side(".query", x, turned, *cache.queries, query_axis, cache.query, cache.d_query);
      side_by_side(".key", m, turned, *cache.keys, key_axis, cache.key, cache.d_key);
      side_by_side(".value", m, "linear", *cache.keys, key_axis, cache.value, cache.d_value);
      const auto block = [&](const char* name, const char* operation, Paths from,
                             std::span<T> values, std::span<T> gradient) {
        add(head + name, operation, std::move(from), query_axis, key_axis,
            layer.of_head(values, cache, s_, h),
            kept && !gradient.empty() ? ConstMatrix<T>(layer.of_head(gradient, cache, s_, h))
                                      : ConstMatrix<T>());
      };
      block(".scores", "query key^T / sqrt(d_head)", {head + ".query", head + ".key"}, cache.scores,
            cache.d_scores);
      block(".weights", "softmax", {head + ".scores"}, cache.weights, cache.d_weights);
      std::string used = head + ".weights";
      if (cache.dropped.data() != cache.weights.data()) {
        used = head + ".dropped";
        block(".dropped", "dropout", {head + ".weights"}, cache.dropped, {});
      }
      add(head + ".context", "weights value", {used, head + ".value"}, query_axis, columns,
          layer.of_head(cache.context, *cache.queries, s_, h),
          kept ? ConstMatrix<T>(layer.of_head(cache.d_context, *cache.queries, s_, h))
               : ConstMatrix<T>());
      contexts.push_back(head + ".context");
    }
    add_rows(path + ".context", "heads side by side", contexts, AxisKind::feature, cache.context,
             cache.d_context);
    add_rows(path + ".output", dropped("linear"),
             joined({path + ".context"},
                    parameters({parameter + ".out_proj.weight", parameter + ".out_proj.bias"})),
             AxisKind::feature, residual.branch, residual.d_branch);
    return path + ".output";
  }

  std::string feed_forward(const std::string& layer, const std::string& parameter,
                           const std::string& x, const typename FeedForward<T>::Cache& cache,
                           const typename Residual<T>::Cache& residual) {
    const std::string path = layer + ".feed_forward";
    add_rows(path + ".hidden", "linear",
             joined({x}, parameters({parameter + ".linear1.weight", parameter + ".linear1.bias"})),
             AxisKind::hidden_feature, cache.hidden, cache.d_hidden);
    add_rows(path + ".activated", dropped(config_.activation == Activation::relu ? "relu" : "gelu"),
             {path + ".hidden"}, AxisKind::hidden_feature, cache.activated, cache.d_activated);
    add_rows(path + ".output", dropped("linear"),
             joined({path + ".activated"},
                    parameters({parameter + ".linear2.weight", parameter + ".linear2.bias"})),
             AxisKind::feature, residual.branch, residual.d_branch);
    return path + ".output";
  }

  // The gradient of what a layer of a stack gives: the next layer's input, or what ends the stack.
  template <class Cache>
  static ConstMatrix<T> gradient_after(const Cache& stack, std::size_t layer,
                                       ConstMatrix<T> d_output) {
    if (layer + 1 < stack.layers.size()) return stack.layers[layer + 1].d_input;
    return stack.normed.data != nullptr ? ConstMatrix<T>(stack.d_normed_input) : d_output;
  }

  template <class Cache>
  std::string finish_stack(const std::string& name, const Cache& stack, std::string x,
                           ConstMatrix<T> d_output) {
    if (stack.normed.data == nullptr) return x;
    return norm(name + ".norm", name + ".norm", x, stack.norm, stack.normed, d_output);
  }

  std::string encoder_stack(const std::string& name, const Encoder<T>& encoder,
                            const typename Encoder<T>::Cache& stack, std::string x,
                            ConstMatrix<T> d_output) {
    for (std::size_t i = 0; i < stack.layers.size(); ++i) {
      const std::string path = name + "." + std::to_string(i);
      const std::string parameter = name + ".layers." + std::to_string(i);
      const auto& cache = stack.layers[i];
      std::string in = before(path, parameter, "1", x, cache.residual1);
      std::string branch = attention(path + ".self_attn", parameter + ".self_attn",
                                     encoder.layers()[i].self_attention(), cache.self_attention, in,
                                     in, side_, cache.residual1);
      x = after(path, parameter, "1", x, branch, cache.residual1, cache.middle, cache.d_middle);
      in = before(path, parameter, "2", x, cache.residual2);
      branch = feed_forward(path, parameter, in, cache.feed_forward, cache.residual2);
      x = after(path, parameter, "2", x, branch, cache.residual2, cache.output,
                gradient_after(stack, i, d_output));
    }
    return finish_stack(name, stack, x, d_output);
  }

  std::string decoder_stack(std::string x, const std::string& memory) {
    const auto& stack = a_.decoder;
    const ConstMatrix<T> d_output = a_.head.d_input;
    for (std::size_t i = 0; i < stack.layers.size(); ++i) {
      const std::string path = "decoder." + std::to_string(i);
      const std::string parameter = "decoder.layers." + std::to_string(i);
      const auto& layer = model_.decoder().layers()[i];
      const auto& cache = stack.layers[i];
      std::string in = before(path, parameter, "1", x, cache.residual1);
      std::string branch =
          attention(path + ".self_attn", parameter + ".self_attn", layer.self_attention(),
                    cache.self_attention, in, in, side_, cache.residual1);
      x = after(path, parameter, "1", x, branch, cache.residual1, cache.attended, cache.d_attended);
      in = before(path, parameter, "2", x, cache.residual2);
      branch =
          attention(path + ".cross_attn", parameter + ".multihead_attn", layer.cross_attention(),
                    cache.cross_attention, in, memory, AxisKind::source_token, cache.residual2);
      x = after(path, parameter, "2", x, branch, cache.residual2, cache.crossed, cache.d_crossed);
      in = before(path, parameter, "3", x, cache.residual3);
      branch = feed_forward(path, parameter, in, cache.feed_forward, cache.residual3);
      x = after(path, parameter, "3", x, branch, cache.residual3, cache.output,
                gradient_after(stack, i, d_output));
    }
    return finish_stack("decoder", stack, x, d_output);
  }

  void head(const std::string& x) {
    const auto& cache = a_.head;
    const Paths weights = parameters({"generator.weight", "generator.bias"});
    const Axis outputs{AxisKind::output, cache.logits.columns}, one{AxisKind::one, 1};
    const bool pools = config_.head != HeadKind::tokens;
    const int first = pools ? s_ : layout_->begin(s_), count = pools ? 1 : layout_->length(s_);
    const Axis rows = pools ? one : Axis{side_, count};
    const auto part = [&](ConstMatrix<T> m) {
      return m.data == nullptr ? m : m.row_range(first, count);
    };
    if (pools) {
      add("head.pooled",
          config_.pooling == PoolingKind::mean ? "mean of the tokens" : "first token", {x}, one,
          {AxisKind::feature, config_.d_model}, part(cache.pooled), part(cache.d_pooled));
    }
    add("head.logits", "linear", joined({pools ? std::string("head.pooled") : x}, weights), rows,
        outputs, part(cache.logits), part(cache.d_logits));
    if (config_.head == HeadKind::regression || cache.cross_entropy.labels.empty()) return;
    add("head.probabilities", "softmax", {"head.logits"}, rows, outputs,
        part(cache.cross_entropy.probabilities), {});
    add("head.losses", "cross-entropy", {"head.logits"}, rows, one,
        {cache.cross_entropy.losses.data() + first, count, 1}, {});
  }

  const Transformer<T>& model_;
  const ModelConfig& config_;
  const Activations<T>& a_;
  const Batch<T>& batch_;
  const int s_;
  AxisKind side_ = AxisKind::source_token;
  const SequenceLayout* layout_ = nullptr;
  std::vector<TracedTensor<T>> forward_;
  std::vector<ConstMatrix<T>> gradients_;  // of the tensors of forward_; null where there is none
};

}  // namespace

std::string_view name_of(AxisKind kind) {
  switch (kind) {
    case AxisKind::source_token:
      return "source token";
    case AxisKind::target_token:
      return "target token";
    case AxisKind::feature:
      return "feature";
    case AxisKind::head_feature:
      return "head feature";
    case AxisKind::hidden_feature:
      return "hidden feature";
    case AxisKind::output:
      return "output";
    case AxisKind::one:
      return "one";
  }
  return "";
}

template <class T>
std::vector<TracedTensor<T>> trace(const Transformer<T>& model, const Activations<T>& activations,
                                   const Batch<T>& batch, int sequence, TraceParts parts) {
  TP_CHECK(sequence >= 0 && sequence < batch.head_layout(model.config()).sequences(),
           "no such sequence in the batch");
  TP_CHECK(activations.gradient_memory == GradientMemory::kept,
           "everything is kept only by activations made with GradientMemory::kept");
  Tracer<T> tracer(model, activations, batch, sequence);
  tracer.walk();
  return tracer.take(parts);
}

template std::vector<TracedTensor<float>> trace(const Transformer<float>&,
                                                const Activations<float>&, const Batch<float>&, int,
                                                TraceParts);
template std::vector<TracedTensor<double>> trace(const Transformer<double>&,
                                                 const Activations<double>&, const Batch<double>&,
                                                 int, TraceParts);

}  // namespace tp
