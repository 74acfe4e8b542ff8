#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/json_output.h"
#include "cli/model_pass.h"
#include "cli/pass_tensors.h"
#include "cli/run_folder.h"
#include "engine/core/shown_name.h"
#include "engine/inspect/path_pattern.h"
#include "engine/inspect/statistics.h"
#include "engine/train/evaluation.h"

namespace tp::cli {
namespace {

constexpr Flag kFlags[] = {
    {"model", "DIR", "the folder of a run"},
    {"best", "", "the weights of its best exam, where it was trained with --best"},
    {"input", "TEXT", "what to read"},
    {"target", "TEXT",
     "what the decoder reads behind the begin mark; else the right answer where\n"
     "                                     the task knows it, else the model's own"},
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

Result<Example> example_of(const Arguments& arguments, const TrainedRun& trained,
                           std::string_view input) {
  const Task& task = *trained.run.task;
  Result<Example> example = read_input(task, input);
  if (!example) return example;
  if (const auto target = arguments.find("target")) {
    Result<std::vector<int>> tokens = read_target(task, *target);
    if (!tokens) return tokens.error();
    example.value().target = std::move(tokens.value());
  } else if (task.info().kind == TaskKind::encoder_decoder && example.value().target.empty()) {
    example.value().target = write_answer(*trained.model, task, example.value());
  }
  return example;
}

int run(const Arguments& arguments) {
  const Result<std::string> path = arguments.required("model");
  if (!path) return wrong_usage(path.error());
  const Result<std::string> input = arguments.required("input");
  if (!input) return wrong_usage(input.error());
  const auto out = arguments.find("out");
  const auto pattern = arguments.find("print");
  if (!out && !pattern) {
    return wrong_usage({"there is nothing to do with the tensors: give --out or --print."});
  }
  const Result<TrainedRun> trained =
      read_trained_run(RunFolder(path.value()), arguments.has("best"));
  if (!trained) return failed(trained.error());
  Result<Example> example = example_of(arguments, trained.value(), input.value());
  if (!example) return failed(example.error());
  Transformer<float>& model = *trained.value().model;
  const TraceParts parts =
      arguments.has("gradients") ? TraceParts::forward_and_backward : TraceParts::forward;
  if (parts == TraceParts::forward_and_backward && !has_answer(example.value(), model.config())) {
    return failed(
        {"the right answer to this input is not known, and without one there is no loss: "
         "leave --gradients out."});
  }
  Result<ModelPass> pass = run_pass(model, *trained.value().run.task, std::move(example.value()));
  if (!pass) return failed(pass.error());
  if (parts == TraceParts::forward_and_backward) run_backward(model, pass.value());
  const std::vector<PassTensor> tensors = tensors_of(model, pass.value(), parts);
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
