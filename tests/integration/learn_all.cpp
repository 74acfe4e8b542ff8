#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/maths.h"
#include "engine/io/property_json.h"
#include "engine/model/config_properties.h"
#include "engine/tasks/text_bundled.h"
#include "engine/tasks/text_pieces.h"
#include "engine/train/run_config.h"
#include "engine/train/trainer.h"

// Trains every task with its default recipe at five seeds and says how well it does on held-out
// examples, against what it has to reach:
//
//   learn_all                          all of them
//   learn_all --task add --seeds 1     one task, one seed
//   learn_all --task first-look        the preset of that name
//   learn_all --learning-rate 1e-3     and any setting by its name
//
// Exits with 1 when a goal was missed. Takes long: it is run by hand, not with the tests.

namespace tp {
namespace {

// What a run must reach on 1,000 held-out examples.
struct Goal {
  std::string_view task;
  enum class Measure { exact, beats_guess, beats_trigram } measure;
  double bound;
  std::string_view preset = "default";
  double alignment = 0;  // of the best head of the last layer

  std::string_view name() const { return preset == "default" ? task : preset; }
};

constexpr Goal kGoals[] = {
    {"copy", Goal::Measure::exact, 0.99},
    {"reverse", Goal::Measure::exact, 0.99},
    {"sort", Goal::Measure::exact, 0.99},
    {"translate", Goal::Measure::exact, 0.99},
    {"date", Goal::Measure::exact, 0.99},
    {"add", Goal::Measure::exact, 0.98},
    {"balance", Goal::Measure::exact, 0.99},
    {"shapes", Goal::Measure::exact, 0.97},
    {"forecast", Goal::Measure::beats_guess, 0.8},
    {"text", Goal::Measure::beats_trigram, 1.0},
    {"reverse", Goal::Measure::exact, 0.99, "first-look", 0.95},
};

// What counting gives: the loss of a trigram model on the held-out part of the bundled text. The
// chance of a character after two others is interpolated with that after one and after none (Witten
// and Bell), each seen as often as it occurs in the training part.
class Trigram {
 public:
  explicit Trigram(const Task& task) : size_(task.target_vocabulary().size()) {
    const auto size = static_cast<std::size_t>(size_);
    counts_[0].resize(size), counts_[1].resize(size * size), counts_[2].resize(size * size * size);
    std::vector<int> text;
    for (std::string_view character : split_characters(bundled_text())) {
      text.push_back(task.target_vocabulary().find(character));
    }
    text.resize(text.size() - text.size() / 10);  // what lies behind is held out
    for (std::size_t j = 2; j < text.size(); ++j) {
      for (int order = 0; order < 3; ++order) ++counts_[order][place(text, j, order)];
    }
  }

  double loss(const Task& task, int examples) const {
    Example example;
    double sum = 0;
    long tokens = 0;
    for (int i = 0; i < examples; ++i) {
      task.sample(Split::held_out, kExamSeed, static_cast<std::uint64_t>(i), example);
      for (std::size_t j = 2; j < example.target.size(); ++j, ++tokens) {
        double chance = 1.0 / size_;
        for (int order = 0; order < 3; ++order) chance = refine(example.target, j, order, chance);
        sum -= maths::log(chance);
      }
    }
    return sum / static_cast<double>(tokens);
  }

 private:
  // Where token j stands among those that follow the `order` tokens before it.
  std::size_t place(const std::vector<int>& tokens, std::size_t j, int order) const {
    std::size_t index = 0;
    for (int k = order; k >= 0; --k) {
      index = index * static_cast<std::size_t>(size_) + static_cast<std::size_t>(tokens[j - k]);
    }
    return index;
  }
  double refine(const std::vector<int>& tokens, std::size_t j, int order, double shorter) const {
    const std::size_t at = place(tokens, j, order);
    const auto size = static_cast<std::size_t>(size_);
    const auto row = std::span(counts_[order]).subspan(at / size * size, size);
    double seen = 0, kinds = 0;
    for (int count : row) seen += count, kinds += count > 0;
    return seen == 0 ? shorter : (row[at % size] + kinds * shorter) / (seen + kinds);
  }

