#include <algorithm>
#include <cstdio>
#include <iostream>
#include <optional>
#include <string>

#include "cli/command.h"
#include "cli/json_output.h"
#include "cli/model_pass.h"
#include "cli/run_folder.h"
#include "engine/core/utf8.h"
#include "engine/model/decode.h"

namespace tp::cli {
namespace {

constexpr Flag kFlags[] = {
    {"model", "DIR", "the folder of a run"},
    {"best", "", "the weights of its best exam, where it was trained with --best"},
    {"input", "TEXT", "what to read; without it, each line of standard input"},
    {"beam", "N", "follow the N likeliest answers and print them all (1)"},
    {"temperature", "X", "draw from the distribution; 0: always the likeliest (0)"},
    {"top-k", "N", "draw among the N likeliest tokens; 0: all (0)"},
    {"top-p", "X", "draw among the fewest tokens of joint probability X (1)"},
    {"seed", "S", "of the draws (1)"},
    {"json", "", "a line of JSON for each input"},
    {"max-tokens", "N", "of the answer; 0: as many as the model reads at once (0)"},
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

int most_tokens(const Transformer<float>& model, const Options& options) {
  return options.max_tokens > 0 ? options.max_tokens : model.config().max_target_length;
}

struct Written {
  std::string text;
  std::optional<double> log_probability = {};
};
using Answers = Result<std::vector<Written>>;

std::vector<Written> written(const Task& task, std::span<const Decoded> answers,
                             std::string_view before) {
  std::vector<Written> list;
  for (const Decoded& answer : answers) {
    list.push_back({std::string(before) + task.answer_text({.tokens = answer.tokens}),
                    answer.log_probability});
  }
  return list;
}

void print_answers(std::string_view input, std::span<const Written> answers, bool json) {
  std::string list;
  for (const Written& answer : answers) {
    if (!json) {
      std::printf("%s", answer.text.c_str());
      if (answers.size() > 1) std::printf("\t%.4f", *answer.log_probability);
      std::printf("\n");
      continue;
    }
    JsonLine line;
    line.text("text", answer.text);
    if (answer.log_probability) line.number("log_probability", *answer.log_probability);
    list += (list.empty() ? "" : ", ") + line.object();
  }
  if (json) JsonLine().text("input", input).raw("answers", "[" + list + "]").print();
}

Answers write_target(const Transformer<float>& model, const Task& task, const Example& example,
                     const Options& options, Rng& rng) {
  auto scorer = cached_scorer<float>(model, {example.source, example.patches}, options.beam);
  if (!scorer) return scorer.error();
  const std::vector<int> begin = {kBegin};
  const auto answers =
      decode(*scorer.value(), begin, {kEnd, most_tokens(model, options)}, options, rng);
  if (!answers) return answers.error();
  return written(task, answers.value(), "");
}

// How a text goes on. Where the model's window is full, its older half is forgotten; a search over
// several ways to go on takes the best of them along.
Answers continue_text(const Transformer<float>& model, const Task& task, const Example& example,
                      std::string_view typed, const Options& options, Rng& rng) {
  const auto window = static_cast<std::size_t>(model.config().max_target_length);
  const auto wanted = static_cast<std::size_t>(most_tokens(model, options));
  std::vector<int> read = example.target;
  Decoded whole;
  while (true) {
    if (read.size() >= window) {
      read.erase(read.begin(), read.end() - static_cast<std::ptrdiff_t>(window / 2));
    }
    auto scorer = cached_scorer<float>(model, {}, options.beam);
    if (!scorer) return scorer.error();
    const int rest = static_cast<int>(wanted - whole.tokens.size());
    auto answers = decode(*scorer.value(), read, {-1, rest}, options, rng);
    if (!answers) return answers.error();
    for (Decoded& answer : answers.value()) {
      answer.tokens.insert(answer.tokens.begin(), whole.tokens.begin(), whole.tokens.end());
      answer.log_probability += whole.log_probability;
    }
    const std::size_t before = whole.tokens.size();
    whole = answers.value().front();
    if (whole.tokens.size() >= wanted) return written(task, answers.value(), typed);
    read.insert(read.end(), whole.tokens.begin() + static_cast<std::ptrdiff_t>(before),
                whole.tokens.end());
  }
}

// A class, or numbers.
Answers answer_directly(const Transformer<float>& model, const Task& task, const Example& example) {
  const Result<ModelPass> pass = run_pass(model, task, example);
  if (!pass) return pass.error();
  const ConstMatrix<float> logits = pass.value().activations->logits();
  const std::span<const float> row(logits.row(0), static_cast<std::size_t>(logits.columns));
  if (task.info().kind != TaskKind::patch_regressor) {
    const int label = static_cast<int>(std::ranges::max_element(row) - row.begin());
    return std::vector<Written>{{task.answer_text({.label = label})}};
  }
  // As a person reads them: on the scale of what was typed.
  std::string text;
  for (const float value : row) {
    char number[40];
    std::snprintf(number, sizeof number, "%s%.6g", text.empty() ? "" : " ",
                  example.offset + example.scale * double{value});
    text += number;
  }
  return std::vector<Written>{{text}};
}

Answers answer(const TrainedRun& trained, std::string_view text, const Options& options, Rng& rng) {
  const Result<Example> example = read_input(*trained.run.task, text);
  if (!example) return example.error();
  const Transformer<float>& model = *trained.model;
  const Task& task = *trained.run.task;
  switch (model.config().architecture) {
    case Architecture::encoder_decoder:
      return write_target(model, task, example.value(), options, rng);
    case Architecture::decoder_only:
      return continue_text(model, task, example.value(), text, options, rng);
    case Architecture::encoder_only:
      break;
  }
  return answer_directly(model, task, example.value());
}

int run(const Arguments& arguments) {
  const Result<std::string> path = arguments.required("model");
  if (!path) return wrong_usage(path.error());
  const Result<Options> options = options_of(arguments);
  if (!options) return wrong_usage(options.error());
  const Result<TrainedRun> trained =
      read_trained_run(RunFolder(path.value()), arguments.has("best"));
  if (!trained) return failed(trained.error());
  Rng rng(static_cast<std::uint64_t>(options.value().seed), 0);
  const bool json = arguments.has("json");
  if (const auto input = arguments.find("input")) {
    const Answers answers = answer(trained.value(), *input, options.value(), rng);
    if (!answers) return failed(answers.error());
    print_answers(*input, answers.value(), json);
    return kFine;
  }
  int code = kFine;
  bool first = true;
  for (std::string line; std::getline(std::cin, line); first = false) {
    const std::string text(text_of_line(line, first));
    const Answers answers = answer(trained.value(), text, options.value(), rng);
    if (answers) {
      print_answers(text, answers.value(), json);
      continue;
    }
    // One line that cannot be read does not keep the others from their answers.
    if (json) {
      JsonLine().text("input", text).text("error", answers.error().message).print();
    } else {
      std::printf("\n");
    }
    code = failed(answers.error());
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

}  // namespace tp::cli
