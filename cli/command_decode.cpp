#include <algorithm>
#include <cstdio>
#include <iostream>
#include <string>

#include "cli/command.h"
#include "cli/model_pass.h"
#include "cli/run_folder.h"
#include "engine/model/decode.h"

namespace tp {
namespace {

constexpr Flag kFlags[] = {
    {"model", "DIR", "the folder of a run"},
    {"input", "TEXT", "what to read; without it, each line of standard input"},
    {"beam", "N", "follow the N likeliest answers and print them all (1)"},
    {"temperature", "X", "draw from the distribution; 0: always the likeliest (0)"},
    {"top-k", "N", "draw among the N likeliest tokens; 0: all (0)"},
    {"top-p", "X", "draw among the fewest tokens of joint probability X (1)"},
    {"seed", "S", "of the draws (1)"},
    {"max-tokens", "N", "of the answer; 0: as many as the model can write (0)"},
};

struct Options {
  int beam = 1;
  double temperature = 0;
  int top_k = 0;
  double top_p = 1;
  int seed = 1;
  int max_tokens = 0;
};

Result<Options> options_of(const Arguments& arguments) {
  Options o;
  for (const Property& property :
       {integer("beam", o.beam, 1, 64), real("temperature", o.temperature, 0, 100),
        integer("top_k", o.top_k, 0, 1'000'000), real("top_p", o.top_p, 1e-6, 1),
        integer("seed", o.seed, 0, 2'000'000'000),
        integer("max_tokens", o.max_tokens, 0, 100'000)}) {
    if (Status status = arguments.read(property); !status) return status.error();
  }
  const bool draws = arguments.has("top-k") || arguments.has("top-p");
  if (draws && !arguments.has("temperature")) o.temperature = 1;
  if (o.beam > 1 && o.temperature > 0) {
    return Error{"--beam searches and --temperature draws: leave one of them out."};
  }
  return o;
}

Result<std::vector<Decoded>> decode(TokenScorer<float>& scorer, std::span<const int> prompt,
                                    const DecodeLimits& limits, const Options& options, Rng& rng) {
  if (options.beam > 1) {
    return decode_beam(scorer, prompt, limits, BeamOptions{.width = options.beam});
  }
  Result<Decoded> one =
      options.temperature > 0
          ? decode_sample(scorer, prompt, limits,
                          {options.temperature, options.top_k, options.top_p}, rng)
          : decode_greedy(scorer, prompt, limits);
  if (!one) return one.error();
  return std::vector<Decoded>{std::move(one.value())};
}

// Tokens that the model writes: an answer, or how a text goes on.
Status write_tokens(const Transformer<float>& model, const Task& task, const Example& example,
                    const Options& options, Rng& rng) {
  const bool continues = model.config().architecture == Architecture::decoder_only;
  const std::vector<int> begin = {kBegin};
  const std::vector<int>& prompt = continues ? example.target : begin;
  DecodeLimits limits{.end_token = continues ? -1 : kEnd,
                      .max_new_tokens = model.config().max_target_length};
  if (options.max_tokens > 0) limits.max_new_tokens = options.max_tokens;
  DecodeSource<float> source;
  if (!continues) source = {example.source, example.patches};
  auto scorer = cached_scorer<float>(model, source, options.beam);
  if (!scorer) return scorer.error();
  const auto answers = decode(*scorer.value(), prompt, limits, options, rng);
  if (!answers) return answers.error();
  for (const Decoded& answer : answers.value()) {
    std::string text = task.answer_text({.tokens = answer.tokens});
    if (continues) text = task.answer_text({.tokens = prompt}) + text;
    if (options.beam > 1) {
      std::printf("%s\t%.4f\n", text.c_str(), answer.log_probability);
    } else {
      std::printf("%s\n", text.c_str());
    }
  }
  return Done{};
}

// A class, or numbers.
Status answer_directly(const Transformer<float>& model, const Task& task, const Example& example) {
  const Result<ModelPass> pass = run_pass(model, task, example);
  if (!pass) return pass.error();
  const ConstMatrix<float> logits = pass.value().activations->logits();
  const std::span<const float> row(logits.row(0), static_cast<std::size_t>(logits.columns));
  if (task.info().kind != TaskKind::patch_regressor) {
    const int label = static_cast<int>(std::ranges::max_element(row) - row.begin());
    std::printf("%s\n", task.answer_text({.label = label}).c_str());
    return Done{};
  }
  // As a person reads them: on the scale of what was typed.
  std::string text;
  for (const float value : row) {
    char number[40];
    std::snprintf(number, sizeof number, "%s%.6g", text.empty() ? "" : " ",
                  example.offset + example.scale * double{value});
    text += number;
  }
  std::printf("%s\n", text.c_str());
  return Done{};
}

Status answer(const TrainedRun& trained, std::string_view text, const Options& options, Rng& rng) {
  const Result<Example> example = read_input(*trained.run.task, text);
  if (!example) return example.error();
  const Transformer<float>& model = *trained.model;
  return model.config().has_decoder()
             ? write_tokens(model, *trained.run.task, example.value(), options, rng)
             : answer_directly(model, *trained.run.task, example.value());
}

int run(const Arguments& arguments) {
  const Result<std::string> path = arguments.required("model");
  if (!path) return wrong_usage(path.error());
  const Result<Options> options = options_of(arguments);
  if (!options) return wrong_usage(options.error());
  const Result<TrainedRun> trained = read_trained_run(RunFolder(path.value()));
  if (!trained) return failed(trained.error());
  Rng rng(static_cast<std::uint64_t>(options.value().seed), 0);
  if (const auto input = arguments.find("input")) {
    const Status status = answer(trained.value(), *input, options.value(), rng);
    return status ? kFine : failed(status.error());
  }
  int code = kFine;
  for (std::string line; std::getline(std::cin, line);) {
    if (line.ends_with('\r')) line.pop_back();
    const Status status = answer(trained.value(), line, options.value(), rng);
    if (status) continue;
    // One line that cannot be read does not keep the others from their answers.
    std::printf("\n");
    code = failed(status.error());
  }
  return code;
}

}  // namespace

const Command kDecodeCommand = {"decode",
                                "lets a trained model answer",
                                "tp decode --model runs/reverse --input \"k d a m\"",
                                kFlags,
                                Settings::none,
                                run};

}  // namespace tp
