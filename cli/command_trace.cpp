#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/json_output.h"
#include "cli/pass_story.h"
#include "cli/pass_tensors.h"
#include "cli/trained_pass.h"
#include "engine/core/shown_name.h"
#include "engine/inspect/path_pattern.h"
#include "engine/inspect/statistics.h"

namespace tp::cli {
namespace {

constexpr Flag kFlags[] = {
    kPassFlags[0],
    kPassFlags[1],
    kPassFlags[2],
    kPassFlags[3],
    {"story", "", "a numbered walk through the pass, from what is read to the logits"},
    {"out", "FILE.safetensors", "where every tensor of the pass goes, under its path"},
    {"print", "PATTERNS",
     "a table of those that match one of them, as in 'encoder.*.weights,*.d_output'"},
    {"json", "", "what is printed as lines of JSON, one a tensor"},
    {"gradients", "", "gradients of the loss, too: with d_ before the last part of the path"},
};

void print_json(const PassTensor& tensor) {
  const TensorStatistics s = statistics_of(tensor.values);
  std::string shape;
  for (const std::int64_t size : tensor.shape) {
    shape += (shape.empty() ? "" : ", ") + std::to_string(size);
  }
  JsonLine()
      .text("tensor", tensor.path)
      .raw("shape", "[" + shape + "]")
      .number("mean", s.mean)
      .number("std", s.deviation)
      .number("min", s.least)
      .number("max", s.most)
      .number("norm", s.norm)
      .number("zeros", s.zeros)
      .print();
}

void print_statistics(const PassTensor& tensor) {
  const TensorStatistics s = statistics_of(tensor.values);
  std::printf("%-46s %-12s %12.5g %12.5g %12.5g %12.5g %12.5g %7.4f\n", tensor.path.c_str(),
              text_of(tensor.shape).c_str(), s.mean, s.deviation, s.least, s.most, s.norm, s.zeros);
}

// Patterns between commas.
std::vector<std::string_view> split_patterns(std::string_view list) {
  std::vector<std::string_view> patterns;
  for (std::size_t comma; (comma = list.find(',')) != list.npos; list.remove_prefix(comma + 1)) {
    patterns.push_back(list.substr(0, comma));
  }
  patterns.push_back(list);
  return patterns;
}

// Returns the first pattern that nothing matches, or an empty one.
std::string_view print_table(const std::vector<PassTensor>& tensors,
                             const std::vector<std::string_view>& patterns, bool json) {
  const auto matches = [&](const PassTensor& tensor, std::string_view pattern) {
    return !tensor.values.empty() && fits_pattern(tensor.path, pattern);
  };
  for (const std::string_view pattern : patterns) {
    if (std::ranges::none_of(tensors, [&](const auto& t) { return matches(t, pattern); })) {
      return pattern.empty() ? "," : pattern;
    }
  }
  if (!json) {
    std::printf("%-46s %-12s %12s %12s %12s %12s %12s %7s\n", "tensor", "shape", "mean", "std",
                "min", "max", "norm", "zeros");
  }
  for (const PassTensor& tensor : tensors) {
    if (std::ranges::any_of(patterns, [&](auto pattern) { return matches(tensor, pattern); })) {
      (json ? print_json : print_statistics)(tensor);
    }
  }
  return {};
}

int run(const Arguments& arguments) {
  const Result<std::string> path = arguments.required("model");
  if (!path) return wrong_usage(path.error());
  const Result<std::string> input = arguments.required("input");
  if (!input) return wrong_usage(input.error());
  const auto out = arguments.find("out");
  const auto pattern = arguments.find("print");
  const bool story = arguments.has("story");
  if (!out && !pattern && !story) {
    return wrong_usage(
        {"there is nothing to do with the tensors: give --out, --print or --story."});
  }
  Result<TrainedPass> made = trained_pass(arguments, path.value(), input.value());
  if (!made) return failed(made.error());
  Transformer<float>& model = *made.value().trained.model;
  ModelPass& pass = made.value().pass;
  const TraceParts parts =
      arguments.has("gradients") ? TraceParts::forward_and_backward : TraceParts::forward;
  if (parts == TraceParts::forward_and_backward && !made.value().has_answer) {
    return failed(
        {"the right answer to this input is not known, and without one there is no loss: "
         "leave --gradients out."});
  }
  if (story) print_story(model, *made.value().trained.run.task, pass, arguments.has("json"));
  if (!out && !pattern) return kFine;
  if (parts == TraceParts::forward_and_backward) run_backward(model, pass);
  const std::vector<PassTensor> tensors = tensors_of(model, pass, parts);
  if (out) {
    if (Status status = write_tensors(*out, tensors); !status) return failed(status.error());
  }
  if (!pattern) return kFine;
  const std::string_view missing =
      print_table(tensors, split_patterns(*pattern), arguments.has("json"));
  if (!missing.empty()) {
    return failed(
        {"no tensor is called like " + shown_name(missing) + ": --print '*' shows them all."});
  }
  return kFine;
}

}  // namespace

const Command kTraceCommand = {
    "trace",
    "writes or prints every tensor of one pass",
    "tp trace --model runs/reverse --input \"k d a m\" --out pass.safetensors --print '*.weights'",
    kFlags,
    Settings::none,
    run};

}  // namespace tp::cli
