// The textbook as a WebAssembly module of its own, for figures in lessons: its functions by name,
// on small matrices that web/textbook.js puts in and takes out.

#include <emscripten.h>

#include <array>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/textbook/attention.h"
#include "engine/textbook/feed_forward.h"
#include "engine/textbook/loss.h"
#include "engine/textbook/norm.h"
#include "engine/textbook/optimiser.h"

namespace tp::textbook {
namespace {

using M = Matrix<double>;

// What is given has the name "f.<name>", as a layer called f would find it.
Settings settings;
Tensors<double> given, gradients;
Pass<double> pass(settings, given, gradients);
const Layer<double> f{pass, "f", "f"};
std::vector<std::pair<std::string, const M*>> results;
std::string problem;
std::array<char, 64> name_buffer;

bool has(const std::string& name) { return given.contains("f." + name); }
const M& in(const std::string& name) { return given.at("f." + name); }
double number(const std::string& name, double otherwise) {
  return has(name) ? in(name)(0, 0) : otherwise;
}
int whole(const std::string& name, int otherwise) {
  return static_cast<int>(number(name, otherwise));
}
M one(double value) { return M::Constant(1, 1, value); }

std::vector<int> labels() {
  std::vector<int> list;
  for (const double label : in("labels").reshaped()) list.push_back(static_cast<int>(label));
  return list;
}
M smoothed() {
  return smoothed_labels<double>(labels(), in("logits").cols(), number("smoothing", 0));
}

AttentionKind attention_kind() { return {.self = true, .causal = number("causal", 0) != 0}; }

void attention_figure() {
  for (const char* name : {"query", "key", "value"}) f[name] = in(name);
  attend(f,
         attention_mask<double>(settings, attention_kind(), in("query").rows(), in("key").rows()));
}
void attention_gradient() {
  f["d_context"] = in("d_context");
  attend_backward(f);
}

bool can_split(const M& x, int heads) {
  if (heads >= 1 && x.cols() % heads == 0) return true;
  problem = "the columns of x cannot be split into so many equal heads";
  return false;
}

void multi_head_figure() {
  settings.heads = whole("heads", 1);
  settings.positions = PositionKind::none;
  if (!can_split(in("x"), settings.heads)) return;
  if (in("in_proj_weight").rows() != 3 * in("x").cols()) {
    problem = "in_proj_weight has three rows for each column of x: W_q over W_k over W_v";
    return;
  }
  attention(f, attention_kind(), in("x"), in("x"));
}
void multi_head_gradient() {
  const auto of = attention_backward(f, attention_kind(), in("d_y"));
  f["d_x"] = of.x + of.m;
}

std::string head_name(int head) { return "head." + std::to_string(head); }
void split_figure() {
  const int heads = whole("heads", 1);
  if (!can_split(in("x"), heads)) return;
  for (int h = 0; h < heads; ++h) f[head_name(h)] = split_head(in("x"), h, heads);
}
// The heads side by side again: d_y is as wide as x.
void split_gradient() { f["d_x"] = in("d_y"); }

void norm_figure(NormKind kind) {
  settings.norm_kind = kind;
  settings.norm_eps = number("eps", 1e-5);
  norm(f, in("x"));
  f["normed"] = f.input("normed");
}
void norm_gradient() { f["d_x"] = norm_backward(f, in("d_y")); }

void feed_forward_figure() {
  settings.activation = number("gelu", 0) != 0 ? Activation::gelu : Activation::relu;
  feed_forward(f, in("x"));
}

void cross_entropy_figure() {
  const int classes = static_cast<int>(in("logits").cols());
  for (const int label : labels()) {
    if (label < kIgnored || label >= classes)
      problem = "a label is not one of the columns of logits";
  }
  if (!problem.empty()) return;
  f["probabilities"] = softmax(in("logits"));
  f["losses"] = cross_entropy(in("logits"), smoothed());
}

void rotary_figure() {
  if (in("x").cols() % 2 != 0) {
    problem = "x has an odd number of columns, which cannot turn in pairs";
    return;
  }
  f["y"] = rotate(in("x"), number("base", 10000), 1);
}

void alibi_figure() {
  const int heads = whole("heads", 1), length = whole("length", 1);
  for (int h = 0; h < heads; ++h) f[head_name(h)] = alibi_bias<double>(length, length, h, heads);
}

void adam_figure() {
  const Optimiser optimiser{.beta1 = number("beta1", 0.9),
                            .beta2 = number("beta2", 0.98),
                            .epsilon = number("epsilon", 1e-9)};
  for (const char* name : {"m", "v", "w"}) f[name] = in(name);
  adam(optimiser, number("rate", 1e-3), whole("step", 1), in("gradient"), f["m"], f["v"], f["w"]);
}

void schedule_figure() {
  const int d_model = whole("d_model", 512);
  const double warmup = number("warmup", 4000);
  f["rates"] = M::NullaryExpr(1, whole("steps", 1), [=](Index, Index step) {
    return paper_rate(d_model, static_cast<double>(step + 1), warmup);
  });
}

void clip_figure() {
  Tensors<double> all = {{"gradient", in("gradient")}};
  f["norm"] = one(gradient_norm(all));
  clip(all, number("most", 1));
  f["clipped"] = all.at("gradient");
}

// What must be given, and its shape: equal letters are equal sizes.
struct Operand {
  const char* name;
  char rows, columns;
};
using Function = void (*)();
struct Operation {
  const char* name;
  std::vector<Operand> operands;
  Function forward;
  Operand from = {};  // the gradient that is given
  Function backward = nullptr;
};

const std::vector<Operation>& operations() {
  static const std::vector<Operation> list = {
      {"product",
       {{"a", 'n', 'k'}, {"b", 'k', 'm'}},
       [] { f["y"] = in("a") * in("b"); },
       {"d_y", 'n', 'm'},
       [] {
         f["d_a"] = in("d_y") * in("b").transpose();
         f["d_b"] = in("a").transpose() * in("d_y");
       }},
      {"dot",
       {{"a", '1', 'k'}, {"b", '1', 'k'}},
       [] { f["y"] = one(in("a").cwiseProduct(in("b")).sum()); },
       {"d_y", '1', '1'},
       [] {
         f["d_a"] = in("d_y")(0, 0) * in("b");
         f["d_b"] = in("d_y")(0, 0) * in("a");
       }},
      {"transpose",
       {{"x", 'n', 'm'}},
       [] { f["y"] = in("x").transpose(); },
       {"d_y", 'm', 'n'},
       [] { f["d_x"] = in("d_y").transpose(); }},
      {"softmax",
       {{"x", 'n', 'm'}},
       [] { f["y"] = softmax(in("x")); },
       {"d_y", 'n', 'm'},
       [] { f["d_x"] = softmax_backward(f["y"], in("d_y")); }},
      {"softmaxWithoutMaximum",
       {{"x", 'n', 'm'}},
       [] { f["y"] = softmax_without_maximum(in("x")); },
       {"d_y", 'n', 'm'},
       [] { f["d_x"] = softmax_backward(f["y"], in("d_y")); }},
      // The gradient is of the sum of the losses.
      {"crossEntropy",
       {{"logits", 'n', 'v'}, {"labels", '1', 'n'}},
       cross_entropy_figure,
       {},
       [] { f["d_logits"] = cross_entropy_backward(f["probabilities"], smoothed()); }},
      {"squaredError",
       {{"x", 'n', 'm'}, {"target", 'n', 'm'}},
       [] { f["loss"] = one(squared_error(in("x"), in("target"))); },
       {},
       [] { f["d_x"] = squared_error_backward(in("x"), in("target")); }},
      {"attention",
       {{"query", 'n', 'd'}, {"key", 'k', 'd'}, {"value", 'k', 'v'}},
       attention_figure,
       {"d_context", 'n', 'v'},
       attention_gradient},
      {"multiHeadAttention",
       {{"x", 'n', 'd'},
        {"in_proj_weight", 't', 'd'},
        {"in_proj_bias", '1', 't'},
        {"out_proj.weight", 'd', 'd'},
        {"out_proj.bias", '1', 'd'}},
       multi_head_figure,
       {"d_y", 'n', 'd'},
       multi_head_gradient},
      {"splitHeads", {{"x", 'n', 'd'}}, split_figure, {"d_y", 'n', 'd'}, split_gradient},
      {"positions",
       {},
       [] {
         f["y"] = sinusoidal_positions<double>(whole("length", 1), whole("d_model", 2),
                                               number("base", 10000));
       }},
      {"rotary",
       {{"x", 'n', 'd'}},
       rotary_figure,
       {"d_y", 'n', 'd'},
       [] { f["d_x"] = rotate(in("d_y"), number("base", 10000), -1); }},
      {"alibi", {}, alibi_figure},
      {"layerNorm",
       {{"x", 'n', 'd'}, {"weight", '1', 'd'}, {"bias", '1', 'd'}},
       [] { norm_figure(NormKind::layer); },
       {"d_y", 'n', 'd'},
       norm_gradient},
      {"rmsNorm",
       {{"x", 'n', 'd'}, {"weight", '1', 'd'}},
       [] { norm_figure(NormKind::rms); },
       {"d_y", 'n', 'd'},
       norm_gradient},
      {"feedForward",
       {{"x", 'n', 'd'},
        {"linear1.weight", 'f', 'd'},
        {"linear1.bias", '1', 'f'},
        {"linear2.weight", 'd', 'f'},
        {"linear2.bias", '1', 'd'}},
       feed_forward_figure,
       {"d_y", 'n', 'd'},
       [] { f["d_x"] = feed_forward_backward(f, in("d_y")); }},
      {"adam",
       {{"gradient", 'n', 'm'}, {"m", 'n', 'm'}, {"v", 'n', 'm'}, {"w", 'n', 'm'}},
       adam_figure},
      {"schedule", {}, schedule_figure},
      {"clip", {{"gradient", 'n', 'm'}}, clip_figure},
  };
  return list;
}

// Empty, or what is wrong with what was given.
std::string check(std::span<const Operand> operands) {
  std::array<Index, 128> sizes{};
  sizes['1'] = 1;
  for (const Operand& operand : operands) {
    const std::string name = operand.name;
    if (!has(name)) return name + " is missing";
    const auto fits = [&](char letter, Index size) {
      Index& known = sizes[static_cast<std::size_t>(letter)];
      if (known == 0) known = size;
      return known == size;
    };
    if (!fits(operand.rows, in(name).rows()) || !fits(operand.columns, in(name).cols())) {
      return "the shape of " + name + " does not fit the others";
    }
  }
  return {};
}

void collect() {
  results.clear();
  for (const auto& [name, tensor] : pass.tensors) results.emplace_back(name.substr(2), &tensor);
  for (const auto& [name, tensor] : gradients) results.emplace_back("d_" + name.substr(2), &tensor);
}

}  // namespace
}  // namespace tp::textbook

