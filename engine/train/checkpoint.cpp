#include "engine/train/checkpoint.h"

#include "engine/core/json.h"
#include "engine/train/run_config.h"

namespace tp {
namespace {

constexpr std::string_view kFirstMoments = "optimiser.first_moments";
constexpr std::string_view kSecondMoments = "optimiser.second_moments";

bool is_moment(std::string_view name) { return name == kFirstMoments || name == kSecondMoments; }

Shape shape_of(const ParameterEntry& entry) { return {entry.shape.begin(), entry.shape.end()}; }

std::string json_of(const TrainerState& state) {
  Json json;
  json["steps"] = state.steps;
  json["optimiser_steps"] = state.optimiser_steps;
  json["examples"] = state.examples;
  json["loss_scale"] = state.loss_scale.scale;
  json["steps_since_overflow"] = state.loss_scale.steps_since_overflow;
  return json.dump();
}

Result<TrainerState> state_from_json(std::string_view text) {
  const Json json = parse_json(text);
  const Error damaged{"the state of the run in the checkpoint is damaged: use an earlier one.",
                      "체크포인트에 든 학습 상태가 손상되었습니다. 다른 파일을 써 주십시오."};
  if (!json.is_object()) return damaged;
  bool good = true;
  const auto count = [&](const char* name) -> std::uint64_t {
    const auto at = json.find(name);
    good = good && at != json.end() && at->is_number_unsigned();
    return good ? at->get<std::uint64_t>() : 0;
  };
  TrainerState state;
  state.steps = count("steps");
  state.optimiser_steps = count("optimiser_steps");
  state.examples = count("examples");
  const std::uint64_t since = count("steps_since_overflow");
  const auto scale = json.find("loss_scale");
  good = good && since < 1'000'000 && scale != json.end() && scale->is_number();
  if (!good) return damaged;
  state.loss_scale = {scale->get<double>(), static_cast<int>(since)};
  if (!(state.loss_scale.scale > 0 && state.loss_scale.scale < 1e12)) return damaged;
  return state;
}

// The first line in which two texts differ, as each has it.
std::string first_difference(std::string_view a, std::string_view b) {
  const auto next_line = [](std::string_view& text) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    while (line.starts_with(' ')) line.remove_prefix(1);
    if (line.ends_with(',')) line.remove_suffix(1);
    return line;
  };
  while (!a.empty() || !b.empty()) {
    const std::string_view in_a = next_line(a), in_b = next_line(b);
    if (in_a != in_b) return std::string(in_a) + " there, " + std::string(in_b) + " here";
  }
  return "layout";
}

// What a checkpoint holds. The tensors are the trainer's own.
struct Content {
  Content(const Trainer& trainer, const std::string& config, const std::string& material = {})
      : all{static_cast<std::int64_t>(trainer.model().parameters().count())},
        metadata{{"format", "pt"}, {"config", config}, {"trainer", json_of(trainer.state())}} {
    const ParameterStore<float>& parameters = trainer.model().parameters();
    const auto& entries = parameters.entries();
    for (const ParameterEntry& entry : entries) shapes.push_back(shape_of(entry));
    for (std::size_t i = 0; i < entries.size(); ++i) {
      tensors.push_back(
          tensor_to_write(entries[i].name, shapes[i],
                          parameters.values().subspan(entries[i].offset, entries[i].count)));
    }
    tensors.push_back(tensor_to_write(kFirstMoments, all, parameters.first_moments()));
    tensors.push_back(tensor_to_write(kSecondMoments, all, parameters.second_moments()));
    if (!material.empty()) metadata["material"] = material;
    metadata = with_checksum(tensors, std::move(metadata));
  }
  Content(const Content&) = delete;
  Content& operator=(const Content&) = delete;

  std::vector<Shape> shapes;
  Shape all;
  std::vector<TensorToWrite> tensors;
  Metadata metadata;
};

}  // namespace

Status save_checkpoint(const std::string& path, const Trainer& trainer, const std::string& config) {
  const Content content(trainer, config);
  return write_safetensors(path, content.tensors, content.metadata);
}

