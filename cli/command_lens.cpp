#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/json_output.h"
#include "cli/trained_pass.h"
#include "engine/core/shown_name.h"
#include "engine/core/utf8.h"
#include "engine/inspect/attribution.h"
#include "engine/inspect/lens.h"

namespace tp::cli {
namespace {

constexpr int kShown = 8;  // likeliest outputs of each cell, for programs

constexpr Flag kFlags[] = {
    kPassFlags[0],
    kPassFlags[1],
    kPassFlags[2],
    kPassFlags[3],
    {"attribution", "POSITION,TOKEN",
     "instead, what each part of the model adds to this logit, as in '0,a'; of a\n"
     "                                     model that answers once the position is 0"},
    {"json", "", "lines of JSON: one a layer, or one for the logit"},
};

// What outputs and positions are called.
struct Names {
  const ModelConfig& config;
  const Task& task;
  const Batch<float>& batch;

  bool numbers() const { return config.head == HeadKind::regression; }
  std::string output(int i) const {
    if (numbers()) return std::to_string(i);
    if (config.head == HeadKind::classification) return task.classes()[i];
    return word(i);
  }
  // What is read there.
  std::string position(int i) const {
    if (config.head != HeadKind::tokens) return "answer";
    return word(config.has_decoder() ? batch.target_ids[i] : batch.source_ids[i]);
  }
  // The output of this name, or -1.
  int find(std::string_view name) const {
    for (int i = 0; i < config.head_outputs(); ++i) {
      if (output(i) == name) return i;
    }
    return -1;
  }

 private:
  std::string word(int id) const {
    const Vocabulary& words =
        config.has_decoder() ? task.target_vocabulary() : task.source_vocabulary();
    return std::string(words.word(id));
  }
};

// ------------------------------------------------------------------------------------------- lens

std::string layer_name(int layer) {
  return layer == 0 ? "embedding" : "layer " + std::to_string(layer);
}

// Space and line end can be seen; others are left alone.
std::string visible(std::string_view word) {
  std::string text;
  for (const char c : word) {
    if (c == ' ') {
      text += "␣";
    } else if (c == '\n') {
      text += "↵";
    } else {
      text += c;
    }
  }
  return shown_text(text);
}

// On a terminal Korean is twice as wide.
int width_of(std::string_view text) {
  int width = 0;
  while (!text.empty()) width += is_hangul(next_code_point(text)) ? 2 : 1;
  return width;
}

void print_rows(const std::vector<std::vector<std::string>>& rows) {
  std::vector<int> widths(rows.front().size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size()) line.append(widths[i] - width_of(row[i]) + 2, ' ');
    }
    std::printf("%s\n", line.c_str());
  }
}

std::string formatted(const char* format, double number) {
  char text[64];
  std::snprintf(text, sizeof text, format, number);
  return text;
}

// The likeliest output and its probability; numbers as they are.
std::string cell_text(const Names& names, std::span<const float> logits) {
  if (!names.numbers()) {
    const LikelyOutput best = likeliest(logits, 1).front();
    return visible(names.output(best.output)) + formatted(" %.3f", best.probability);
  }
  std::string text;
  for (const float number : logits) text += formatted(text.empty() ? "%.4g" : " %.4g", number);
  return text;
}

void print_text(const Names& names, const Lens<float>& lens) {
  std::vector<std::vector<std::string>> rows(1, {"layer"});
  for (int p = 0; p < lens.positions; ++p) rows[0].push_back(visible(names.position(p)));
  for (int layer = 0; layer < lens.layers; ++layer) {
    rows.push_back({layer_name(layer)});
    for (int p = 0; p < lens.positions; ++p) {
      rows.back().push_back(cell_text(names, lens.at(layer, p)));
    }
  }
  print_rows(rows);
}

std::string cell_json(const Names& names, std::span<const float> logits, int position) {
  std::string list;
  const auto add = [&](const std::string& object) { list += (list.empty() ? "" : ", ") + object; };
  JsonLine cell;
  cell.text("position", names.position(position));
  if (names.numbers()) {
    for (const float number : logits) add(formatted("%.9g", number));
    return cell.raw("numbers", "[" + list + "]").object();
  }
  for (const LikelyOutput& one : likeliest(logits, kShown)) {
    add(JsonLine()
            .text("token", names.output(one.output))
            .number("probability", one.probability)
            .number("logit", logits[one.output])
            .object());
  }
  return cell.raw("likeliest", "[" + list + "]").object();
}

