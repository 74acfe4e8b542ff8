#include "engine/inspect/explain_rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "engine/core/maths.h"
#include "engine/layers/positions.h"

namespace tp {
namespace {

float number(const Explanation& e, std::string_view name) {
  return static_cast<float>(number_called(e, name));
}

// ------------------------------------------------------------------------------ products and sums

float product(const Explanation&, const ExplainedTerm& t) { return t.value * t.factor; }
float itself(const Explanation&, const ExplainedTerm& t) { return t.value; }
float finish_sum(const Explanation&, float sum) { return sum; }

// y[i,o] = b[o] + sum_k x[i,k] w[o,k]
const char* read_linear(Reading& r) {
  const bool biased = r.has(2);
  if (biased) r.read("b", 2, 0, r.column());
  for (int k = 0; k < r.input(0).columns; ++k) r.read_product(0, r.row(), k, 1, r.column(), k);
  r.sums_products();
  return biased ? "{b} + {sum}" : "{sum}";
}

// raw_scores[i,j] = sum_c query[i,c] key[j,c]
const char* read_scores(Reading& r) {
  for (int c = 0; c < r.input(0).columns; ++c) r.read_product(0, r.row(), c, 1, r.column(), c);
  r.sums_products();
  return "{sum}";
}

// context[i,c] = sum_j weights[i,j] value[j,c]
const char* read_context(Reading& r) {
  for (int j = 0; j < r.input(0).columns; ++j) r.read_product(0, r.row(), j, 1, j, r.column());
  r.sums_products();
  return "{sum}";
}

// scores = raw_scores / sqrt(d_head) + bias, and minus infinity where a query must not look
const char* read_scaled(Reading& r) {
  constexpr float kHidden = -std::numeric_limits<float>::infinity();
  const bool biased = r.has(2), hidden = r.value() == kHidden;
  r.read("raw", 3, r.row(), r.column());
  r.constant("scale", 1.0f / maths::sqrt(static_cast<float>(r.config().d_head())));
  if (biased) r.read("bias", 2, r.row(), r.column());
  if (hidden) r.constant("mask", kHidden);
  if (hidden) return biased ? "{raw} * {scale} + {bias} + {mask}" : "{raw} * {scale} + {mask}";
  return biased ? "{raw} * {scale} + {bias}" : "{raw} * {scale}";
}
float finish_scaled(const Explanation& e, float) {
  float score = number(e, "scale") * number(e, "raw");
  if (has_number(e, "bias")) score += number(e, "bias");
  return has_number(e, "mask") ? score + number(e, "mask") : score;
}

const char* read_add(Reading& r) {
  r.read("a", 0, r.row(), r.column());
  r.read("b", 1, r.row(), r.column());
  return "{a} + {b}";
}
float finish_add(const Explanation& e, float) { return number(e, "a") + number(e, "b"); }

const char* read_copy(Reading& r) {
  r.read("x", 0, r.row(), r.column());
  return "{x}";
}
float finish_copy(const Explanation& e, float) { return number(e, "x"); }

const char* read_side_by_side(Reading& r) {
  const int d_head = r.config().d_head();
  r.read("x", r.column() / d_head, r.row(), r.column() % d_head);
  return "{x}";
}

// ---------------------------------------------------------------------------------------- softmax

void read_largest(Reading& r, int row) {
  const ConstMatrix<float> x = r.input(0);
  r.constant("max", *std::max_element(x.row(row), x.row(row) + x.columns));
}

// weights[j] = exp(x[j] - max) * (1 / sum_k exp(x[k] - max)). Partial sums are counted from the
// first key that the query may see; the keys before it add nothing.
const char* read_softmax(Reading& r) {
  r.read_row(0, r.row());
  read_largest(r, r.row());
  if (r.tensor().rows.kind == r.tensor().columns.kind) {
    const AttentionMask mask{r.config().sparsity, r.config().reach, false};
    const int first = mask.range(r.row(), r.input(0).columns).begin;
    if (first > 0) r.constant("first", first);
  }
  return "exp({own} - {max}) * (1 / {sum})";
}
float exponential(const Explanation& e, const ExplainedTerm& t) {
  return maths::exp(t.value - number(e, "max"));
}
float finish_softmax(const Explanation& e, float sum) {
  return exponential(e, *own_term(e)) * (1.0f / sum);
}

// ------------------------------------------------------------------------------------------ norms

const char* read_mean(Reading& r) {
  r.read_row(0, r.row());
  r.constant("columns", r.input(0).columns);
  return "{sum} / {columns}";
}
float finish_mean(const Explanation& e, float sum) { return sum / number(e, "columns"); }

const char* read_inverse_root(Reading& r) {
  if (r.has(1)) r.read("mean", 1, r.row(), 0);
  read_mean(r);
  r.constant("eps", static_cast<float>(r.config().norm_eps));
  return "1 / sqrt({sum} / {columns} + {eps})";
}
float squared_deviation(const Explanation& e, const ExplainedTerm& t) {
  const float mean = number(e, "mean");
  return (t.value - mean) * (t.value - mean);
}
float square(const Explanation&, const ExplainedTerm& t) { return t.value * t.value; }
float finish_inverse_root(const Explanation& e, float sum) {
  return 1.0f / maths::sqrt(sum / number(e, "columns") + number(e, "eps"));
}

const char* read_layer_norm(Reading& r) {
  r.read("gamma", 3, 0, r.column());
  r.read("x", 0, r.row(), r.column());
  r.read("mean", 1, r.row(), 0);
  r.read("inverse_std", 2, r.row(), 0);
  if (!r.has(4)) return "{gamma} * (({x} - {mean}) * {inverse_std})";
  r.read("beta", 4, 0, r.column());
  return "{gamma} * (({x} - {mean}) * {inverse_std}) + {beta}";
}
float finish_layer_norm(const Explanation& e, float) {
  const float normed = (number(e, "x") - number(e, "mean")) * number(e, "inverse_std");
  return number(e, "gamma") * normed + (has_number(e, "beta") ? number(e, "beta") : 0.0f);
}

const char* read_rms_norm(Reading& r) {
  r.read("gamma", 2, 0, r.column());
  r.read("x", 0, r.row(), r.column());
  r.read("inverse_rms", 1, r.row(), 0);
  return "{gamma} * ({x} * {inverse_rms})";
}
float finish_rms_norm(const Explanation& e, float) {
  return number(e, "gamma") * (number(e, "x") * number(e, "inverse_rms"));
}

// ------------------------------------------------------------------------------------ activations

const char* read_relu(Reading& r) {
  read_copy(r);
  return "max({x}, 0)";
}
float finish_relu(const Explanation& e, float) {
  const float x = number(e, "x");
  return x < 0.0f ? 0.0f : x;
}

const char* read_gelu(Reading& r) {
  read_copy(r);
  r.constant("1/sqrt(2)", 0.70710678118654752440f);
  return "{x} * (0.5 * (1 + erf({x} * {1/sqrt(2)})))";
}
float finish_gelu(const Explanation& e, float) {
  const float x = number(e, "x");
  return x * (0.5f * (1.0f + maths::erf(x * number(e, "1/sqrt(2)"))));
}

// -------------------------------------------------------------------------- embedding, positions

const char* read_embedding(Reading& r) {
  const ModelConfig& config = r.config();
  const Batch<float>& batch = r.pass().batch;
  const bool source = r.tensor().rows.kind == AxisKind::source_token;
  const SequenceLayout& layout = source ? batch.source_layout : batch.target_layout;
  const int place = layout.begin(r.pass().sequence) + r.row();
  r.read("x", 0, (source ? batch.source_ids : batch.target_ids)[place], r.column());
  r.constant("scale", config.scale_embedding ? maths::sqrt(float(config.d_model)) : 1.0f);
  return "{scale} * {x}";
}
float finish_embedding(const Explanation& e, float) { return number(e, "scale") * number(e, "x"); }

// A row of the learned table, or sin(position * frequency) and its cosine (positions.h).
const char* read_positions(Reading& r) {
  if (r.is_parameter(0)) return read_copy(r);
  const ModelConfig& config = r.config();
  r.constant("position", r.row());
  r.constant("frequency", position_frequency(r.column(), config.d_model, config.position_base));
  return r.column() % 2 == 0 ? "sin({position} * {frequency})" : "cos({position} * {frequency})";
}
float finish_positions(const Explanation& e, float) {
  if (has_number(e, "x")) return finish_copy(e, 0);
  const double angle = number_called(e, "position") * number_called(e, "frequency");
  return static_cast<float>(e.column % 2 == 0 ? maths::sin(angle) : maths::cos(angle));
}

// (even, odd) turned by position * frequency (rotary.h).
const char* read_rotary(Reading& r) {
  const ModelConfig& config = r.config();
  const int pair = r.column() / 2;
  const double frequency = position_frequency(2 * pair, config.d_head(), config.position_base);
  r.read("even", 0, r.row(), 2 * pair);
  r.read("odd", 0, r.row(), 2 * pair + 1);
  r.constant("cos", static_cast<float>(maths::cos(r.row() * frequency)));
  r.constant("sin", static_cast<float>(maths::sin(r.row() * frequency)));
  return r.column() % 2 == 0 ? "{even} * {cos} - {odd} * {sin}" : "{even} * {sin} + {odd} * {cos}";
}
float finish_rotary(const Explanation& e, float) {
  const float even = number(e, "even"), odd = number(e, "odd");
  const float cosine = number(e, "cos"), sine = number(e, "sin");
  return e.column % 2 == 0 ? even * cosine - odd * sine : even * sine + odd * cosine;
}

const char* read_distance(Reading& r) {
  constexpr std::string_view kHead = ".head.";
  const std::string& path = r.tensor().path;
  const int head = std::atoi(path.c_str() + path.find(kHead) + kHead.size());
  r.constant("slope", Alibi<float>::slope(head, r.config().heads));
  r.constant("distance", std::abs(r.row() - r.column()));
  return "0 - {slope} * {distance}";
}
float finish_distance(const Explanation& e, float) {
  return static_cast<float>(0.0 - number_called(e, "slope") * number_called(e, "distance"));
}

// ------------------------------------------------------------------------------- pooling and loss

const char* read_mean_of_tokens(Reading& r) {
  const ConstMatrix<float> x = r.input(0);
  for (int i = 0; i < x.rows; ++i) r.read("x", 0, i, r.column());
  r.sums(SumOrder::in_order);
  r.constant("scale", 1.0f / static_cast<float>(x.rows));
  return "{sum} * {scale}";
}
float finish_scaled_sum(const Explanation& e, float sum) { return number(e, "scale") * sum; }

const char* read_first_token(Reading& r) {
  r.read("x", 0, 0, r.column());
  return "{x}";
}

// -log p = log(sum) - (x - max), of the label, and with smoothing a share of those of all
float log_loss(const Explanation& e, float log_sum, const ExplainedTerm& t) {
  return log_sum - (t.value - number(e, "max"));
}
float sum_of_log_losses(const Explanation& e) {
  const float log_sum = maths::log(sum_of(e, exponential));
  Explanation losses = e;
  for (ExplainedTerm& t : losses.terms) t.value = log_loss(e, log_sum, t);
  return sum_of(losses, itself);
}
const char* read_cross_entropy(Reading& r) {
  const Batch<float>& batch = r.pass().batch;
  const bool each_token = r.config().head == HeadKind::tokens;
  const int sequence = r.pass().sequence;
  const int place = each_token ? batch.head_layout(r.config()).begin(sequence) + r.row() : sequence;
  if (batch.labels[place] == kIgnoredLabel) return "0";
  r.read_row(0, r.row());
  read_largest(r, r.row());
  r.constant("label", batch.labels[place]);
  r.constant("columns", r.input(0).columns);
  r.constant("smoothing", static_cast<float>(r.config().label_smoothing));
  r.constant("sum(-log p)", sum_of_log_losses(r.made()));
  return r.config().label_smoothing == 0
             ? "log({sum}) - ({own} - {max})"
             : "(1 - {smoothing}) * (log({sum}) - ({own} - {max})) + {smoothing} / {columns} * "
               "{sum(-log p)}";
}
float finish_cross_entropy(const Explanation& e, float sum) {
  if (e.terms.empty()) return 0;
  const float smoothing = number(e, "smoothing");
  return (1.0f - smoothing) * log_loss(e, maths::log(sum), *own_term(e)) +
         smoothing / number(e, "columns") * number(e, "sum(-log p)");
}

const char* read_mean_of_losses(Reading& r) {
  const ConstMatrix<float> x = r.input(0);
  for (int i = 0; i < x.rows; ++i) r.read("x", 0, i, 0);
  r.sums(SumOrder::sixteen);
  r.constant("counted", r.pass().activations.head.cross_entropy.counted);
  return "{sum} / {counted}";
}
float finish_mean_of_losses(const Explanation& e, float sum) {
  return number(e, "counted") == 0 ? 0.0f : sum / number(e, "counted");
}

const char* read_squared_error(Reading& r) {
  read_mean(r);
  for (int j = 0; j < r.input(1).columns; ++j) r.read("target", 1, 0, j);
  return "{sum} / {columns}";
}
float squared_difference(const Explanation& e, const ExplainedTerm& t) {
  const auto target = static_cast<float>(number_called(e, "target", t.column));
  return (t.value - target) * (t.value - target);
}

const char* read_nothing(Reading&) { return ""; }

// ---------------------------------------------------------------------------------------- the list

constexpr const char* kProduct = "{x} * {w}";
constexpr const char* kNone = nullptr;

constexpr std::array kRules = std::to_array<ExplainRule>({
    {"input", read_nothing, kNone, nullptr, nullptr},
    {"embedding", read_embedding, kNone, nullptr, finish_embedding},
    {"position table", read_positions, kNone, nullptr, finish_positions},
    {"add", read_add, kNone, nullptr, finish_add},
    {"copy", read_copy, kNone, nullptr, finish_copy},
    {"linear", read_linear, kProduct, product, finish_sum},
    {"rotary positions", read_rotary, kNone, nullptr, finish_rotary},
    {"query key^T", read_scores, kProduct, product, finish_sum},
    {"-slope * distance", read_distance, kNone, nullptr, finish_distance},
    {"query key^T / sqrt(d_head)", read_scaled, kNone, nullptr, finish_scaled},
    {"query key^T / sqrt(d_head) + position bias", read_scaled, kNone, nullptr, finish_scaled},
    {"softmax", read_softmax, "exp({x} - {max})", exponential, finish_softmax},
    {"weights value", read_context, kProduct, product, finish_sum},
    {"heads side by side", read_side_by_side, kNone, nullptr, finish_copy},
    {"mean", read_mean, "{x}", itself, finish_mean},
    {"1 / sqrt(variance + eps)", read_inverse_root, "({x} - {mean})^2", squared_deviation,
     finish_inverse_root},
    {"layer norm", read_layer_norm, kNone, nullptr, finish_layer_norm},
    {"1 / sqrt(mean of squares + eps)", read_inverse_root, "{x}^2", square, finish_inverse_root},
    {"rms norm", read_rms_norm, kNone, nullptr, finish_rms_norm},
    {"relu", read_relu, kNone, nullptr, finish_relu},
    {"gelu", read_gelu, kNone, nullptr, finish_gelu},
    {"mean of the tokens", read_mean_of_tokens, "{x}", itself, finish_scaled_sum},
    {"first token", read_first_token, kNone, nullptr, finish_copy},
    {"cross-entropy", read_cross_entropy, "exp({x} - {max})", exponential, finish_cross_entropy},
    {"mean of the losses", read_mean_of_losses, "{x}", itself, finish_mean_of_losses},
    {"mean squared error", read_squared_error, "({x} - {target})^2", squared_difference,
     finish_mean},
});

}  // namespace

const ExplainRule* find_explain_rule(std::string_view operation) {
  for (const ExplainRule& rule : kRules) {
    if (rule.operation == operation) return &rule;
  }
  return nullptr;
}

}  // namespace tp
