#include <charconv>
#include <cstdio>
#include <string>

#include "cli/command.h"
#include "cli/json_output.h"
#include "cli/trained_pass.h"
#include "engine/core/shown_name.h"
#include "engine/inspect/finite_difference.h"

namespace tp::cli {
namespace {

constexpr Flag kFlags[] = {
    kPassFlags[0],
    kPassFlags[1],
    kPassFlags[2],
    kPassFlags[3],
    {"at", "PATH[ROW,COLUMN]", "the number, as in 'decoder.0.cross_attn.head.1.weights[3,2]'"},
    {"json", "", "a line of JSON"},
};

// path[row,column]
Result<Cell> cell_of(const std::string& text) {
  const Error wrong{"--at takes a path, a row and a column, as in 'head.logits[0,2]', and not " +
                    shown_name(text) + "."};
  const std::size_t open = text.rfind('['), comma = text.find(',', open);
  if (open == text.npos || comma == text.npos || !text.ends_with(']')) return wrong;
  Cell cell{text.substr(0, open)};
  const auto reads = [&](std::size_t begin, std::size_t end, int& number) {
    const char *first = text.data() + begin, *last = text.data() + end;
    const auto [stopped, problem] = std::from_chars(first, last, number);
    return problem == std::errc() && stopped == last;
  };
  if (!reads(open + 1, comma, cell.row) || !reads(comma + 1, text.size() - 1, cell.column)) {
    return wrong;
  }
  return cell;
}

std::string_view text_of(SumOrder order) {
  switch (order) {
    case SumOrder::none:
      return "none";
    case SumOrder::in_order:
      return "in order";
    case SumOrder::fused:
      return "in order, fused";
    case SumOrder::sixteen:
      return "sixteen partial sums";
  }
  return "";
}

std::string json_of(const ExplainedTerm& term) {
  JsonLine line;
  line.text("name", term.name).text("path", term.path);
  line.raw("row", std::to_string(term.row)).raw("column", std::to_string(term.column));
  line.number("value", term.value).number("factor", term.factor);
  if (!term.factor_path.empty()) {
    line.text("factor_path", term.factor_path);
    line.raw("factor_row", std::to_string(term.factor_row));
    line.raw("factor_column", std::to_string(term.factor_column));
  }
  return line.object();
}

void print_json(const Explanation& e) {
  std::string terms;
  for (const ExplainedTerm& term : e.terms) terms += (terms.empty() ? "" : ", ") + json_of(term);
  JsonLine constants;
  for (const ExplainedConstant& constant : e.constants) {
    constants.number(constant.name, constant.value);
  }
  JsonLine line;
  line.text("path", e.path);
  line.raw("row", std::to_string(e.row)).raw("column", std::to_string(e.column));
  line.number("value", e.value).text("operation", e.operation).text("equation", e.equation);
  line.text("order", text_of(e.order)).raw("terms", "[" + terms + "]");
  line.raw("constants", constants.object());
  const auto number = [&](const char* name, const std::optional<float>& value) {
    if (value) {
      line.number(name, *value);
    } else {
      line.raw(name, "null");
    }
  };
  number("gradient", e.gradient);
  number("finite_difference", e.finite_difference);
  line.print();
}

void print_text(const Explanation& e) {
  std::printf("%s[%d,%d] = %.9g\noperation          %s\nequation           %s\n", e.path.c_str(),
              e.row, e.column, double{e.value}, e.operation.c_str(), e.equation.c_str());
  if (e.gradient) std::printf("gradient           %.9g\n", double{*e.gradient});
  if (e.finite_difference) std::printf("finite difference  %.9g\n", double{*e.finite_difference});
  for (const ExplainedTerm& t : e.terms) {
    std::printf("  %-12s %s[%d,%d] = %.9g", t.name.c_str(), t.path.c_str(), t.row, t.column,
                double{t.value});
    if (!t.factor_path.empty()) {
      std::printf(" * %s[%d,%d] = %.9g", t.factor_path.c_str(), t.factor_row, t.factor_column,
                  double{t.factor});
    }
    std::printf("\n");
  }
  for (const ExplainedConstant& constant : e.constants) {
    std::printf("  %-12s %.9g\n", constant.name.c_str(), constant.value);
  }
}

int run(const Arguments& arguments) {
  for (const char* needed : {"model", "input", "at"}) {
    if (const auto found = arguments.required(needed); !found) return wrong_usage(found.error());
  }
  const Result<Cell> cell = cell_of(*arguments.find("at"));
  if (!cell) return wrong_usage(cell.error());
  Result<TrainedPass> made =
      trained_pass(arguments, *arguments.find("model"), *arguments.find("input"));
  if (!made) return failed(made.error());
  Transformer<float>& model = *made.value().trained.model;
  ModelPass& pass = made.value().pass;
  ExplainedPass explained{model, *pass.activations, pass.batch()};
  if (made.value().has_answer) {
    run_backward(model, pass);
    explained.gradients = model.parameters().gradients();
  }
  Result<Explanation> explanation = explain(explained, cell.value());
  if (!explanation) return failed(explanation.error());
  if (Status status = add_finite_difference(explained, explanation.value()); !status) {
    return failed(status.error());
  }
  (arguments.has("json") ? print_json : print_text)(explanation.value());
  return kFine;
}

}  // namespace

const Command kExplainCommand = {
    "explain",
    "says where one number of a pass came from, and what the loss thinks of it",
    "tp explain --model runs/reverse --input \"k d a m\" --at 'decoder.0.cross_attn.head.1."
    "weights[3,2]'",
    kFlags,
    Settings::none,
    run};

}  // namespace tp::cli