void print_json(const Names& names, const Lens<float>& lens) {
  for (int layer = 0; layer < lens.layers; ++layer) {
    std::string cells;
    for (int p = 0; p < lens.positions; ++p) {
      cells += (p == 0 ? "" : ", ") + cell_json(names, lens.at(layer, p), p);
    }
    JsonLine()
        .count("layer", static_cast<std::uint64_t>(layer))
        .raw("positions", "[" + cells + "]")
        .print();
  }
}

// ------------------------------------------------------------------------------------ attribution

const char* name_of(PartKind kind) {
  constexpr const char* kNames[] = {"embedding", "positions", "attention head", "feed-forward",
                                    "bias",      "other",     "remainder"};
  return kNames[static_cast<int>(kind)];
}

struct Logit {
  int position = 0, output = 0;
};
// Both of `text`, as in "0,a"; a token may be a comma.
Result<Logit> logit_of(const Names& names, std::string_view text, int positions) {
  const std::size_t comma = text.find(',');
  Logit logit;
  const char* end = text.data() + std::min(comma, text.size());
  const auto [stopped, problem] = std::from_chars(text.data(), end, logit.position);
  if (comma == text.npos || problem != std::errc() || stopped != end || logit.position < 0 ||
      logit.position >= positions) {
    return Error{"--attribution takes a position from 0 to " + std::to_string(positions - 1) +
                 " and a token, as in '0,a', and not " + shown_name(text) + "."};
  }
  logit.output = names.find(text.substr(comma + 1));
  if (logit.output < 0) {
    return Error{"the model never answers " + shown_name(text.substr(comma + 1)) +
                 ": without --attribution its likeliest answers are shown."};
  }
  return logit;
}

void print_parts(const std::vector<LogitPart>& parts, double logit, bool json) {
  if (!json) {
    std::printf("%12s  %-15s %s\n", "adds", "kind", "part");
    for (const LogitPart& part : parts) {
      std::printf("%12.6f  %-15s %s\n", part.value, name_of(part.kind), part.path.c_str());
    }
    std::printf("%12.6f  logit\n", logit);
    return;
  }
  std::string list;
  for (const LogitPart& part : parts) {
    list += (list.empty() ? "" : ", ") + JsonLine()
                                             .text("kind", name_of(part.kind))
                                             .text("path", part.path)
                                             .number("value", part.value)
                                             .object();
  }
  JsonLine().number("logit", logit).raw("parts", "[" + list + "]").print();
}

int run(const Arguments& arguments) {
  for (const char* needed : {"model", "input"}) {
    if (const auto found = arguments.required(needed); !found) return wrong_usage(found.error());
  }
  const Result<TrainedPass> made =
      trained_pass(arguments, *arguments.find("model"), *arguments.find("input"));
  if (!made) return failed(made.error());
  const Transformer<float>& model = *made.value().trained.model;
  const ModelPass& pass = made.value().pass;
  const Names names{model.config(), *made.value().trained.run.task, pass.batch()};
  const bool json = arguments.has("json");
  if (const auto text = arguments.find("attribution")) {
    const Result<Logit> found = logit_of(names, *text, lens_positions(model, pass.batch(), 0));
    if (!found) return failed(found.error());
    const auto [position, output] = found.value();
    print_parts(attribute_logit(model, *pass.activations, pass.batch(), 0, position, output),
                pass.activations->logits()(position, output), json);
    return kFine;
  }
  (json ? print_json : print_text)(names, lens(model, *pass.activations, pass.batch(), 0));
  return kFine;
}

}  // namespace

const Command kLensCommand = {
    "lens",
    "shows what a model would answer after each layer, and what pushed a logit",
    "tp lens --model runs/reverse --input \"k d a m\"",
    kFlags,
    Settings::none,
    run};

}  // namespace tp::cli