Result<std::vector<std::byte>> checkpoint_bytes(const Trainer& trainer, const std::string& config,
                                                const std::string& material) {
  const Content content(trainer, config, material);
  return safetensors_bytes(content.tensors, content.metadata);
}

Result<std::string> config_of(const Safetensors& file) {
  const auto config = file.metadata().find("config");
  if (config == file.metadata().end()) {
    return Error{
        "the file holds weights but not the configuration of a run: start from it instead of "
        "resuming.",
        "파일에 가중치만 있고 학습 설정이 없습니다."};
  }
  return config->second;
}

std::string material_of(const Safetensors& file) {
  const auto material = file.metadata().find("material");
  return material == file.metadata().end() ? std::string() : material->second;
}

Status load_checkpoint(const Safetensors& file, const std::string& config, Trainer& trainer) {
  const Result<std::string> saved = config_of(file);
  if (!saved) return saved.error();
  if (!continues(saved.value(), config)) {
    const std::string difference = first_difference(saved.value(), config);
    return Error{"the checkpoint is of a run with another configuration (" + difference +
                     "): resume with its own, or start a new run from its weights.",
                 "설정이 다른 학습의 체크포인트입니다. (" + difference + ")"};
  }
  const auto text = file.metadata().find("trainer");
  if (text == file.metadata().end()) {
    return Error{"the file does not say how far its run was: start from its weights instead.",
                 "파일에 학습이 어디까지 갔는지 들어 있지 않습니다."};
  }
  const Result<TrainerState> state = state_from_json(text->second);
  if (!state) return state.error();

  ParameterStore<float>& parameters = trainer.model().parameters();
  std::vector<Shape> shapes;
  for (const ParameterEntry& entry : parameters.entries()) shapes.push_back(shape_of(entry));
  const Shape all = {static_cast<std::int64_t>(parameters.count())};
  std::vector<WantedTensor> wanted = {{kFirstMoments, all}, {kSecondMoments, all}};
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    wanted.push_back({parameters.entries()[i].name, shapes[i]});
  }
  if (Status status = file.match(wanted); !status) return status;
  const auto read = [&](std::string_view name, std::span<float> values) {
    const Status status = file.read_into(*file.find(name), values);
    TP_CHECK(status.ok(), "a tensor that matched could not be read");
  };
  for (const ParameterEntry& entry : parameters.entries()) {
    read(entry.name, parameters.values().subspan(entry.offset, entry.count));
  }
  read(kFirstMoments, parameters.first_moments());
  read(kSecondMoments, parameters.second_moments());
  trainer.restore(state.value());
  return Done{};
}

Result<WeightsFit> adopt_weights(const Safetensors& file, ParameterStore<float>& parameters) {
  WeightsFit fit;
  for (const ParameterEntry& entry : parameters.entries()) {
    const TensorEntry* tensor = file.find(entry.name);
    if (tensor == nullptr) {
      fit.left_out.push_back(shown_name(entry.name) + " is missing");
    } else if (tensor->shape != shape_of(entry) || !is_floating(tensor->dtype)) {
      fit.left_out.push_back(shown_name(entry.name) + " is " + text_of(tensor->shape) + " there, " +
                             text_of(shape_of(entry)) + " here");
    } else {
      const Status status =
          file.read_into(*tensor, parameters.values().subspan(entry.offset, entry.count));
      TP_CHECK(status.ok(), "a tensor that fits could not be read");
      ++fit.loaded;
    }
  }
  for (const TensorEntry& tensor : file.tensors()) {
    // Under another name of a tied matrix the file may hold it once more.
    if (parameters.find(tensor.name) == nullptr && !is_moment(tensor.name)) {
      fit.unused.push_back(shown_name(tensor.name));
    }
  }
  if (fit.loaded == 0) {
    const std::string first =
        fit.left_out.empty() ? std::string("it has none") : fit.left_out.front();
    return Error{"none of the weights fits this model (" + first +
                     "): use the configuration they were trained with.",
                 "이 모델에 맞는 가중치가 하나도 없습니다. 학습할 때와 같은 설정을 써 주십시오. (" +
                     first + ")"};
  }
  return fit;
}

}  // namespace tp
