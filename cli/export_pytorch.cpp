#include "cli/export_pytorch.h"

#include <deque>
#include <nlohmann/json.hpp>

#include "cli/pass_tensors.h"
#include "cli/run_tokenizers.h"
#include "engine/train/trainer.h"
#include "pytorch_model.h"

namespace tp::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string config_text(const TrainedRun& trained) {
  Json json = Json::parse(json_of(trained.run.config), nullptr, false);
  const ModelConfig& config = trained.model->config();
  constexpr const char* kHeads[] = {"tokens", "classification", "regression"};
  Json& model = json["model"];
  model["source_vocabulary"] = config.source_vocabulary;
  model["target_vocabulary"] = config.target_vocabulary;
  model["max_source_length"] = config.max_source_length;
  model["max_target_length"] = config.max_target_length;
  model["input"] = config.input == InputKind::patches ? "patches" : "tokens";
  model["patch_size"] = config.patch_size;
  model["head"] = kHeads[static_cast<int>(config.head)];
  model["outputs"] = config.head_outputs();
  return json.dump(2) + "\n";
}

Status write_weights(const std::string& path, const Transformer<float>& model) {
  const ParameterStore<float>& parameters = model.parameters();
  std::deque<Shape> shapes;  // which the list points into
  std::vector<TensorToWrite> tensors;
  const auto add = [&](const std::string& name, const ParameterEntry& entry) {
    shapes.emplace_back(entry.shape.begin(), entry.shape.end());
    tensors.push_back(tensor_to_write(name, shapes.back(),
                                      parameters.values().subspan(entry.offset, entry.count)));
  };
  for (const ParameterEntry& entry : parameters.entries()) add(entry.name, entry);
  for (const ParameterAlias& alias : parameters.aliases()) {
    add(alias.name, *parameters.find(alias.name));
  }
  return write_safetensors(path, tensors, {{"format", "pt"}});
}

}  // namespace

Status export_pytorch(const TrainedRun& trained, const std::string& folder) {
  const Task& task = *trained.run.task;
  Example example;
  task.sample(Split::held_out, kExamSeed, 0, example);
  // A pass reads all of a decoder-only model's tokens; the last one of an example is an answer.
  if (task.info().kind == TaskKind::decoder_only) example.target.pop_back();
  const Result<ModelPass> pass = run_pass(*trained.model, task, std::move(example));
  if (!pass) return pass.error();

  if (Status status = make_folder(folder); !status) return status;
  Status status = write_weights(folder + "/model.safetensors", *trained.model);
  if (status) status = write_text(folder + "/config.json", config_text(trained));
  if (status) status = write_tokenizers(folder, task);
  if (status) {
    status = write_tensors(folder + "/example.safetensors", ends_of(*trained.model, pass.value()));
  }
  if (status) status = write_text(folder + "/model.py", kPytorchModel);
  return status;
}

}  // namespace tp::cli
