#include <algorithm>
#include <cstdio>
#include <string>

#include "cli/command.h"
#include "cli/json_output.h"
#include "cli/run_folder.h"
#include "cli/run_settings.h"
#include "engine/train/trainer.h"

namespace tp::cli {
namespace {

constexpr Flag kFlags[] = {
    {"model", "DIR", "the folder of a run"},
    {"best", "", "the weights of its best exam, where it was trained with --best"},
    {"eval-size", "N", "held-out examples to be examined in (1000)"},
    {"json", "", "one line of JSON"},
};

void print_score(const char* name, double value) { std::printf("%s\t%.6g\n", name, value); }

void print_alignment(const Evaluation& exam) {
  for (std::size_t l = 0; l < exam.alignment.size(); ++l) {
    const LayerAlignment& layer = exam.alignment[l];
    const auto print = [l](const std::string& head, const AlignmentScore& score) {
      std::printf("alignment.layer.%zu.%s\t%.4f\tweight %.4f\n", l, head.c_str(), score.share,
                  score.weight);
    };
    for (std::size_t h = 0; h < layer.heads.size(); ++h) {
      print("head." + std::to_string(h), layer.heads[h]);
    }
    print("mean", layer.mean);
  }
}

void print_json(const SavedRun& run, const Evaluation& exam) {
  JsonLine line;
  line.text("task", run.config.task).count("examples", static_cast<std::uint64_t>(exam.examples));
  line.number("loss", exam.loss);
  if (exam.exact) line.number("exact", *exam.exact);
  if (exam.token_accuracy) line.number("token_accuracy", *exam.token_accuracy);
  line.text("metric", run.task->metric().name).number("metric_value", exam.metric);
  if (exam.baseline) line.number("baseline", *exam.baseline);
  std::string layers;
  for (const LayerAlignment& layer : exam.alignment) {
    std::string heads;
    for (const AlignmentScore& head : layer.heads) {
      heads += (heads.empty() ? "" : ", ") +
               JsonLine().number("share", head.share).number("weight", head.weight).object();
    }
    layers += (layers.empty() ? "[" : ", [") + heads + "]";
  }
  line.raw("alignment", "[" + layers + "]").print();
}

int run(const Arguments& arguments) {
  const Result<std::string> path = arguments.required("model");
  if (!path) return wrong_usage(path.error());
  int size = 1000;
  if (Status status = arguments.read(integer("eval_size", size, 1, 100'000)); !status) {
    return wrong_usage(status.error());
  }
  const Result<TrainedRun> trained =
      read_trained_run(RunFolder(path.value()), arguments.has("best"));
  if (!trained) return failed(trained.error());
  const SavedRun& saved = trained.value().run;
  // The trainer examines as it does while training, in the precision of the run.
  TrainConfig config = saved.config.train;
  config.eval_size = size;
  auto trainer =
      Trainer::create(saved.task, saved.config.model, config, fast_kernels_for, kMemoryLimit);
  if (!trainer) return failed(trainer.error());
  std::ranges::copy(std::as_const(*trained.value().model).parameters().values(),
                    trainer.value()->model().parameters().values().begin());

  const Evaluation exam = trainer.value()->evaluate();
  if (arguments.has("json")) {
    print_json(saved, exam);
    return kFine;
  }
  std::printf("task\t%s\nexamples\t%d\n", saved.config.task.c_str(), exam.examples);
  print_score("loss", exam.loss);
  if (exam.exact) print_score("exact", *exam.exact);
  if (exam.token_accuracy) print_score("token_accuracy", *exam.token_accuracy);
  print_score(std::string(saved.task->metric().name).c_str(), exam.metric);
  if (exam.baseline) print_score("baseline", *exam.baseline);
  print_alignment(exam);
  return kFine;
}

}  // namespace

const Command kEvalCommand = {"eval",
                              "examines a trained model on held-out examples",
                              "tp eval --model runs/reverse --eval-size 1000",
                              kFlags,
                              Settings::none,
                              run};

}  // namespace tp::cli
