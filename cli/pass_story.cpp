#include "cli/pass_story.h"

#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "cli/json_output.h"
#include "engine/inspect/statistics.h"
#include "engine/inspect/trace.h"

namespace tp::cli {
namespace {

struct OperationWords {
  std::string_view operation, words;
};
constexpr OperationWords kWords[] = {
    {"input", "as it was given"},
    {"embedding", "the row of each token in the table, times sqrt(d_model) where it is scaled"},
    {"position table", "a row for each place in the sequence"},
    {"add", "number by number: what comes in, and what was made of it"},
    {"linear", "x W^T + b: a dot product with each row of W"},
    {"rotary positions", "pairs of numbers, turned by an angle that grows with the place"},
    {"query key^T", "each query with each key: a dot product"},
    {"-slope * distance", "the further away a key is, the less"},
    {"query key^T / sqrt(d_head)", "scaled; minus infinity where a query must not look"},
    {"query key^T / sqrt(d_head) + position bias",
     "scaled, plus the bias by distance; minus infinity where a query must not look"},
    {"softmax", "each row becomes shares that sum to 1"},
    {"weights value", "the values of the keys, mixed by these shares"},
    {"heads side by side", "the columns of all heads in one matrix again"},
    {"mean", "of each row"},
    {"1 / sqrt(variance + eps)", "of each row"},
    {"1 / sqrt(mean of squares + eps)", "of each row"},
    {"layer norm", "each row with mean 0 and deviation 1, then scaled and shifted"},
    {"rms norm", "each row divided by its size, then scaled"},
    {"relu", "what is negative becomes 0"},
    {"gelu", "what is negative is nearly lost, softly"},
    {"mean of the tokens", "one row for the whole sequence"},
    {"first token", "its row stands for the whole sequence"},
};

std::string_view words_for(std::string_view operation) {
  for (const OperationWords& entry : kWords) {
    if (entry.operation == operation) return entry.words;
  }
  return operation;
}

struct Step {
  std::string path, shape, operation, words;
  std::vector<std::string> inputs;
  std::vector<float> values;  // none of token ids
};

std::string joined(const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& item : list) text += (text.empty() ? "" : ", ") + item;
  return text;
}

Step read_step(const char* path, std::span<const int> ids, const Vocabulary& words) {
  std::string text;
  for (const int id : ids) (text += text.empty() ? "" : " ") += words.word(id);
  return {path, "[" + std::to_string(ids.size()) + "]", "tokens", text, {}, {}};
}

std::string words_of(const TracedTensor<float>& tensor, const ModelConfig& config) {
  std::string words(words_for(tensor.operation));
  const bool of_head = tensor.path.find(".head.") != tensor.path.npos;
  if (!of_head || tensor.operation != "linear") return words;
  const std::string rows = std::to_string(tensor.rows.size);
  return words + "; [" + rows + ", " + std::to_string(config.d_model) + "] is read as " +
         std::to_string(config.heads) + " heads of [" + rows + ", " +
         std::to_string(config.d_head()) + "]";
}

std::vector<Step> steps_of(const Transformer<float>& model, const Task& task,
                           const ModelPass& pass) {
  const ModelConfig& config = model.config();
  const Batch<float>& batch = pass.batch();
  std::vector<Step> steps;
  if (config.has_encoder() && config.input == InputKind::tokens) {
    steps.push_back(read_step("input.src_ids", batch.source_ids, task.source_vocabulary()));
  }
  if (config.has_decoder()) {
    steps.push_back(read_step("input.tgt_ids", batch.target_ids, task.target_vocabulary()));
  }
  for (const TracedTensor<float>& tensor :
       trace(model, *pass.activations, batch, 0, TraceParts::forward)) {
    const std::size_t head = tensor.path.find(".head.");
    if (head != tensor.path.npos && tensor.path.compare(head, 8, ".head.0.") != 0) continue;
    Step step{tensor.path,
              "[" + std::to_string(tensor.values.rows) + ", " +
                  std::to_string(tensor.values.columns) + "]",
              tensor.operation,
              words_of(tensor, config),
              tensor.inputs,
              {}};
    for (int i = 0; i < tensor.values.rows; ++i) {
      const float* row = tensor.values.row(i);
      step.values.insert(step.values.end(), row, row + tensor.values.columns);
    }
    steps.push_back(std::move(step));
    if (tensor.path == "head.logits") break;
  }
  return steps;
}

void print_step(int number, const Step& step) {
  std::printf("%3d. %s %s", number, step.path.c_str(), step.shape.c_str());
  if (!step.values.empty()) {
    const TensorStatistics s = statistics_of(step.values);
    std::printf("  mean %.4g, std %.4g", s.mean, s.deviation);
  }
  std::printf("\n     %s\n", step.words.c_str());
  if (!step.inputs.empty()) std::printf("     from %s\n", joined(step.inputs).c_str());
}

void print_json(int number, const Step& step) {
  JsonLine line;
  line.count("number", static_cast<std::uint64_t>(number)).text("tensor", step.path);
  line.raw("shape", step.shape).text("operation", step.operation).text("words", step.words);
  std::string list;
  for (const std::string& input : step.inputs) {
    list += (list.empty() ? "\"" : ", \"") + input + "\"";
  }
  line.raw("inputs", "[" + list + "]");
  if (!step.values.empty()) {
    const TensorStatistics s = statistics_of(step.values);
    line.number("mean", s.mean).number("std", s.deviation);
  }
  line.print();
}

}  // namespace

void print_story(const Transformer<float>& model, const Task& task, const ModelPass& pass,
                 bool json) {
  int number = 0;
  for (const Step& step : steps_of(model, task, pass)) {
    (json ? print_json : print_step)(++number, step);
  }
}

}  // namespace tp::cli
