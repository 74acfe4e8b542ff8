#include "cli/trained_pass.h"

#include <utility>

#include "engine/train/evaluation.h"

namespace tp::cli {
namespace {

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

}  // namespace

Result<TrainedPass> trained_pass(const Arguments& arguments, const std::string& folder,
                                 std::string_view input) {
  Result<TrainedRun> trained = read_trained_run(RunFolder(folder), arguments.has("best"));
  if (!trained) return trained.error();
  Result<Example> example = example_of(arguments, trained.value(), input);
  if (!example) return example.error();
  const Transformer<float>& model = *trained.value().model;
  const bool answered = has_answer(example.value(), model.config());
  Result<ModelPass> pass = run_pass(model, *trained.value().run.task, std::move(example.value()));
  if (!pass) return pass.error();
  return TrainedPass{std::move(trained.value()), answered, std::move(pass.value())};
}

}  // namespace tp::cli