  int size_;
  std::vector<int> counts_[3];
};

bool reached(const Goal& goal, const Evaluation& exam, double trigram_loss) {
  if (exam.best_head_alignment() < goal.alignment) return false;
  switch (goal.measure) {
    case Goal::Measure::exact:
      return exam.exact.value_or(0) >= goal.bound;
    case Goal::Measure::beats_guess:
      return exam.baseline && exam.metric < goal.bound * *exam.baseline;
    case Goal::Measure::beats_trigram:
      break;
  }
  return exam.loss < goal.bound * trigram_loss;
}

struct Arguments {
  std::vector<std::string> tasks;
  int seeds = 5;
  int first_seed = 1;
  int exam = 1000;
  bool verbose = false;
  std::vector<std::pair<std::string, std::string>> settings;
};

int fail(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  return 2;
}

Status apply(const Goal& goal, const Arguments& arguments, RunConfig& run) {
  if (Status status = apply_preset(goal.preset, run); !status) return status;
  for (const auto& [name, value] : arguments.settings) {
    Properties all = properties_of(run.model);
    for (Property& property : properties_of(run.train)) all.push_back(property);
    for (Property& property : run.task_parameters->properties()) all.push_back(property);
    if (Status status = set_by_name(all, name, value); !status) return status;
  }
  return Done{};
}

// One run to its end, and the exam.
Result<bool> learn(const Goal& goal, const Arguments& arguments, int seed) {
  Result<RunConfig> made = default_run(goal.task);
  if (!made) return made.error();
  RunConfig& run = made.value();
  if (Status status = apply(goal, arguments, run); !status) return status.error();
  run.train.seed = seed;
  TaskResult task = make_task(run);
  if (!task) return task.error();
  auto trainer =
      Trainer::create(std::shared_ptr<const Task>(std::move(task.value())), run.model, run.train);
  if (!trainer) return trainer.error();
  Trainer& t = *trainer.value();

  double trigram_loss = 0;
  if (goal.measure == Goal::Measure::beats_trigram) {
    trigram_loss = Trigram(t.task()).loss(t.task(), arguments.exam);
    std::printf("a trigram model of the same text: loss %.4f\n", trigram_loss);
  }
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  std::uint64_t first_good = 0, underflows = 0, skipped = 0;
  while (!t.finished()) {
    const auto metrics = t.step();
    if (!metrics) return metrics.error();
    underflows += metrics.value().underflows;
    skipped += metrics.value().skipped;
    if (metrics.value().step % static_cast<std::uint64_t>(run.train.eval_every) != 0) continue;
    const Evaluation exam = t.evaluate();
    if (first_good == 0 && reached(goal, exam, trigram_loss)) first_good = metrics.value().step;
    if (arguments.verbose) {
      std::printf(
          "  step %5llu  loss %.4f  held-out loss %.4f  exact %.3f  metric %.4f  alignment "
          "%.3f  %.1f s\n",
          static_cast<unsigned long long>(metrics.value().step), metrics.value().loss, exam.loss,
          exam.exact.value_or(0), exam.metric, exam.best_head_alignment(), seconds());
      std::fflush(stdout);
    }
  }
  TrainConfig longer = t.config();
  longer.eval_size = arguments.exam;
  if (Status status = t.reconfigure(longer); !status) return status.error();
  const Evaluation exam = t.evaluate();
  const bool good = reached(goal, exam, trigram_loss);
  std::printf(
      "%-10s seed %d  %5d steps  exact %6.2f%%  loss %.4f  metric %.4f  baseline %.4f  "
      "alignment %.3f (mean %.3f)  first at %5llu  underflows %llu  skipped %llu  %6.1f s  "
      "hash %016llx  %s\n",
      std::string(goal.name()).c_str(), seed, t.total_steps(), 100 * exam.exact.value_or(0),
      exam.loss, exam.metric, exam.baseline.value_or(0), exam.best_head_alignment(),
      exam.alignment.empty() ? 0 : exam.alignment.back().mean.share,
      static_cast<unsigned long long>(first_good), static_cast<unsigned long long>(underflows),
      static_cast<unsigned long long>(skipped), seconds(),
      static_cast<unsigned long long>(t.weights_hash()), good ? "reached" : "MISSED");
  std::fflush(stdout);
  return good;
}

int run(const Arguments& arguments) {
  int missed = 0;
  for (const Goal& goal : kGoals) {
    bool wanted = arguments.tasks.empty();
    for (const std::string& task : arguments.tasks) wanted |= task == goal.name();
    if (!wanted) continue;
    for (int i = 0; i < arguments.seeds; ++i) {
      const Result<bool> good = learn(goal, arguments, arguments.first_seed + i);
      if (!good) return fail(good.error().message);
      missed += !good.value();
    }
  }
  return missed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace tp

int main(int count, char** values) {
  tp::Arguments arguments;
  for (int i = 1; i < count; ++i) {
    const std::string name = values[i];
    if (name == "--verbose") {
      arguments.verbose = true;
      continue;
    }
    if (!name.starts_with("--") || i + 1 == count) return tp::fail("a flag needs a value: " + name);
    const std::string value = values[++i];
    if (name == "--task") {
      arguments.tasks.push_back(value);
    } else if (name == "--seeds") {
      arguments.seeds = std::atoi(value.c_str());
    } else if (name == "--first-seed") {
      arguments.first_seed = std::atoi(value.c_str());
    } else if (name == "--exam") {
      arguments.exam = std::atoi(value.c_str());
    } else {
      arguments.settings.emplace_back(name.substr(2), value);
    }
  }
  return tp::run(arguments);
}
