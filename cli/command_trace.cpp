#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "cli/command.h"
#include "cli/model_pass.h"
#include "cli/pass_tensors.h"
#include "cli/run_folder.h"
#include "engine/train/evaluation.h"

namespace tp::cli {
namespace {

constexpr Flag kFlags[] = {
    {"model", "DIR", "the folder of a run"},
    {"input", "TEXT", "what to read"},
    {"target", "TEXT",
     "what the decoder reads behind the begin mark; else the right answer where\n"
     "                                     the task knows it, else the model's own"},
    {"out", "FILE.safetensors", "where every tensor of the pass goes, under its path"},
    {"print", "PATTERN", "a table of those that match, as in encoder.*.weights"},
};

// * stands for any characters, ? for one.
bool matches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0, star = pattern.npos, retry = 0;
  while (n < name.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      retry = n;
    } else if (star != pattern.npos) {
      p = star + 1;
      n = ++retry;
    } else {
      return false;
    }
  }
  return pattern.substr(p).find_first_not_of('*') == pattern.npos;
}

void print_statistics(const PassTensor& tensor) {
  const std::vector<float>& values = tensor.values;
  double sum = 0, squares = 0;
  for (const float value : values) sum += value;
  const double count = std::max<double>(static_cast<double>(values.size()), 1);
  const double mean = sum / count;
  for (const float value : values) squares += (value - mean) * (value - mean);
  const auto [least, most] = std::ranges::minmax(values);
  std::printf("%-46s %-12s %12.5g %12.5g %12.5g %12.5g\n", tensor.path.c_str(),
              text_of(tensor.shape).c_str(), mean, std::sqrt(squares / count),
              static_cast<double>(least), static_cast<double>(most));
}

// Returns how many match.
int print_table(const std::vector<PassTensor>& tensors, std::string_view pattern) {
  int shown = 0;
  for (const PassTensor& tensor : tensors) {
    if (tensor.values.empty() || !matches(pattern, tensor.path)) continue;
    if (shown++ == 0) {
      std::printf("%-46s %-12s %12s %12s %12s %12s\n", "tensor", "shape", "mean", "std", "min",
                  "max");
    }
    print_statistics(tensor);
  }
  return shown;
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
  const Result<TrainedRun> trained = read_trained_run(RunFolder(path.value()));
  if (!trained) return failed(trained.error());
  Result<Example> example = example_of(arguments, trained.value(), input.value());
  if (!example) return failed(example.error());
  const Transformer<float>& model = *trained.value().model;
  const Result<ModelPass> pass =
      run_pass(model, *trained.value().run.task, std::move(example.value()));
  if (!pass) return failed(pass.error());
  const std::vector<PassTensor> tensors = tensors_of(model, pass.value());
  if (out) {
    if (Status status = write_tensors(*out, tensors); !status) return failed(status.error());
  }
  if (pattern && print_table(tensors, *pattern) == 0) {
    return failed({"no tensor is called like '" + *pattern + "': --print '*' shows them all."});
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