using namespace tp::textbook;

extern "C" {

// Where the page writes a name, ended by 0.
EMSCRIPTEN_KEEPALIVE char* tp_textbook_name() { return name_buffer.data(); }

EMSCRIPTEN_KEEPALIVE int tp_textbook_operations() { return static_cast<int>(operations().size()); }
EMSCRIPTEN_KEEPALIVE const char* tp_textbook_operation(int i) { return operations()[i].name; }

EMSCRIPTEN_KEEPALIVE void tp_textbook_clear() {
  for (Tensors<double>* all : {&given, &gradients, &pass.tensors, &pass.inputs}) all->clear();
}
// Makes the matrix of that name; its rows, one after another, go to the address.
EMSCRIPTEN_KEEPALIVE double* tp_textbook_put(int rows, int columns) {
  M& matrix = given[std::string("f.") + name_buffer.data()];
  matrix.resize(rows, columns);
  return matrix.data();
}
// Runs operation i, and its backward pass. Null, or what was wrong.
EMSCRIPTEN_KEEPALIVE const char* tp_textbook_run(int i, int with_gradient) {
  const Operation& operation = operations()[i];
  std::vector<Operand> operands = operation.operands;
  const bool backward = with_gradient != 0;
  if (backward && operation.from.name != nullptr) operands.push_back(operation.from);
  problem = backward && operation.backward == nullptr ? "there is no gradient" : check(operands);
  if (problem.empty()) operation.forward();
  if (problem.empty() && backward) operation.backward();
  collect();
  return problem.empty() ? nullptr : problem.c_str();
}

EMSCRIPTEN_KEEPALIVE int tp_textbook_results() { return static_cast<int>(results.size()); }
EMSCRIPTEN_KEEPALIVE const char* tp_textbook_result(int i) { return results[i].first.c_str(); }
EMSCRIPTEN_KEEPALIVE int tp_textbook_rows(int i) {
  return static_cast<int>(results[i].second->rows());
}
EMSCRIPTEN_KEEPALIVE int tp_textbook_columns(int i) {
  return static_cast<int>(results[i].second->cols());
}
EMSCRIPTEN_KEEPALIVE const double* tp_textbook_numbers(int i) { return results[i].second->data(); }
}
